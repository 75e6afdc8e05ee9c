// One connection that has been let in: whose it is, what it subscribes to, and how it ends.
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
import { type SlidingWindow, slidingWindow } from './sliding_window.ts'
import type { StreamOutlet } from './stream_outlet.ts'

export type FactStream = Exclude<StreamName, 'beacons'>

export interface Subscription {
  readonly outlet: StreamOutlet
  /** Leaves the audience of one team and joins that of another; streams that belong to no team stay as they are. */
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
  /** When the credential ends, on the monotonic clock. */
  endsAt: number
  warned: boolean
  beacons: BeaconPump | undefined
  /** Commands of one connection run one after the other. */
  queue: Promise<void>
  /** Set once; nothing is begun for the session afterwards. */
  ended: EndReason | undefined
}

/** For good: the client is told, and its library does not reconnect by itself. */
const FAREWELLS = {
  expired: { code: 'unauthorized', message: 'the credential has expired' },
  revoked: { code: 'unauthorized', message: 'the credential was revoked' },
  left_team: { code: 'forbidden_tenant', message: 'you are no longer a member of this team' },
} as const satisfies Record<string, SessionEnded>

export type EndReason = keyof typeof FAREWELLS | 'slow_reader' | 'flood' | 'closed'

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

/** `graceMs`: so long the closing words may take; after that the connection is cut off. */
export function endSession(session: Session, reason: EndReason, graceMs: number): void {
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

/** Nothing of any stream is sent once this returns. */
export function stopStreams(session: Session): void {
  stopBeacons(session)
  for (const subscription of session.subscriptions.values()) subscription.close()
  session.subscriptions.clear()
}

export function stopBeacons(session: Session): void {
  session.beacons?.stop()
  session.counts.beacons += session.beacons?.sent() ?? 0
  session.beacons = undefined
}
