// What arrived at an address of the built-in receiver: its secret compared, then kept without secrets, the newest
// ones only, for a day.
import { hash, timingSafeEqual } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { atMost } from '../../../kernel/flow/at_most.ts'
import { newUuid7 } from '../../../kernel/identifiers.ts'
import { type MasterKey, unlessBroken } from '../../../kernel/sealed.ts'
import { prunes } from '../../../store/bounded_change.ts'
import { bool, bytes, instant, int4, json, nullable, oneOf, text } from '../../../store/columns.ts'
import { change, command, type RowFrom, rows, statement } from '../../../store/statement.ts'
import { openSecret } from '../endpoints/endpoint.ts'
import { isOfSignature } from '../endpoints/signing_keys.ts'
import { ANSWERS, type ReceiverAnswer } from './receiver_address.ts'

interface ShownHeader {
  readonly name: string
  /** Null when it is hidden. */
  readonly value: string | null
}

const BOUNDS = { headers: 64, name: 64, value: 256 } as const

/** The service writes these itself. What an owner has added is sealed with the endpoint, and never shown again. */
const OPEN: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'content-length',
  'content-type',
  'user-agent',
  'webhook-id',
  'x-pharos-event',
  'x-pharos-delivery',
  'x-pharos-timestamp',
])

/**
 * @param rawHeaders names and values alternate, as received
 * @param isSigned whether the endpoint signs. Otherwise headers with the names of signatures are the owner's own
 */
export function shownHeaders(rawHeaders: readonly string[], isSigned: boolean): ShownHeader[] {
  const shown: ShownHeader[] = []
  for (let at = 0; at + 1 < rawHeaders.length && shown.length < BOUNDS.headers; at += 2) {
    const name = (rawHeaders[at] ?? '').slice(0, BOUNDS.name)
    const value = rawHeaders[at + 1] ?? ''
    const isOpen = OPEN.has(name.toLowerCase()) || isDefault(name, value) || (isSigned && isOfSignature(name))
    shown.push({ name, value: isOpen ? value.slice(0, BOUNDS.value) : null })
  }
  return shown
}

/** An owner may set this one to something else. */
const isDefault = (name: string, value: string): boolean =>
  name.toLowerCase() === 'accept-encoding' && value === 'identity'

/**
 * `none`: the endpoint has none. `unknown`: the request is no delivery of the account, or its endpoint is gone, or the
 * stored secret does not open.
 */
const SECRET_CHECKS = ['none', 'matches', 'differs', 'missing', 'unknown'] as const
type SecretCheck = (typeof SECRET_CHECKS)[number]

/** @param authorization as received, one character a byte */
function checkSecret(
  masterKey: MasterKey,
  { endpoint_id: id, auth_type: authType, sealed_auth_secret: sealed }: RowFrom<typeof FIND>,
  authorization: string | undefined,
): SecretCheck {
  if (id === null || authType === null) return 'unknown'
  if (authType === 'none' || sealed === null) return authorization === undefined ? 'none' : 'differs'
  if (authorization === undefined) return 'missing'
  const secret = unlessBroken(() => openSecret(masterKey, id, sealed))
  if (secret === undefined) return 'unknown'
  const expected = Buffer.from(`Bearer ${secret}`)
  const isSame = timingSafeEqual(digest(expected), digest(Buffer.from(authorization, 'latin1')))
  return isSame ? 'matches' : 'differs'
}

/** Digests have a fixed length, so comparing them reveals nothing about the length of the secret. */
const digest = (bytes: Buffer): Buffer => hash('sha256', bytes, 'buffer')

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

export type TakeRequest = ReturnType<typeof requestTaker>

/**
 * Keeps what arrived and returns how to answer. Undefined when there is no such address. In a flood some requests are
 * answered and not kept.
 */
export function requestTaker({ em, masterKey }: { em: () => EntityManager; masterKey: MasterKey }) {
  const mayKeep = atMost(REQUEST_LIMITS.perSecond)
  return async (arrived: Arrived): Promise<ReceiverAnswer | undefined> => {
    const deliveryId = headerOf(arrived.rawHeaders, 'x-pharos-delivery') ?? ''
    const [found] = await rows(em(), FIND({ token: arrived.token, deliveryId }))
    if (found === undefined) return undefined
    if (!mayKeep()) return found.answers
    await change(em(), KEEP(keptOf(masterKey, arrived, found)))
    return found.answers
  }
}

const keptOf = (
  masterKey: MasterKey,
  { token, method, rawHeaders, body }: Arrived,
  found: RowFrom<typeof FIND>,
) => ({
  id: newUuid7(),
  token,
  method: method.slice(0, 16),
  headers: JSON.stringify(shownHeaders(rawHeaders, found.is_signed)),
  body: body.subarray(0, REQUEST_LIMITS.bodyBytes).toString('utf8').replaceAll('\0', '\ufffd'),
  bodyBytes: body.length,
  deliveryId: found.delivery_id,
  endpointId: found.endpoint_id,
  secret: checkSecret(masterKey, found, headerOf(rawHeaders, 'authorization')),
  answered: found.answers,
})

/** Newest first. The caller has looked whose address it is. */
export const listRequests = (em: EntityManager, token: string): Promise<readonly ReceiverRequest[]> =>
  rows(em, LIST({ token }))

function headerOf(rawHeaders: readonly string[], name: string): string | undefined {
  for (let at = 0; at + 1 < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.toLowerCase() === name) return rawHeaders[at + 1]
  return undefined
}

/** A delivery counts only when it is one of the account that the address belongs to. */
const FIND = statement(
  {
    answers: oneOf(...ANSWERS),
    delivery_id: nullable(text),
    endpoint_id: nullable(text),
    auth_type: nullable(oneOf('none', 'bearer')),
    sealed_auth_secret: nullable(bytes),
    is_signed: bool,
  },
  ({ token, deliveryId }: { token: string; deliveryId: string }) => sql`
  SELECT a.answers, d.id AS delivery_id, e.id AS endpoint_id, e.auth_type, e.sealed_auth_secret,
         coalesce(e.signing <> 'none', false) AS is_signed
    FROM receiver_addresses a
    LEFT JOIN webhook_deliveries d ON d.id = ${deliveryId} AND d.user_id = a.user_id
    LEFT JOIN webhook_endpoints e ON e.id = d.endpoint_id AND e.user_id = a.user_id
   WHERE a.token = ${token} AND a.expires_at > pharos_now()`,
)

/** Also deletes what is older than the newest ones. Index: receiver_requests_token. */
const KEEP = command(
  (kept: ReturnType<typeof keptOf>) => sql`
  WITH older AS (
    DELETE FROM receiver_requests WHERE token = ${kept.token} AND id <= (
      SELECT id FROM receiver_requests WHERE token = ${kept.token}
       ORDER BY id DESC OFFSET ${sql.lit(REQUEST_LIMITS.newest - 1)} LIMIT 1))
  INSERT INTO receiver_requests (id, token, method, headers, body, body_bytes, delivery_id, endpoint_id, secret, answered)
  SELECT ${kept.id}, a.token, ${kept.method}, ${kept.headers}::jsonb, ${kept.body}, ${kept.bodyBytes}::int,
         ${kept.deliveryId}, ${kept.endpointId}, ${kept.secret}, ${kept.answered}
    FROM receiver_addresses a WHERE a.token = ${kept.token}`,
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

/** Index: receiver_requests_at. */
export const pruneRequests = prunes(
  'receiver_requests',
  sql`at < (SELECT pharos_now()) - ${sql.lit(REQUEST_LIMITS.hours)} * interval '1 hour'`,
)
