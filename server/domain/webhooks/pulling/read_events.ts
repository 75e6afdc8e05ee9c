// The deliveries of a pull endpoint as its reader gets them: in the order in which they were committed, as often as asked.
import { sql } from 'kysely'
import { refuse } from '../../../kernel/refusal.ts'
import { SealBroken } from '../../../kernel/sealed.ts'
import { bool, bytes, nullable, text } from '../../../store/columns.ts'
import { type CommitPlace, committedBeyond, isElsewhere } from '../../../store/commit_order.ts'
import { TABLES } from '../../../store/database.ts'
import { refuseIfChanged, type Sealing } from '../../../store/seal.ts'
import { type RowFrom, rows, statement } from '../../../store/statement.ts'
import { tellListeners } from '../deliveries/delivery_listeners.ts'
import { messageSigner, openSigningKeys, type SignMessage } from '../endpoints/signing_keys.ts'
import { headersOf, OWN_HEADERS } from '../sending/attempt.ts'
import { WITHHELD } from '../sending/deliver_one.ts'
import { MAY_READ } from '../sending/due_deliveries.ts'
import { pullPlace } from './pull_place.ts'

/** Deliveries of one answer. */
export const MOST_EVENTS = 250

/** One delivery, as it would be posted. */
export interface PulledEvent {
  /** Of the delivery. */
  readonly id: string
  readonly headers: Readonly<Record<string, string>>
  /** The bytes of the request, as text. */
  readonly body: string
}

export interface PulledPage {
  readonly events: readonly PulledEvent[]
  /** The place after the last delivery that was looked at. */
  readonly place: CommitPlace
}

export interface Asked {
  readonly endpointId: string
  readonly userId: string
  readonly after: CommitPlace
}

/**
 * What is beyond the place, at most `MOST_EVENTS`. Reading takes nothing away. A delivery is `success` from its first
 * answer on, and one that the owner may not read any more is `cancelled` instead of being answered. A place from another
 * server, whose database was restored here, is taken for the beginning.
 * @param room bytes of all bodies together; one is always answered
 * @throws not_found
 * @throws conflict when the endpoint is not a pull endpoint, is disabled, or has a key that does not open
 * @throws master_key_changed when a server with the new master key must sign
 */
export async function readEvents(
  { em, masterKey }: Sealing,
  asked: Asked,
  room: number,
): Promise<PulledPage> {
  const sign = await openEndpoint({ em, masterKey }, asked)
  const after = (await isElsewhere(em, asked.after)) ? pullPlace.beginning : asked.after
  const found = await rows(em, PAGE({ endpointId: asked.endpointId, ...after, limit: MOST_EVENTS }))
  const looked = fitting(found, room)
  if (looked.some(({ is_new }) => is_new))
    await rows(em, TELL({ endpointId: asked.endpointId, ids: looked.map(({ id }) => id) }))
  const last = looked.at(-1)
  const at = new Date()
  return {
    events: looked.filter(({ may_read }) => may_read).map((row) => eventOf(row, at, sign)),
    place: last === undefined ? after : { xid: last.xid, id: last.id },
  }
}

/** The rows whose bodies fit together, at least one. */
function fitting(found: readonly PageRow[], room: number): readonly PageRow[] {
  let left = room
  const beyond = found.findIndex(({ payload }, index) => {
    left -= payload.length
    return left < 0 && index > 0
  })
  return beyond === -1 ? found : found.slice(0, beyond)
}

function eventOf(
  { id, event_type, message_id, payload }: PageRow,
  at: Date,
  sign: SignMessage | undefined,
): PulledEvent {
  const letter = { deliveryId: id, messageId: message_id, eventType: event_type, payload, attempt: 1 }
  const named = [...OWN_HEADERS.flat(), ...headersOf(letter, at, sign)]
  const headers: Record<string, string> = {}
  for (let index = 0; index + 1 < named.length; index += 2)
    headers[named[index] ?? ''] = named[index + 1] ?? ''
  return { id, headers, body: payload }
}

