// Where the ledger stands: the head, the clock of the database, and how long items wait.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { ENTROPY_NAMES, type EntropyName } from '../../../shared/proof/entropy_names.ts'
import { ulidTime } from '../../../shared/proof/ids.ts'
import { ulidFloor } from '../../kernel/identifiers.ts'
import { bytes, float8, int4, nullable, text } from '../../store/columns.ts'
import { TABLES } from '../../store/database.ts'
import { preparedStatement, row, rows, statement } from '../../store/statement.ts'

export type Standing = Awaited<ReturnType<typeof readStanding>>

/**
 * Makes one query in one snapshot, so head, key and witnesses always belong together. Indexes: blocks_height_key,
 * signing_keys_sequence_key, entropy_observations_newest.
 */
export async function readStanding(em: EntityManager) {
  const found = await rows(em, STANDING({ sources: ENTROPY_NAMES }))
  const [first] = found
  if (first === undefined) throw new Error('The ledger has no genesis block.')
  const newest = found.flatMap(({ source, entropy_hash }): [EntropyName, Buffer][] =>
    source === null || entropy_hash === null ? [] : [[source, entropy_hash]],
  )
  return {
    /** Unix milliseconds by the database's clock. That of the head is the time in its id. */
    nowMs: first.now_ms,
    head: { id: first.head_id, height: first.height, hash: first.block_hash, timeMs: first.head_ms },
    keyId: first.key_id,
    /** `D(0x21, payload)` of each source's newest observation, whether or not it is in a block yet. */
    newestEntropy: new Map(newest),
  }
}

const STANDING = preparedStatement(
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
  ({ sources }: { sources: readonly EntropyName[] }) => sql`
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

type WaitingItems = Awaited<ReturnType<typeof waitingItems>>

/**
 * Unix milliseconds: now, and the times of the oldest and the newest item without a block, undefined when none waits.
 * Index: waiting_moments_moment.
 */
export async function waitingItems(em: EntityManager) {
  const { now_ms, oldest, newest } = await row(em, WAITING)
  return { nowMs: now_ms, oldestMs: timeOf(oldest), newestMs: timeOf(newest) }
}

/**
 * Returns what tells the seconds that the oldest item without a block has waited, 0 when none waits. Call it with every
 * reading. It is the longer of two ages: by the database's clock, and by how long this process has seen the oldest or the newest item
 * wait. What was submitted while the clock was ahead, or while the chain was, has a time that is still to come, from
 * which nothing follows.
 * @param monotonic a clock in milliseconds
 */
export function watchWaiting(monotonic: () => number = () => performance.now()) {
  const oldest = watchTime(monotonic)
  const newest = watchTime(monotonic)
  return ({ nowMs, oldestMs, newestMs }: WaitingItems): number =>
    Math.max(oldest(oldestMs), newest(newestMs), nowMs - (oldestMs ?? nowMs)) / 1_000
}

/** Milliseconds since the first call with this time. 0 without one. */
function watchTime(monotonic: () => number): (timeMs: number | undefined) => number {
  let seen: { readonly timeMs: number; readonly at: number } | undefined
  return (timeMs) => {
    if (timeMs !== seen?.timeMs) seen = timeMs === undefined ? undefined : { timeMs, at: monotonic() }
    return seen === undefined ? 0 : monotonic() - seen.at
  }
}

/** A moment is the start of an item's id. */
const timeOf = (moment: string | null): number | undefined =>
  moment === null ? undefined : ulidTime(moment + REST)

const REST = ulidFloor(0).slice(10)

const WAITING = statement(
  { now_ms: float8, oldest: nullable(text), newest: nullable(text) },
  sql`SELECT unix_ms(pharos_now()) AS now_ms, (SELECT min(moment) FROM waiting_moments) AS oldest,
             (SELECT max(moment) FROM waiting_moments) AS newest`,
)
