// The session of one admitted connection: its caller, its subscriptions, and how it ends.
import type { Socket } from 'socket.io'
import {
  connectionEvents,
  connectionLimits,
  type SessionEnded,
  type StreamName,
} from '../../../shared/wire/console_stream.ts'
import type { Caller } from '../../domain/accounts/caller.ts'
import type { Tenant } from '../../domain/accounts/tenant.ts'
import type { BeaconPump } from './beacon_pump.ts'
import { cutOff, type EngineConnection, hangUp } from './engine_connection.ts'
import { type SlidingWindow, type StreamOutlet, slidingWindow } from './stream_outlet.ts'

export type FactStream = Exclude<StreamName, 'beacons'>

export interface Subscription {
  readonly outlet: StreamOutlet
  /** Moves the subscription from one team's audience to another's. Streams without a team stay unchanged. */
  readonly moveTo: (teamId: string) => void
  readonly close: () => void
}

export interface Session {
  readonly socket: Socket
  readonly connection: EngineConnection
  readonly openedAt: number
  readonly commandWindow: SlidingWindow
  readonly subscriptions: Map<FactStream, Subscription>
  readonly counts: { commands: number; beacons: number; events: number; summedUp: number; bursts: number }
  caller: Caller
  tenant: Tenant
  /** The time when the credential ends, on the monotonic clock. */
  endsAt: number
  warned: boolean
  beacons: BeaconPump | undefined
  /** The commands of one connection run one after the other in this queue. */
  queue: Promise<void>
  /** Set once. After that, nothing new starts for the session. */
  ended: EndReason | undefined
}

/** These reasons are final: the client gets a message, and its library does not reconnect by itself. */
const FAREWELLS = {
  expired: { code: 'unauthorized', message: 'the credential has expired' },
  revoked: { code: 'unauthorized', message: 'the credential was revoked' },
  left_team: { code: 'forbidden_tenant', message: 'you are no longer a member of this team' },
} as const satisfies Record<string, SessionEnded>

type EndReason = keyof typeof FAREWELLS | 'slow_reader' | 'flood' | 'closed'

export const newSession = (
  parts: Pick<Session, 'socket' | 'connection' | 'caller' | 'tenant' | 'endsAt'>,
): Session => ({
  ...parts,
  openedAt: performance.now(),
  commandWindow: slidingWindow(connectionLimits.commands, connectionLimits.commands_window_ms),
  subscriptions: new Map(),
  counts: { commands: 0, beacons: 0, events: 0, summedUp: 0, bursts: 0 },
  warned: false,
  beacons: undefined,
  queue: Promise.resolve(),
  ended: undefined,
})

/** @param graceMs time for the final message to be sent; after it the connection is cut off */
export function endStreamSession(session: Session, reason: EndReason, graceMs: number): void {
  if (session.ended !== undefined) return
  session.ended = reason
  stopStreams(session)
  const { socket, connection } = session
  switch (reason) {
    case 'expired':
    case 'revoked':
    case 'left_team':
      socket.emit(connectionEvents.sessionEnded, FAREWELLS[reason])
      socket.disconnect(true)
      setTimeout(() => cutOff(connection), graceMs).unref()
      return
    case 'slow_reader':
    case 'flood':
      cutOff(connection)
      return
    case 'closed':
      hangUp(connection)
      return
    default:
      reason satisfies never
  }
}

/** Ends all subscriptions. Nothing is sent on any stream after this returns. */
export function stopStreams(session: Session): void {
  stopBeacons(session)
  for (const subscription of session.subscriptions.values()) subscription.close()
  session.subscriptions.clear()
}

/** Ends the subscription to beacons, if there is one, and adds its count to the session. */
export function stopBeacons(session: Session): void {
  session.beacons?.stop()
  session.counts.beacons += session.beacons?.sent() ?? 0
  session.beacons = undefined
}
