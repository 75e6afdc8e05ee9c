// The deliveries of a pull endpoint as its reader gets them: in the order in which they were committed, as often as asked, from
// the place on that the reader keeps as a text.
import { sql } from 'kysely'
import { refuse } from '../../../kernel/refusal.ts'
import { unlessBroken } from '../../../kernel/sealed.ts'
import { bool, bytes, nullable, text } from '../../../store/columns.ts'
import { type CommitPlace, committedBeyond, isBeyondCounter } from '../../../store/commit_order.ts'
import { TABLES } from '../../../store/database.ts'
import { refuseIfChanged, type Sealing } from '../../../store/seal.ts'
import { preparedStatement, type RowFrom, rows, type Sql } from '../../../store/statement.ts'
import { messageSigner, openSigningKeys, type SignMessage } from '../endpoints/signing_keys.ts'
import { headersOf, OWN_HEADERS } from '../sending/attempt.ts'
import { MAY_READ } from '../sending/due_deliveries.ts'
import type { RecordRead } from './record_read.ts'

/** Deliveries of one answer. */
export const MOST_EVENTS = 250

export interface ReadingEvents extends Sealing {
  readonly recordRead: RecordRead
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
export async function readEvents({ em, masterKey, recordRead }: ReadingEvents, asked: Asked, room: number) {
  const { endpointId } = asked
  const { sign, after, hasMore } = await openEndpoint({ em, masterKey }, asked)
  const found = hasMore ? await rows(em, PAGE({ endpointId, ...after, limit: MOST_EVENTS })) : []
  const looked = fitting(found, room)
  const fresh = looked.filter(({ is_new }) => is_new)
  // The database records while this thread signs.
  const recorded = fresh.length > 0 ? recordRead(fresh) : undefined
  const last = looked.at(-1)
  const at = new Date()
  const page = {
    events: looked.filter(({ may_read }) => may_read).map((row) => eventOf(row, at, sign)),
    /** The place after the last delivery that was looked at. */
    place: last === undefined ? after : { xid: last.xid, id: last.id },
  }
  await recorded
  return page
}

export type PulledPage = Awaited<ReturnType<typeof readEvents>>

/** The rows whose bodies fit together, at least one. */
function fitting(found: readonly PageRow[], room: number): readonly PageRow[] {
  let left = room
  const beyond = found.findIndex(({ payload }, index) => {
    left -= payload.length
    return left < 0 && index > 0
  })
  return beyond === -1 ? found : found.slice(0, beyond)
}

/** One delivery, as it would be posted. */
function eventOf(row: PageRow, at: Date, sign: SignMessage | undefined) {
  const named = [...OWN_HEADERS.flat(), ...headersOf(row, at, sign)]
  const headers: Record<string, string> = {}
  for (let index = 0; index + 1 < named.length; index += 2)
    headers[named[index] ?? ''] = named[index + 1] ?? ''
  return {
    /** Of the delivery. */
    id: row.id,
    headers,
    /** The bytes of the request, as text. */
    body: row.payload,
  }
}

export type PulledEvent = ReturnType<typeof eventOf>

/** `hasMore`: most requests find nothing, and cost no more than this look. `sign` is undefined when it does not sign. */
async function openEndpoint(sealing: Sealing, asked: Asked) {
  const [known] = await rows(sealing.em, ENDPOINT({ ...asked, ...asked.after }))
  if (known === undefined) throw refuse('not_found')
  if (known.kind !== 'pull')
    throw refuse('conflict', { detail: 'this is a push endpoint: only a pull endpoint has events to read' })
  if (!known.enabled) throw refuse('conflict', { detail: 'the endpoint is disabled' })
  const sign = await signerOf(sealing, asked.endpointId, known.sealed_signing_keys)
  if (known.is_elsewhere) return { sign, after: pullPlace.beginning, hasMore: true }
  return { sign, after: asked.after, hasMore: known.has_more }
}

async function signerOf(
  sealing: Sealing,
  endpointId: string,
  sealed: Buffer | null,
): Promise<SignMessage | undefined> {
  if (sealed === null) return undefined
  const keys = unlessBroken(() => openSigningKeys(sealing.masterKey, endpointId, sealed))
  if (keys !== undefined) return messageSigner(keys)
  await refuseIfChanged(sealing)
  throw refuse('conflict', { detail: 'the stored signing key cannot be opened: rotate it' })
}

const ENDPOINT = preparedStatement(
  {
    kind: TABLES.webhook_endpoints.kind,
    enabled: bool,
    sealed_signing_keys: nullable(bytes),
    is_elsewhere: bool,
    has_more: bool,
  },
  ({ endpointId, userId, xid, id }: { endpointId: string; userId: string } & CommitPlace) => sql`
  SELECT e.kind, e.enabled, e.sealed_signing_keys, ${isBeyondCounter(sql`${xid}::text::xid8`)} AS is_elsewhere,
         EXISTS (SELECT FROM webhook_deliveries d
                  WHERE d.endpoint_id = e.id AND ${unreadBeyond(sql`(${xid}::text::xid8, ${id})`)}) AS has_more
    FROM webhook_endpoints e WHERE e.id = ${endpointId} AND e.user_id = ${userId}`,
)

type PageRow = RowFrom<typeof PAGE>

/** The deliveries `d` of an endpoint beyond a place. Those that were cancelled unread are left out. */
export const unreadBeyond = (place: Sql): Sql =>
  sql`d.status <> 'cancelled' AND ${committedBeyond({ alias: 'd', xid: 'pull_xid', id: 'id' }, place)}`

/** Index: webhook_deliveries_pull. */
export const PAGE = preparedStatement(
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
   WHERE d.endpoint_id = ${endpointId} AND ${unreadBeyond(sql`(${xid}::text::xid8, ${id})`)}
   ORDER BY d.pull_xid, d.id
   LIMIT ${limit}`,
)

/** Base64url of a transaction's number and a delivery's id. */
const WRITTEN = /^(\d{1,20})\.([0-9a-f-]{0,36})$/

const MOST_XID = 2n ** 64n - 1n

/** Characters of the longest one. */
export const PLACE_LENGTH = 76

/**
 * Where a reader is, as the text that it keeps. What it says concerns that reader alone, so it is not authenticated.
 */
export const pullPlace = Object.freeze({
  /** Before everything that is kept. */
  beginning: { xid: '0', id: '' } as const satisfies CommitPlace,
  write: ({ xid, id }: CommitPlace): string => Buffer.from(`${xid}.${id}`).toString('base64url'),
  /** Undefined for a text that no reader was given. */
  read: (text: string): CommitPlace | undefined => {
    if (text.length > PLACE_LENGTH) return undefined
    const [, xid, id] = WRITTEN.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? []
    if (xid === undefined || id === undefined || BigInt(xid) > MOST_XID) return undefined
    return { xid, id }
  },
})
