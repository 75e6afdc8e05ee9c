// An item from GET /api/json/items: as its page shows it, and as lists show it, without its claims, which may be large.
import { useState } from 'react'
import type { JsonObject, JsonValue } from '../../../shared/proof/json_value.ts'
import { itemStage } from '../commitments/proof_stage.ts'
import { documentOf, includedOf, type Page, pageOf } from '../data/resource.ts'
import { called, object, objectOrNull, or, shape, text, textOrNull, texts } from '../data/shape.ts'
import { useStreamPulse } from '../data/stream/use_stream_pulse.ts'
import { type Loaded, useDocument } from '../data/use_document.ts'
import { useMe } from '../session/me.ts'
import { nameText } from '../ui/shown_text.tsx'

export const AUDIENCES = ['private', 'team', 'public'] as const

const LISTED = {
  id: text,
  /** `created`, `committed` or `redacted`. */
  state: text,
  visibility: text,
  tags: texts,
  /** Null after redaction. */
  name: called('display_name', textOrNull),
  /** The digest that it claims. Null without one, and after redaction. */
  digest: called('hash', textOrNull),
  blockId: textOrNull,
  proofAvailableAt: textOrNull,
  insertedAt: text,
} as const

const readListed = shape(LISTED)

const readItem = shape({
  ...LISTED,
  /** Null after redaction. */
  claims: objectOrNull,
  claimsHash: text,
  metadataHash: text,
  itemHash: text,
  metadata: or<JsonObject>(objectOrNull, {}),
  keyId: called('signing_key_id', text),
  teamId: text,
  creatorId: text,
  committedAt: textOrNull,
  redactedAt: textOrNull,
  expiresAt: textOrNull,
  raw: object,
})

type InBlock = {
  /** `committed` when a public chain carries the block. Null when there is no block. */
  readonly blockState: string | null
}

export type Item = ReturnType<typeof readItem> & InBlock

export type ListedItem = ReturnType<typeof readListed> &
  InBlock & {
    /**
     * Why the list would not have it any more: it was deleted, or the last read did not find it. The row stays,
     * so that nothing moves below the reader.
     */
    readonly left: 'deleted' | 'unlisted' | null
  }

/** In headings and lists. */
export const itemName = ({ name }: Pick<Item, 'name'>): string =>
  name === null ? 'Erased item' : nameText(name)

/** The state of the block is included, because it changes before the item's own `proof_available_at` is written. */
const WITH_BLOCK = { include: 'block', 'fields[block]': 'state' } as const

/** Of a request for rows of a list. */
export const LISTED_FIELDS = {
  ...WITH_BLOCK,
  'fields[item]': 'state,visibility,tags,display_name,hash,block_id,proof_available_at,inserted_at',
} as const

const itemPath = (id: string): string =>
  `/api/json/items/${encodeURIComponent(id)}?${new URLSearchParams(WITH_BLOCK)}`

/** @throws ApiFailure */
export const readItemDocument = (document: JsonValue): Item => {
  const item = documentOf(readItem)(document)
  return { ...item, blockState: blockStateIn(document)(item) }
}

const freshMs = (item: Item): number | null =>
  itemStage(item) === 'no_block' || itemStage(item) === 'waiting' ? 10_000 : null

/** On the page: read again at each event about it or about its block, and at intervals until it has a proof. */
export const useItem = (id: string): Loaded<Item> & { readonly again: () => void } => {
  const [blockId, setBlockId] = useState(NO_BLOCK)
  // The item itself has no event when a chain carries its block.
  const pulse = `${useStreamPulse('items', id)} ${useStreamPulse('blocks', blockId)}`
  const loaded = useDocument(itemPath(id), { read: readItemDocument, pulse, freshMs })
  const found = (loaded.kind === 'found' && loaded.value.blockId) || NO_BLOCK
  if (found !== blockId) setBlockId(found)
  return loaded
}

const NO_BLOCK = 'none'

/** Whether the person may change it. False also until it is known. The service decides in any case. */
export const useMayChange = (item: Item): boolean => {
  const me = useMe()
  const team = useDocument(`/api/json/teams/${encodeURIComponent(item.teamId)}`, { read: readTeam })
  if (me === null || team.kind === 'loading' || team.kind === 'failed') return false
  if (team.kind === 'found' && team.value.ownershipModel === 'team_retains')
    return team.value.role === 'owner' || team.value.role === 'admin'
  // Of a team that the person is no longer in, nothing can be read.
  return item.creatorId === me.id
}

const readTeam = documentOf(shape({ role: textOrNull, ownershipModel: textOrNull }))

/** @throws ApiFailure */
export const readListedPage = (document: JsonValue): Page<ListedItem> => {
  const blockState = blockStateIn(document)
  return pageOf((members): ListedItem => {
    const item = readListed(members)
    return { ...item, blockState: blockState(item), left: null }
  })(document)
}

const blockStateIn = (document: JsonValue) => {
  const states = new Map(
    includedOf(document, 'block', shape({ id: text, state: text })).map(({ id, state }) => [id, state]),
  )
  return ({ blockId }: { readonly blockId: string | null }): string | null =>
    states.get(blockId ?? '') ?? null
}
