// Tickets: authorization codes, refresh tokens and authorization requests that wait for the person. Stored by the
// SHA-256 of what names them, valid by the database's clock, and used once whichever server is asked.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { bool, float8, text } from '../../store/columns.ts'
import type { TABLES } from '../../store/database.ts'
import { change, rows } from '../../store/run.ts'
import { command, statement } from '../../store/statement.ts'
import { secretHash } from './secret_hash.ts'
import { type Found, type Payload, readPayload } from './stored_payload.ts'

export type TicketKind = NonNullable<(typeof TABLES.oauth_tickets.kind)['read']>

export interface NewTicket {
  readonly kind: TicketKind
  /** The secret that names it. */
  readonly id: string
  readonly grantId: string | null
  /** The session that it ends with, if it does. */
  readonly sessionId: string | null
  readonly payload: Payload
  readonly seconds: number
}

interface Named {
  readonly kind: TicketKind
  readonly id: string
}

const named = ({ kind, id }: Named) => ({ kind, hash: secretHash(id) })

/** Stores it, or changes its payload and its end. @throws a foreign key violation when the grant or session is gone */
export async function saveTicket(
  { em }: { em: EntityManager },
  { kind, id, payload, ...rest }: NewTicket,
): Promise<void> {
  await change(em, SAVE({ ...named({ kind, id }), ...rest, payload: JSON.stringify(payload) }))
}

const SAVE = command(
  (
    ticket: Omit<NewTicket, 'id' | 'payload'> & { readonly hash: Uint8Array; readonly payload: string },
  ) => sql`
  INSERT INTO oauth_tickets (kind, id_hash, grant_id, session_id, payload, expires_at)
  VALUES (${ticket.kind}, ${ticket.hash}, ${ticket.grantId}, ${ticket.sessionId}, ${ticket.payload},
          pharos_now() + ${ticket.seconds}::float8 * interval '1 second')
  ON CONFLICT (kind, id_hash) DO UPDATE SET payload = EXCLUDED.payload, expires_at = EXCLUDED.expires_at`,
)

/** The most used refresh tokens of a grant that are kept to be noticed when they are used again. */
const USED_KEPT = 100

/**
 * Forgets the oldest used refresh tokens of a grant, so that a client that refreshes all the time fills no table.
 * Index: oauth_tickets_grant.
 */
export async function forgetOldTickets({ em }: { em: EntityManager }, grantId: string): Promise<void> {
  await change(em, FORGET_OLD({ grantId }))
}

const FORGET_OLD = command(
  ({ grantId }: { grantId: string }) => sql`
  DELETE FROM oauth_tickets WHERE kind = 'refresh_token' AND id_hash = ANY (ARRAY(
    SELECT id_hash FROM oauth_tickets
     WHERE grant_id = ${grantId} AND kind = 'refresh_token' AND consumed_at IS NOT NULL
     ORDER BY consumed_at DESC OFFSET ${USED_KEPT} LIMIT ${USED_KEPT}))`,
)

/** Index: oauth_tickets_pkey. */
export async function findTicket({ em }: { em: EntityManager }, ticket: Named): Promise<Found | undefined> {
  const [row] = await rows(em, FIND(named(ticket)))
  return row === undefined
    ? undefined
    : { payload: readPayload(row.payload), isConsumed: row.is_consumed, leftSeconds: row.left_seconds }
}

const FIND = statement(
  { payload: text, is_consumed: bool, left_seconds: float8 },
  ({ kind, hash }: { kind: TicketKind; hash: Uint8Array }) => sql`
  SELECT payload, consumed_at IS NOT NULL AS is_consumed,
         ceil(extract(epoch FROM expires_at - pharos_now()))::float8 AS left_seconds
    FROM oauth_tickets WHERE kind = ${kind} AND id_hash = ${hash} AND expires_at > pharos_now()`,
)

/**
 * Uses a code or refresh token up. Of several uses at once, on any servers, one gets true. Each other one is a sign
 * that the ticket was stolen: it ends the grant with everything that came from it, and gets false.
 */
export async function consumeTicket({ em }: { em: EntityManager }, ticket: Named): Promise<boolean> {
  if ((await change(em, CONSUME(named(ticket)))) === 1) return true
  await change(em, END_FAMILY(named(ticket)))
  return false
}

const CONSUME = command(
  ({ kind, hash }: { kind: TicketKind; hash: Uint8Array }) => sql`
  UPDATE oauth_tickets SET consumed_at = pharos_now()
   WHERE kind = ${kind} AND id_hash = ${hash} AND consumed_at IS NULL AND expires_at > pharos_now()`,
)

const END_FAMILY = command(
  ({ kind, hash }: { kind: TicketKind; hash: Uint8Array }) => sql`
  DELETE FROM oauth_grants
   WHERE id = (SELECT grant_id FROM oauth_tickets WHERE kind = ${kind} AND id_hash = ${hash})`,
)

export async function deleteTicket({ em }: { em: EntityManager }, ticket: Named): Promise<void> {
  await change(em, DELETE(named(ticket)))
}

const DELETE = command(
  ({ kind, hash }: { kind: TicketKind; hash: Uint8Array }) => sql`
  DELETE FROM oauth_tickets WHERE kind = ${kind} AND id_hash = ${hash}`,
)

/** Index: oauth_tickets_grant. */
export async function deleteTicketsOf(
  { em }: { em: EntityManager },
  { kind, grantId }: { readonly kind: TicketKind; readonly grantId: string },
): Promise<void> {
  await change(em, DELETE_OF({ kind, grantId }))
}

const DELETE_OF = command(
  ({ kind, grantId }: { kind: TicketKind; grantId: string }) => sql`
  DELETE FROM oauth_tickets WHERE grant_id = ${grantId} AND kind = ${kind}`,
)
