// Authorization requests that wait for the person to sign in and to agree, each a ticket of its own kind; and how
// many rows strangers may make in such tables.
import type { EntityManager } from '@mikro-orm/postgresql'
import { type RawBuilder, sql } from 'kysely'
import { refuse } from '../../kernel/refusal.ts'
import { float8, nullable } from '../../store/columns.ts'
import { change, row } from '../../store/run.ts'
import { command, statement } from '../../store/statement.ts'
import { endsIn, type Payload, secretHash } from './stored_payload.ts'

const IN_ALL = 10_000
const PART = 40

/**
 * True where a network has as much as it may, which is a fortieth of what is free. So one network alone has 244 rows, the
 * more there are the less each may have, and a network that has none finds room until some 240 others have each taken
 * all that they may.
 *
 * Rows are counted as the statement finds them. Those that come together do not see each other, so at most one more for
 * each connection to the database is let in.
 */
export const isFull = (own: RawBuilder<unknown>, all: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`${own} * ${sql.lit(PART)} >= ${sql.lit(IN_ALL)} - ${all}`

export interface WaitingRequest {
  /** The secret that names it. */
  readonly id: string
  readonly payload: Payload
  readonly seconds: number
  /**
   * Whose it is: that of an account that is signed in, or of a network, see `networkKey`, where somebody has to sign in
   * first. The network matters for a new one alone.
   */
  readonly of: { readonly account: string } | { readonly network: string }
}

/** The most that wait for one person who is signed in. Beyond them that person's oldest goes. */
const MOST_OF_ACCOUNT = 100

/**
 * Stores it, or changes its payload, its end, and whose it is. A request that is new where there is no room for another
 * one is refused: one that waits is never ended by somebody else's. Whoever is signed in needs no room among strangers.
 * @throws rate_limited
 */
export async function saveRequest(
  em: EntityManager,
  { id, payload, seconds, of }: WaitingRequest,
): Promise<void> {
  const request = { hash: secretHash(id), payload: JSON.stringify(payload), seconds }
  if ('account' in of) {
    const owner = `account ${of.account}`
    await change(em, SAVE({ ...request, owner }))
    await change(em, DROP_OLDEST_OF({ owner }))
    return
  }
  const { wait_ms } = await row(em, ADMIT({ ...request, owner: of.network }))
  if (wait_ms === null) return
  throw refuse('rate_limited', {
    detail: 'too many people of your network have begun to sign in and have not finished yet',
    meta: { retry_after_ms: wait_ms },
  })
}

interface Stored {
  readonly hash: Uint8Array
  readonly payload: string
  readonly seconds: number
  /** `account` and an account's id, or a network. */
  readonly owner: string
}

const columns = sql`(kind, id_hash, payload, address, expires_at)`

const values = ({ hash, payload, seconds, owner }: Stored) =>
  sql`'interaction', ${hash}::bytea, ${payload}, ${owner}, ${endsIn(seconds)}`

const orChange = sql`
  ON CONFLICT (kind, id_hash) DO UPDATE SET payload = EXCLUDED.payload, expires_at = EXCLUDED.expires_at`

const SAVE = command(
  (request: Stored) => sql`
  INSERT INTO oauth_tickets ${columns} VALUES (${values(request)}) ${orChange}, address = EXCLUDED.address`,
)

/** Index: oauth_tickets_waiting_of. */
const DROP_OLDEST_OF = command(
  ({ owner }: { owner: string }) => sql`
  DELETE FROM oauth_tickets WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM oauth_tickets WHERE kind = 'interaction' AND address LIKE 'account %' AND address = ${owner}
     ORDER BY expires_at DESC OFFSET ${sql.lit(MOST_OF_ACCOUNT)} LIMIT 2))`,
)

/** Whose it is stays as it was. Index: oauth_tickets_waiting, of which it reads all: what networks have. */
const ADMIT = statement(
  { wait_ms: nullable(float8) },
  (request: Stored) => sql`
  WITH waiting AS (
      SELECT count(*) FILTER (WHERE address = ${request.owner}) AS own, count(*) AS requests,
             coalesce(min(expires_at) FILTER (WHERE address = ${request.owner}), min(expires_at)) AS next_end
        FROM oauth_tickets
       WHERE kind = 'interaction' AND address NOT LIKE 'account %' AND expires_at > (SELECT pharos_now())),
    made AS (
      INSERT INTO oauth_tickets ${columns} SELECT ${values(request)} FROM waiting
       WHERE NOT ${isFull(sql`own`, sql`requests`)}
          OR EXISTS (SELECT FROM oauth_tickets WHERE kind = 'interaction' AND id_hash = ${request.hash})
      ${orChange} RETURNING id_hash)
  SELECT CASE WHEN NOT EXISTS (SELECT FROM made) THEN greatest(1000, unix_ms(next_end) - unix_ms(pharos_now())) END
         AS wait_ms FROM waiting`,
)
