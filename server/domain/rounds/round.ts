// A round: one item that stands for the digests, or for the time-stamp tokens, that arrived together. Its number is unique over
// all servers, and after a restored backup; its account is one of its own.
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { type DigestTree, LeafList, type TreeEntry } from '../../../shared/evidence/digest_tree.ts'
import { ROUND_CREATOR_ID } from '../../../shared/wire/console_stream.ts'
import { bytes, float8, int4, text } from '../../store/columns.ts'
import {
  change,
  command,
  db,
  firstRow,
  inTransaction,
  NOW,
  preparedStatement,
  type RowFrom,
  row,
  statement,
} from '../../store/statement.ts'

/** The two never stand in one round, because of a round of tokens each leaf is kept. */
export type RoundKind = 'digests' | 'tokens'

/** Entries of one round, with its own first one. */
export const MOST_ENTRIES = 65_536

/** Nobody can sign in to this account, no list has it, and plans do not count what it makes. See `prepareRounds`. */
export const ROUND_ACCOUNT = {
  creatorId: ROUND_CREATOR_ID,
  teamId: '00000000-0000-7000-8001-726f756e6473',
} as const

/** Index: aggregation_rounds_root_key. */
export const roundByRoot = (em: EntityManager, root: Uint8Array) => firstRow(em, BY_ROOT({ root }))

/** `size`: entries, with the round's own. */
const BY_ROOT = preparedStatement(
  { number: float8, itemId: text, size: int4 },
  ({ root }: { root: Uint8Array }) => sql`
  SELECT number::float8 AS number, item_id AS "itemId", size FROM aggregation_rounds WHERE root = ${root}`,
)

/**
 * What a round begins with: its number, and what the database's clock said. Whoever does not use the number has lost
 * nothing: there are 2^43 of them.
 */
export async function startRound(em: EntityManager) {
  const askedAt = performance.now()
  const { number, now_ms } = await row(em, START)
  return {
    number,
    /** Unix milliseconds by the database's clock, at a moment between the two below. */
    databaseMs: now_ms,
    /** When the database was asked, and when it had answered, on the monotonic clock of this process. */
    askedAt,
    answeredAt: performance.now(),
  }
}

export type RoundStart = Awaited<ReturnType<typeof startRound>>

const START = statement(
  { number: float8, now_ms: float8 },
  sql`SELECT nextval('aggregation_round_numbers')::float8 AS number, unix_ms(pharos_now()) AS now_ms`,
)

/**
 * Lifts the sequence to at least the database's time in Unix milliseconds. No installation makes a round a millisecond,
 * so the numbers that a restored backup has forgotten stay below it. Should a server take numbers at the very moment at
 * which the sequence is lifted, the primary key refuses the second round with one.
 */
export const liftRoundNumbers = async (em: EntityManager): Promise<void> => void (await change(em, LIFT))

const LIFT = command(sql`
  SELECT setval('aggregation_round_numbers', unix_ms(pharos_now())::bigint)
    FROM aggregation_round_numbers WHERE last_value < unix_ms(pharos_now())`)

/**
 * Establishes what rounds need before anybody is served: the account that they belong to, and numbers that nobody had.
 * Safe to repeat.
 */
export async function prepareRounds(em: EntityManager): Promise<void> {
  await inTransaction(em, makeAccount)
  await liftRoundNumbers(em)
}

/**
 * Without an address nobody signs in to it, and the database keeps it disabled. Without a membership it is in no list,
 * and nobody may change what belongs to its team.
 */
async function makeAccount(em: EntityManager): Promise<void> {
  const { creatorId, teamId } = ROUND_ACCOUNT
  await db(em)
    .insertInto('users')
    .values({ id: creatorId, first_name: NAME, plan: 'enterprise', disabled_at: NOW })
    .onConflict((known) => known.doNothing())
    .execute()
  await db(em)
    .insertInto('teams')
    .values({ id: teamId, name: NAME, personal_user_id: creatorId })
    .onConflict((known) => known.doNothing())
    .execute()
}

const NAME = 'Rounds'

export type TokenRound = RowFrom<ReturnType<typeof BY_NUMBER>>

/**
 * A round of tokens as it is stored. Undefined also for a round of digests, and for one whose item is not shown.
 * @param number a whole number
 */
export const tokenRound = (em: EntityManager, number: number): Promise<TokenRound | undefined> =>
  firstRow(em, BY_NUMBER({ number }))

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
