// A round of tokens as it is stored, with its item, and the tree of it computed again.
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { type DigestTree, LeafList, type TreeEntry } from '../../../shared/evidence/digest_tree.ts'
import { bytes, int4, text } from '../../store/columns.ts'
import { type RowFrom, rows, statement } from '../../store/statement.ts'

export type TokenRound = RowFrom<ReturnType<typeof BY_NUMBER>>

/** Undefined also for a round of digests, and for one whose item is not shown. @param number a whole number */
export const tokenRound = async (em: EntityManager, number: number): Promise<TokenRound | undefined> =>
  (await rows(em, BY_NUMBER({ number })))[0]

/** Indexes: aggregation_rounds_pkey, items_pkey. */
const BY_NUMBER = statement(
  {
    root: bytes,
    size: int4,
    own_bytes: bytes,
    token_hashes: bytes,
    item_id: text,
    claims: text,
    metadata: text,
    signing_key_id: bytes,
    signature: bytes,
  },
  ({ number }: { number: number }) => sql`
  SELECT r.root, r.size, r.own_bytes, r.token_hashes, i.id AS item_id, i.claims, i.metadata, i.signing_key_id, i.signature
    FROM aggregation_rounds r JOIN shown_items i ON i.id = r.item_id
   WHERE r.number = ${number} AND r.token_hashes IS NOT NULL AND i.claims IS NOT NULL`,
)

const HASH_BYTES = 32

/** @param index from 1, because the first entry is the round's own. Undefined for one that the round does not have. */
export function tokenEntry({ size, token_hashes }: TokenRound, index: number): TreeEntry | undefined {
  if (index < 1 || index >= size) return undefined
  const end = index * HASH_BYTES
  return { type: 'rfc3161-token', value: token_hashes.subarray(end - HASH_BYTES, end) }
}

const LEAVES_AT_ONCE = 4_096

/** In pieces, because a full round takes a tenth of a second. */
export async function tokenTree(round: TokenRound): Promise<DigestTree> {
  const leaves = new LeafList(round.size)
  leaves.addEntry({ type: 'round', value: round.own_bytes })
  for (let index = 1; index < round.size; index += 1) {
    const entry = tokenEntry(round, index)
    if (entry !== undefined) leaves.addEntry(entry)
    if (index % LEAVES_AT_ONCE === 0) await yieldToEventLoop()
  }
  return leaves.treeInPieces(yieldToEventLoop)
}