/** Returns what signs for the endpoint. Undefined when it does not sign. */
async function openEndpoint(
  sealing: Sealing,
  { endpointId, userId }: Asked,
): Promise<SignMessage | undefined> {
  const [known] = await rows(sealing.em, ENDPOINT({ id: endpointId, userId }))
  if (known === undefined) throw refuse('not_found')
  if (known.kind !== 'pull')
    throw refuse('conflict', { detail: 'this is a push endpoint: only a pull endpoint has events to read' })
  if (!known.enabled) throw refuse('conflict', { detail: 'the endpoint is disabled' })
  const { sealed_signing_keys: sealed } = known
  if (sealed === null) return undefined
  try {
    return messageSigner(openSigningKeys(sealing.masterKey, endpointId, sealed))
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error
    await refuseIfChanged(sealing)
    throw refuse('conflict', { detail: 'the stored signing key cannot be opened: rotate it' })
  }
}

const ENDPOINT = statement(
  {
    kind: TABLES.webhook_endpoints.kind,
    enabled: bool,
    sealed_signing_keys: nullable(bytes),
  },
  ({ id, userId }: { id: string; userId: string }) => sql`
  SELECT kind, enabled, sealed_signing_keys FROM webhook_endpoints WHERE id = ${id} AND user_id = ${userId}`,
)

type PageRow = RowFrom<typeof PAGE>

/** Those that were cancelled unread are left out. Index: webhook_deliveries_pull. */
export const PAGE = statement(
  {
    xid: text,
    id: text,
    event_type: text,
    message_id: text,
    payload: text,
    is_new: bool,
    may_read: bool,
  },
  ({ endpointId, xid, id, limit }: { endpointId: string; limit: number } & CommitPlace) => sql`
  SELECT d.pull_xid::text AS xid, d.id, d.event_type, d.message_id, d.payload, d.status = 'pending' AS is_new,
         ${MAY_READ} AS may_read
    FROM webhook_deliveries d LEFT JOIN items i ON i.id = d.resource_id
   WHERE d.endpoint_id = ${endpointId} AND d.status <> 'cancelled'
     AND ${committedBeyond({ alias: 'd', xid: 'pull_xid', id: 'id' }, sql`(${xid}::text::xid8, ${id})`)}
   ORDER BY d.pull_xid, d.id
   LIMIT ${limit}`,
)

/**
 * Records the first answer. Skips rows that another reader, or a deletion, has locked: it records them itself. Nobody
 * waits for anybody, so readers side by side cannot wait for each other for ever.
 */
const TELL = statement(
  { id: text },
  ({ endpointId, ids }: { endpointId: string; ids: readonly string[] }) => sql`
  WITH fresh AS (
    SELECT d.id, d.resource_id FROM webhook_deliveries d
     WHERE d.id = ANY (${ids}::text[]) AND d.status = 'pending' FOR NO KEY UPDATE SKIP LOCKED),
  told AS (
    UPDATE webhook_deliveries d
       SET status = CASE WHEN ${MAY_READ} THEN 'success' ELSE 'cancelled' END,
           error = CASE WHEN ${MAY_READ} THEN NULL ELSE ${WITHHELD.error} END,
           attempts = 1, first_attempt_at = pharos_now(), last_attempt_at = pharos_now(), completed_at = pharos_now(),
           updated_at = pharos_now()
      FROM fresh f LEFT JOIN items i ON i.id = f.resource_id
     WHERE d.id = f.id
    RETURNING d),
  news AS (${tellListeners('delivery.updated', 'told')})
  UPDATE webhook_endpoints e SET last_success_at = pharos_now()
   WHERE e.id = ${endpointId} AND EXISTS (SELECT FROM told WHERE (d).status = 'success')
  RETURNING e.id`,
)
