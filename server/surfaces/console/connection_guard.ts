// Watches every connection below the namespace, let in or not: what it leaves unread, how much it sends, how often it tries.

import type { IncomingMessage } from 'node:http'
import { connectionLimits } from '../../../shared/wire/console_stream.ts'
import type { Plan } from '../../domain/accounts/plan.ts'
import type { Log } from '../../kernel/log.ts'
import type { Place } from '../http/socket_places.ts'
import type { Counters } from './counters.ts'
import {
  cutOff,
  type EngineConnection,
  hangUp,
  isGone,
  meterUnsent,
  onControlFrame,
  type UnsentMeter,
} from './engine_connection.ts'
import { type SlidingWindow, slidingWindow } from './sliding_window.ts'

type CutReason = 'slow_reader' | 'flood'

interface Guarded {
  readonly connection: EngineConnection
  readonly meter: UnsentMeter
  readonly frames: SlidingWindow
  readonly place: Place
  tries: number
  /** A handshake is under way. */
  trying: boolean
  cut: boolean
  /** Ends the session, once there is one. */
  end: ((reason: CutReason) => void) | undefined
}

export interface ConnectionGuard {
  /** Every connection comes here before anything else happens to it. */
  readonly watch: (connection: EngineConnection) => void
  readonly count: () => number
  /** The how-manieth try it is, 0 for no. One at a time, and not for ever: every one of them costs queries. */
  readonly mayTry: (connection: EngineConnection) => number
  /** False when the account has as many connections as its plan allows. */
  readonly claim: (connection: EngineConnection, userId: string, plan: Plan) => boolean
  readonly failed: (connection: EngineConnection) => void
  readonly joined: (connection: EngineConnection, end: (reason: CutReason) => void) => void
  /** Looks at what every connection has unsent, the part that no event tells included. */
  readonly sweep: () => void
  /** Ends every connection; whoever does not answer in time is cut off. */
  readonly hangUpAll: () => Promise<void>
}

/** Ten times what a client needs that uses up its commands: nobody comes here by mistake. */
const FRAMES = connectionLimits.commands * 10
const TRIES = 5

/** `joinMs`: who has not joined by then is cut off. `endingMs`: so long the peer may take to answer that we hang up. `enter`: counts a connection until it ends. */
export function guardConnections({
  counters,
  log,
  joinMs,
  endingMs,
  enter,
}: {
  counters: Counters
  log: Log
  joinMs: number
  endingMs: number
  enter: (request: IncomingMessage) => Place
}): ConnectionGuard {
  const guarded = new Map<EngineConnection, Guarded>()
  const entryOf = (connection: EngineConnection): Guarded => {
    const known = guarded.get(connection)
    if (known !== undefined) return known
    const entry: Guarded = {
      connection,
      meter: meterUnsent(connection, () => check(entry)),
      frames: slidingWindow(FRAMES, connectionLimits.commands_window_ms),
      place: enter(connection.request),
      tries: 0,
      trying: false,
      cut: false,
      end: undefined,
    }
    guarded.set(connection, entry)
    return entry
  }

  const cut = (entry: Guarded, reason: CutReason): void => {
    if (entry.cut) return
    entry.cut = true
    counters.connections_cut_off += 1
    // Not from within: we are called while Engine.IO sends or receives on this very connection.
    setImmediate(() => {
      if (entry.end !== undefined) return entry.end(reason)
      log.info({ reason, address: entry.connection.remoteAddress }, 'stream.connection_cut_off')
      cutOff(entry.connection)
    })
  }

  const check = (entry: Guarded): void => {
    if (entry.meter.bytes() > connectionLimits.unsent_bytes) cut(entry, 'slow_reader')
  }

  return Object.freeze({
    count: () => guarded.size,
    watch: (connection: EngineConnection) => {
      const entry = entryOf(connection)
      const take = (): void => {
        if (entry.frames.take(performance.now())) return
        // The rest of the same payload, thousands of packets perhaps, is not even looked at.
        connection.removeAllListeners('data')
        cut(entry, 'flood')
      }
      connection.on('packet', take)
      onControlFrame(connection, take)
      // Socket.IO closes it too, but on polling that waits half a minute for a client that does not poll.
      const late = setTimeout(() => {
        if (entry.end === undefined) cutOff(connection)
      }, joinMs + endingMs)
      connection.once('close', () => {
        clearTimeout(late)
        entry.meter.close()
        entry.place.leave()
        guarded.delete(connection)
        // ws would wait half a minute for the peer's closing frame, and hold the TCP connection so long.
        setTimeout(() => cutOff(connection), endingMs).unref()
      })
    },
    mayTry: (connection: EngineConnection) => {
      const entry = entryOf(connection)
      if (entry.trying || entry.end !== undefined || entry.tries >= TRIES) return 0
      entry.tries += 1
      entry.trying = true
      return entry.tries
    },
    claim: (connection: EngineConnection, userId: string, plan: Plan) =>
      entryOf(connection).place.claim(userId, plan),
    failed: (connection: EngineConnection) => {
      entryOf(connection).trying = false
    },
    joined: (connection: EngineConnection, end: (reason: CutReason) => void) => {
      Object.assign(entryOf(connection), { trying: false, end })
    },
    sweep: () => {
      for (const entry of guarded.values()) check(entry)
    },
    hangUpAll: async () => {
      const connections = [...guarded.keys()]
      for (const connection of connections) hangUp(connection)
      const deadline = performance.now() + endingMs
      while (performance.now() < deadline && !connections.every(isGone))
        await new Promise((resolve) => setTimeout(resolve, 10))
      for (const connection of connections) cutOff(connection)
    },
  })
}
