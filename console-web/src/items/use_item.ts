// An item on the page, read again at each event about it or about its block, and at intervals until it has a proof; and
// whether the person may change it.

import { useState } from 'react'
import { itemStage } from '../commitments/proof_stage.ts'
import { documentOf } from '../data/resource.ts'
import { shape, textOrNull } from '../data/shape.ts'
import { useStreamPulse } from '../data/stream/use_stream_pulse.ts'
import { type Loaded, useDocument } from '../data/use_document.ts'
import { useMe } from '../session/me.ts'
import { type Item, itemPath, readItemDocument } from './item.ts'

const freshMs = (item: Item): number | null =>
  itemStage(item) === 'no_block' || itemStage(item) === 'waiting' ? 10_000 : null

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

/** False also until it is known. The service decides in any case. */
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
