// The commands of the console stream: subscribe, unsubscribe, switch_team, token.refresh.
import type { EntityManager } from '@mikro-orm/postgresql'
import { normalizeUuid7 } from '../../../shared/proof/ids.ts'
import type { CommandName, StreamName } from '../../../shared/wire/console_stream.ts'
import { credentialEnd } from '../../domain/accounts/caller.ts'
import { keepsItems, readTeamId, resolveTenant } from '../../domain/accounts/tenant.ts'
import type { CatchUp } from '../../domain/beacons/catch_up.ts'
import type { FactReader } from '../../domain/ledger/facts.ts'
import {
  type DeliveryListeners,
  holdForListener,
} from '../../domain/webhooks/deliveries/delivery_listeners.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { Authenticate } from '../http/identify.ts'
import { startBeaconPump } from './beacon_pump.ts'
import { refusedWith, type StreamCommand } from './command.ts'
import type { Audience } from './fan_out.ts'
import { authenticateToken, HandshakeRefused, isStream, toldTeam } from './handshake.ts'
import type { CountEvent, FactStream, Session, Subscription } from './session.ts'
import { streamOutlet } from './stream_outlet.ts'

export interface StreamParts {
  readonly em: () => EntityManager
  /** Whoever attaches the stream starts its feed, and closes that after the stream. */
  readonly beacons: CatchUp
  readonly facts: FactReader
  readonly deliveryListeners: Pick<DeliveryListeners, 'listen'>
  readonly audience: Audience
  /** Scopes are checked here. */
  readonly authenticate: Authenticate
  readonly count: CountEvent
  readonly burstMs: number
}

/** The implementation of each command. Each replies exactly once or throws, unless the session has ended. */
export const commandTable = (parts: StreamParts): Readonly<Record<CommandName, StreamCommand>> =>
  Object.freeze({
    subscribe: async (session, input, reply) => {
      const stream = readStream(input.stream)
      if (stream === 'beacons') return subscribeBeacons(parts, session, readAfter(input.after), reply)
      if (input.after !== undefined)
        throw refuse('invalid_argument', { detail: 'only beacons resume after an id' })
      return subscribeFacts(parts, session, stream, reply)
    },
    unsubscribe: async (session, input, reply) => {
      const stream = readStream(input.stream)
      if (stream === 'beacons') session.stopBeacons()
      else {
        session.subscriptions.get(stream)?.close()
        session.subscriptions.delete(stream)
      }
      reply({ ok: true })
    },
    switch_team: async (session, { tenant: requested }, reply) => {
      if (requested === undefined) throw refuse('invalid_argument', { detail: 'tenant is required' })
      const tenant = await resolveTenant(parts.em(), session.caller.userId, readTeamId(requested))
      if (session.ended !== undefined) return
      session.tenant = tenant
      for (const subscription of session.subscriptions.values()) subscription.moveTo(tenant.id)
      reply({ ok: true, team: toldTeam(tenant) })
    },
    'token.refresh': async (session, { token }, reply) => {
      const caller = await authenticateToken(parts.authenticate, token)
      // The credential of another account is valid, but a session keeps its account.
      if (caller.userId !== session.caller.userId) throw new HandshakeRefused('unauthorized')
      const { endsAt } = await credentialEnd(parts.em(), caller)
      if (session.ended !== undefined) return
      session.caller = caller
      session.endsAt = endsAt
      session.warned = false
      const { expiresAt } = caller.credential
      reply({ ok: true, expires_at: expiresAt === null ? null : new Date(expiresAt).toISOString() })
    },
  } satisfies Record<CommandName, StreamCommand>)

async function subscribeBeacons(
  parts: StreamParts,
  session: Session,
  after: string | undefined,
  reply: Parameters<StreamCommand>[2],
): Promise<void> {
  const { beacons, count } = parts
  const { feed } = beacons
  const wanted = after === undefined ? undefined : await beacons.placeOf(after)
  if (after !== undefined && wanted === undefined)
    return reply({ ...refusedWith('unknown_beacon'), head: feed.head().beacon })
  if (session.ended !== undefined) return
  // All in one tick: the old pump stops, the client gets its answer, and the new pump starts.
  session.stopBeacons()
  if (wanted !== undefined) count('resumes')
  const head = feed.head()
  reply({ ok: true, head: head.beacon })
  session.beacons = startBeaconPump(
    beacons,
    { socket: session.socket, key: session.caller.userId },
    wanted ?? head,
  )
}

async function subscribeFacts(
  parts: StreamParts,
  session: Session,
  stream: FactStream,
  reply: Parameters<StreamCommand>[2],
): Promise<void> {
  if (session.subscriptions.has(stream)) return reply({ ok: true })
  // The reader gets its position before the client gets its answer, so no event after the answer is missed.
  const release = await (stream === 'webhook_deliveries'
    ? holdForListener(parts.facts, parts.deliveryListeners, session.caller.userId)
    : parts.facts.hold())
  if (session.ended !== undefined) return release()
  reply({ ok: true })
  session.subscriptions.set(stream, openSubscription(parts, session, stream, release))
}

function openSubscription(
  { audience, burstMs, count }: StreamParts,
  session: Session,
  stream: FactStream,
  release: () => void,
): Subscription {
  const { socket, counts } = session
  const outlet = streamOutlet({
    emit: (event, body) => void socket.emit(event, body),
    burstName: `${stream}.burst`,
    burstMs,
  })
  const keeps = (): boolean => keepsItems(session.tenant)
  const listen = (teamId: string) =>
    audience.add(stream, { teamId, userId: session.caller.userId, keeps, outlet })
  let leave = listen(session.tenant.id)
  return Object.freeze({
    moveTo: (teamId: string) => {
      if (stream === 'items') outlet.flush()
      leave()
      leave = listen(teamId)
    },
    close: () => {
      leave()
      release()
      outlet.close()
      const { events, summedUp, bursts } = outlet.sent()
      counts.events += events
      counts.summedUp += summedUp
      counts.bursts += bursts
      count('events', events)
      count('events_summed_up', summedUp)
      count('bursts', bursts)
    },
  })
}

function readStream(stream: unknown): StreamName {
  if (isStream(stream)) return stream
  if (typeof stream !== 'string') throw refuse('invalid_argument', { detail: 'stream is required' })
  throw refuse('unknown_stream')
}

function readAfter(after: unknown): string | undefined {
  if (after === undefined) return undefined
  const id = typeof after === 'string' ? normalizeUuid7(after) : undefined
  if (id === undefined) throw refuse('invalid_argument', { detail: 'after is the id of a beacon' })
  return id
}
