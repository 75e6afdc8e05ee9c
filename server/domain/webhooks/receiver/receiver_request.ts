// What arrived at an address of the built-in receiver: kept without its secrets, the newest ones only, for a day.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { newUuid7 } from '../../../kernel/identifiers.ts'
import type { MasterKey } from '../../../kernel/sealed.ts'
import { bytes, instant, int4, json, nullable, oneOf, text } from '../../../store/columns.ts'
import { change, rows } from '../../../store/run.ts'
import { command, type RowFrom, statement } from '../../../store/statement.ts'
import { checkSecret, SECRET_CHECKS, type SecretCheck } from './check_secret.ts'
import { ANSWERS, type ReceiverAnswer } from './receiver_address.ts'
import { shownHeaders } from './shown_headers.ts'

/** Of an address: requests, hours. `bodyBytes`: the rest of a longer body is not kept. */
export const REQUEST_LIMITS = { newest: 50, hours: 24, bodyBytes: 16_384, perSecond: 50 } as const

export type ReceiverRequest = RowFrom<typeof LIST>

export interface Arrived {
  readonly token: string
  readonly method: string
  /** Names and values alternate, as received. */
  readonly rawHeaders: readonly string[]
  readonly body: Buffer
}

export type TakeRequest = (arrived: Arrived) => Promise<ReceiverAnswer | undefined>

/**
 * Keeps what arrived and returns how to answer. Undefined when there is no such address. In a flood some requests are
 * answered and not kept.
 */
export function requestTaker({
  em,
  masterKey,
}: {
  em: () => EntityManager
  masterKey: MasterKey
}): TakeRequest {
  const mayKeep = atMost(REQUEST_LIMITS.perSecond)
  return async ({ token, method, rawHeaders, body }) => {
    const deliveryId = headerOf(rawHeaders, 'x-pharos-delivery') ?? ''
    const [found] = await rows(em(), FIND({ token, deliveryId }))
    if (found === undefined) return undefined
    if (!mayKeep()) return found.answers
    const secret: SecretCheck = checkSecret(masterKey, found, headerOf(rawHeaders, 'authorization'))
    await change(
      em(),
      KEEP({
        id: newUuid7(),
        token,
        method: method.slice(0, 16),
        headers: JSON.stringify(shownHeaders(rawHeaders)),
        body: body.subarray(0, REQUEST_LIMITS.bodyBytes).toString('utf8').replaceAll('\0', '\ufffd'),
        bodyBytes: body.length,
        deliveryId: found.delivery_id,
        endpointId: found.endpoint_id,
        secret,
        answered: found.answers,
      }),
    )
    return found.answers
  }
}

/** Newest first. The caller has looked whose address it is. */
export const listRequests = (
  { em }: { em: EntityManager },
  token: string,
): Promise<readonly ReceiverRequest[]> => rows(em, LIST({ token }))

/** One bounded DELETE. Call again while it is full. Index: receiver_requests_at. */
export const pruneRequests = ({ em }: { em: EntityManager }, limit: number): Promise<number> =>
  change(em, PRUNE({ limit }))

function headerOf(rawHeaders: readonly string[], name: string): string | undefined {
  for (let at = 0; at + 1 < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.toLowerCase() === name) return rawHeaders[at + 1]
  return undefined
}

/** True so many times in a second. */
function atMost(perSecond: number): () => boolean {
  let second = 0
  let count = 0
  return () => {
    const now = Math.floor(performance.now() / 1_000)
    count = now === second ? count + 1 : 1
    second = now
    return count <= perSecond
  }
}

/** A delivery counts only when it is one of the account that the address belongs to. */
const FIND = statement(
  {
    answers: oneOf(...ANSWERS),
    delivery_id: nullable(text),
    endpoint_id: nullable(text),
    auth_type: nullable(oneOf('none', 'bearer')),
    sealed_auth_secret: nullable(bytes),
  },
  ({ token, deliveryId }: { token: string; deliveryId: string }) => sql`
  SELECT a.answers, d.id AS delivery_id, e.id AS endpoint_id, e.auth_type, e.sealed_auth_secret
    FROM receiver_addresses a
    LEFT JOIN webhook_deliveries d ON d.id = ${deliveryId} AND d.user_id = a.user_id
    LEFT JOIN webhook_endpoints e ON e.id = d.endpoint_id AND e.user_id = a.user_id
   WHERE a.token = ${token} AND a.expires_at > pharos_now()`,
)

interface Kept {
  readonly id: string
  readonly token: string
  readonly method: string
  readonly headers: string
  readonly body: string
  readonly bodyBytes: number
  readonly deliveryId: string | null
  readonly endpointId: string | null
  readonly secret: SecretCheck
  readonly answered: ReceiverAnswer
}

/** Also deletes what is older than the newest ones. Index: receiver_requests_token. */
const KEEP = command(
  ({ id, token, method, headers, body, bodyBytes, deliveryId, endpointId, secret, answered }: Kept) => sql`
  WITH older AS (
    DELETE FROM receiver_requests WHERE token = ${token} AND id <= (
      SELECT id FROM receiver_requests WHERE token = ${token}
       ORDER BY id DESC OFFSET ${sql.lit(REQUEST_LIMITS.newest - 1)} LIMIT 1))
  INSERT INTO receiver_requests (id, token, method, headers, body, body_bytes, delivery_id, endpoint_id, secret, answered)
  SELECT ${id}, a.token, ${method}, ${headers}::jsonb, ${body}, ${bodyBytes}::int, ${deliveryId}, ${endpointId},
         ${secret}, ${answered}
    FROM receiver_addresses a WHERE a.token = ${token}`,
)

const LIST = statement(
  {
    id: text,
    at: instant,
    method: text,
    headers: json,
    body: text,
    body_bytes: int4,
    delivery_id: nullable(text),
    endpoint_id: nullable(text),
    secret: oneOf(...SECRET_CHECKS),
    answered: oneOf(...ANSWERS),
  },
  ({ token }: { token: string }) => sql`
  SELECT id, at, method, headers, body, body_bytes, delivery_id, endpoint_id, secret, answered
    FROM receiver_requests WHERE token = ${token} ORDER BY id DESC LIMIT ${sql.lit(REQUEST_LIMITS.newest)}`,
)

const PRUNE = command(
  ({ limit }: { limit: number }) => sql`
  DELETE FROM receiver_requests WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM receiver_requests
     WHERE at < (SELECT pharos_now()) - ${sql.lit(REQUEST_LIMITS.hours)} * interval '1 hour'
     LIMIT ${limit} FOR UPDATE SKIP LOCKED))`,
)
