// What is stored of a code, a token, a grant, a session or a client: the SHA-256 of its random secret, and its payload,
// without what the row must not tell. Nobody finds it from its end on, which is by the database's clock, and then it is
// deleted.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { EXPIRED, prunes } from '../../store/bounded_change.ts'
import { bool, float8, text } from '../../store/columns.ts'
import { rows, type Sql, statement } from '../../store/statement.ts'

export type Payload = Readonly<Record<string, unknown>>

/** A row that has not expired. `leftSeconds` is by the database's clock, rounded up. */
export interface FoundPayload {
  readonly payload: Payload
  readonly isConsumed: boolean
  readonly leftSeconds: number
}

/** The end of what is valid for so many seconds from now. */
export const endsIn = (seconds: number): Sql => sql`pharos_now() + ${seconds}::float8 * interval '1 second'`

const FOUND = { payload: text, is_consumed: bool, left_seconds: float8 }

/**
 * Looks for the row of a table that `where` names, if it has not expired.
 * @param isConsumed what says that it was used up, for what is used once
 */
export function payloadFinder<Key extends object>(
  table: 'oauth_sessions' | 'oauth_grants' | 'oauth_access_tokens' | 'oauth_tickets',
  where: (key: Key) => Sql,
  isConsumed: Sql = sql`false`,
): (em: EntityManager, key: Key) => Promise<FoundPayload | undefined> {
  const find = statement(
    FOUND,
    (key: Key) => sql`
    SELECT payload::text AS payload, ${isConsumed} AS is_consumed,
           ceil(extract(epoch FROM expires_at - pharos_now()))::float8 AS left_seconds
      FROM ${sql.table(table)} WHERE ${where(key)} AND expires_at > pharos_now()`,
  )
  return async (em, key) => {
    const [row] = await rows(em, find(key))
    return (
      row && { payload: readPayload(row.payload), isConsumed: row.is_consumed, leftSeconds: row.left_seconds }
    )
  }
}

function readPayload(text: string): Payload {
  const read: unknown = JSON.parse(text)
  if (!isPayload(read)) throw new Error('A stored payload is no object.')
  return read
}

const isPayload = (value: unknown): value is Payload =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What goes with a grant or session is deleted before it, so that no piece grows by what hangs on it. */
const TABLES_IN_ORDER = [
  'oauth_access_tokens',
  'oauth_tickets',
  'oauth_grants',
  'oauth_sessions',
  'oauth_clients',
] as const

/**
 * One bounded DELETE of each table. Call again while one of them is full.
 * Indexes: `<table>_expires_at`.
 */
export async function pruneOauth(em: EntityManager, limit: number): Promise<number> {
  let most = 0
  for (const prune of PRUNES) most = Math.max(most, await prune(em, limit))
  return most
}

const PRUNES = TABLES_IN_ORDER.map((table) => prunes(table, EXPIRED))
