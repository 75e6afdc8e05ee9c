// Reads the state of the ledger at one instant: database time, head block, current key, newest observations.

import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { bytes, float8, int4, nullable, text } from '../../store/columns.ts'
import { TABLES } from '../../store/database.ts'
import { rows } from '../../store/run.ts'
import { statement } from '../../store/statement.ts'
import { ENTROPY_SOURCES, type EntropySource } from './observation.ts'

export interface Standing {
  /** Unix milliseconds by the database's clock. */
  readonly nowMs: number
  readonly head: {
    readonly id: string
    readonly height: number
    readonly hash: Buffer
    /** Unix milliseconds, the time in the id. */
    readonly timeMs: number
  }
  readonly keyId: Buffer
  /** `D(0x21, payload)` of each source's newest observation, whether or not it is in a block yet. */
  readonly newestEntropy: ReadonlyMap<EntropySource, Buffer>
}

/**
 * Makes one query in one snapshot, so head, key and witnesses always belong together. Indexes: blocks_height_key,
 * signing_keys_sequence_key, entropy_observations_newest.
 */
export async function readStanding({ em }: { em: EntityManager }): Promise<Standing> {
  const found = await rows(em, STANDING({ sources: ENTROPY_SOURCES }))
  const [first] = found
  if (first === undefined) throw new Error('The ledger has no genesis block.')
  const newest = found.flatMap(({ source, entropy_hash }): [EntropySource, Buffer][] =>
    source === null || entropy_hash === null ? [] : [[source, entropy_hash]],
  )
  return {
    nowMs: first.now_ms,
    head: { id: first.head_id, height: first.height, hash: first.block_hash, timeMs: first.head_ms },
    keyId: first.key_id,
    newestEntropy: new Map(newest),
  }
}

const STANDING = statement(
  {
    now_ms: float8,
    head_id: text,
    height: int4,
    block_hash: bytes,
    head_ms: float8,
    key_id: bytes,
    source: nullable(TABLES.entropy_observations.source),
    entropy_hash: nullable(bytes),
  },
  ({ sources }: { sources: readonly EntropySource[] }) => sql`
  SELECT unix_ms(pharos_now()) AS now_ms, head.id AS head_id, head.height, head.block_hash,
         unix_ms(head.finalized_at) AS head_ms, current.key_id, newest.source, newest.entropy_hash
    FROM (SELECT id, height, block_hash, finalized_at FROM blocks ORDER BY height DESC LIMIT 1) AS head
   CROSS JOIN (SELECT key_id FROM signing_keys WHERE introduced_at_height IS NOT NULL
                ORDER BY sequence DESC LIMIT 1) AS current
    LEFT JOIN (SELECT s.source, o.entropy_hash
                 FROM unnest(${sources}::text[]) AS s (source)
                CROSS JOIN LATERAL (SELECT entropy_hash FROM entropy_observations
                                     WHERE source = s.source COLLATE "C" ORDER BY id DESC LIMIT 1) AS o
              ) AS newest ON true`,
)
