// The team's own items in the picture: how many wait for the next block, and the names of the newest in their blocks.
import { useEffect, useState } from 'react'
import type { JsonValue } from '../../../shared/proof/json_value.ts'
import { useConsole } from '../data/console_context.ts'
import { pageOf } from '../data/resource.ts'
import { called, shape, textOrNull } from '../data/shape.ts'
import { type Loaded, useDocument } from '../data/use_document.ts'
import { nameText } from '../ui/shown_text.tsx'
import { useNow } from '../ui/use_now.ts'
import type { Tile } from './tile.ts'
import { followWaiting } from './waiting_items.ts'

/** As many flags as the picture has room for. */
const PATH = '/api/json/items?page[limit]=25&fields[item]=display_name,block_id'

const readItems = pageOf(shape({ name: called('display_name', textOrNull), blockId: textOrNull }))

const read = (document: JsonValue) => {
  const { rows } = readItems(document)
  const names = new Map<string, string[]>()
  for (const { name, blockId } of rows)
    if (name !== null && blockId !== null) names.set(blockId, [...(names.get(blockId) ?? []), nameText(name)])
  return { hasItems: rows.length > 0, names }
}

export const useHasItems = (): boolean | null => hasItemsIn(useDocument(PATH, { read }))

/** Whether the team has an item. True as well where they cannot be read, null until then. */
export const hasItemsIn = (loaded: Loaded<{ readonly hasItems: boolean }>): boolean | null => {
  if (loaded.kind === 'found') return loaded.value.hasItems
  return loaded.kind === 'loading' && loaded.why === undefined ? null : true
}

const NO_NAMES: ReadonlyMap<string, readonly string[]> = new Map()

/** @param head the newest block */
export const useOwnItems = (head: Tile | undefined) => {
  const { api, live, clockOffset } = useConsole()
  const [items, setItems] = useState<ReturnType<typeof followWaiting> | null>(null)
  useEffect(() => {
    const opened = followWaiting({ api, live, clockOffset })
    setItems(opened)
    return opened.end
  }, [api, live, clockOffset])
  const headId = head?.id
  // biome-ignore lint/correctness/useExhaustiveDependencies: a block that is committed later is the same block
  useEffect(() => {
    if (head !== undefined) items?.blockCame(head)
  }, [items, headId])
  // Read once a second, however many items come.
  const waiting = useNow(() => items?.items() ?? null)
  const pulse = useNow(() => String(items?.changes() ?? 0))
  const loaded = useDocument(PATH, { read, pulse })
  return {
    /** Null until they were counted. */
    waiting,
    /** Of the newest items, by the block that holds them. */
    names: loaded.kind === 'found' ? loaded.value.names : NO_NAMES,
  }
}
