// The session of one admitted connection: its caller, its subscriptions, its durations, and how it ends.
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Socket } from 'socket.io'
import {
  connectionEvents,
  connectionLimits,
  type SessionEnded,
  type StreamName,
  type TokenExpired,
} from '../../../shared/wire/console_stream.ts'
import { type Caller, validCredentials } from '../../domain/accounts/caller.ts'
import { readTenants, type Tenant } from '../../domain/accounts/tenant.ts'
import type { BeaconPump } from './beacon_pump.ts'
import { cutOff, hangUp } from './engine_connection.ts'
import type { AdmittedCaller } from './handshake.ts'
import { slidingWindow } from './stream_outlet.ts'

export type FactStream = Exclude<StreamName, 'beacons'>

export interface Subscription {
  /** Moves the subscription from one team's audience to another's. Streams without a team stay unchanged. */
  readonly moveTo: (teamId: string) => void
  readonly close: () => void
}

/** These reasons are final: the client gets a message, and its library does not reconnect by itself. */
const FAREWELLS = {
  expired: { code: 'unauthorized', message: 'the credential has expired' },
  revoked: { code: 'unauthorized', message: 'the credential was revoked' },
  left_team: { code: 'forbidden_tenant', message: 'you are no longer a member of this team' },
} as const satisfies Record<string, SessionEnded>

type EndReason = keyof typeof FAREWELLS | 'slow_reader' | 'flood' | 'closed'

export class Session {
  readonly socket: Socket
  readonly openedAt = performance.now()
  readonly commandWindow = slidingWindow(connectionLimits.commands, connectionLimits.commands_window_ms)
  readonly subscriptions = new Map<FactStream, Subscription>()
  readonly counts = { commands: 0, beacons: 0, events: 0, summedUp: 0, bursts: 0 }
  caller: Caller
  tenant: Tenant
  /** The time when the credential ends, on the monotonic clock. */
  endsAt: number
  warned = false
  beacons: BeaconPump | undefined
  /** The commands of one connection run one after the other in this queue. */
  queue: Promise<void> = Promise.resolve()
  /** Set once. After that, nothing new starts for the session. */
  ended: EndReason | undefined
  readonly #timing: Timing

  constructor(socket: Socket, { caller, tenant, endsAt }: AdmittedCaller, timing: Timing) {
    this.socket = socket
    this.caller = caller
    this.tenant = tenant
    this.endsAt = endsAt
    this.#timing = timing
  }

  end(reason: EndReason): void {
    if (this.ended !== undefined) return
    this.ended = reason
    this.stopStreams()
    const { conn } = this.socket
    switch (reason) {
      case 'expired':
      case 'revoked':
      case 'left_team':
        this.socket.emit(connectionEvents.sessionEnded, FAREWELLS[reason])
        this.socket.disconnect(true)
        // Until then the final message may be sent.
        setTimeout(() => cutOff(conn), this.#timing.ending).unref()
        return
      case 'slow_reader':
      case 'flood':
        cutOff(conn)
        return
      case 'closed':
        hangUp(conn)
        return
      default:
        reason satisfies never
    }
  }

  /** Ends all subscriptions. Nothing is sent on any stream after this returns. */
  stopStreams(): void {
    this.stopBeacons()
    for (const subscription of this.subscriptions.values()) subscription.close()
    this.subscriptions.clear()
  }

  /** Ends the subscription to beacons, if there is one, and adds its count to the session. */
  stopBeacons(): void {
    this.beacons?.stop()
    this.counts.beacons += this.beacons?.sent() ?? 0
    this.beacons = undefined
  }

  /** Warns once, `timing.expiryWarning` before the credential expires, and ends the session when it does. */
  watchExpiry(): void {
    const left = this.endsAt - performance.now()
    if (left <= 0) this.end('expired')
    if (left <= 0 || this.warned || left > this.#timing.expiryWarning) return
    this.warned = true
    const { expiresAt } = this.caller.credential
    if (expiresAt === null) return
    const body: TokenExpired = { expires_at: new Date(expiresAt).toISOString() }
    this.socket.emit(connectionEvents.tokenExpired, body)
  }
}

/** Every duration of the console stream, in milliseconds. */
export const TIMING = {
  /** Time for a connection to join the namespace, after which it is closed. Slightly longer than a handshake. */
  join: 6_000,
  /** Time to look up the credential of a handshake. After it, the answer is `database_unavailable`. */
  handshake: 5_000,
  pingInterval: 25_000,
  pingTimeout: 20_000,
  /** Interval between checks of unsent data and expiry. */
  sweep: 1_000,
  /** Time between `token.expired` and the end of the credential. */
  expiryWarning: 30_000,
  /** Interval between checks for revoked credentials and lost memberships. A revoked session ends within 60 s. */
  credentials: 30_000,
  /** Time from a notice about accounts to the check. Notices that arrive meanwhile share it. */
  credentialsNotice: 1_000,
  /** Time until the next check after a failed one. */
  credentialsRetry: 5_000,
  /** Interval between reads of facts while anybody listens. A poke also starts a read. */
  facts: 1_000,
  /** Time over which events above the rate are summed up. */
  burst: 1_000,
  /** Time for a connection to end after it was closed, and for the whole stop of a server. */
  ending: 1_000,
} as const

export type Timing = { readonly [name in keyof typeof TIMING]: number }

/**
 * Ends sessions whose credential or membership has ended, and updates roles. Runs two queries for all sessions of a
 * server. A session that changed its credential or team during the queries is skipped until the next time, because the
 * result does not apply to it.
 */
export async function watchCredentials(em: EntityManager, sessions: ReadonlySet<Session>): Promise<void> {
  const judged = [...sessions].map((session) => ({ session, caller: session.caller, tenant: session.tenant }))
  if (judged.length === 0) return
  const valid = await validCredentials(
    em,
    judged.map(({ caller }) => caller.credential),
  )
  const members = await readTenants(
    em,
    judged.map(({ caller, tenant }) => ({ userId: caller.userId, teamId: tenant.id })),
  )
  const standing = new Map(members.map(({ userId, tenant }) => [pairOf(userId, tenant.id), tenant]))
  for (const { session, caller, tenant } of judged) {
    const now = standing.get(pairOf(caller.userId, tenant.id))
    if (session.caller === caller && !valid.has(caller.credential.id)) session.end('revoked')
    else if (session.tenant !== tenant) continue
    else if (now === undefined) session.end('left_team')
    else session.tenant = now
  }
}

const pairOf = (userId: string, teamId: string): string => `${userId} ${teamId}`

/** What is counted of one server's console stream, by the names that `/metrics` has for it. */
export const COUNTED_EVENTS = [
  'connections_opened',
  'connections_ended',
  'connections_cut_off',
  'handshakes_refused',
  'connections_turned_away',
  'commands',
  'commands_refused',
  'resumes',
  'beacons_caught_up',
  'beacons_broadcast',
  'events',
  'events_summed_up',
  'bursts',
] as const

export type CountEvent = (event: (typeof COUNTED_EVENTS)[number], by?: number) => void
