// Watches every connection, from before it joins the namespace: unsent data, incoming frames and failed handshakes.
import type { IncomingMessage } from 'node:http'
import { connectionLimits } from '../../../shared/wire/console_stream.ts'
import type { SocketPlace } from '../../admission/places.ts'
import type { Plan } from '../../domain/accounts/plan.ts'
import type { Log } from '../../kernel/log.ts'
import {
  cutOff,
  type EngineConnection,
  hangUp,
  isGone,
  meterUnsent,
  onControlFrame,
} from './engine_connection.ts'
import type { CountEvent, Timing } from './session.ts'
import { type SlidingWindow, slidingWindow } from './stream_outlet.ts'

type CutReason = 'slow_reader' | 'flood'

interface Guarded {
  readonly connection: EngineConnection
  readonly meter: ReturnType<typeof meterUnsent>
  readonly frames: SlidingWindow
  readonly place: SocketPlace
  tries: number
  /** True while a handshake runs. */
  trying: boolean
  cut: boolean
  /** Ends the session. Undefined until there is one. */
  end: ((reason: CutReason) => void) | undefined
}

/** Ten times as many frames as a client needs to use all its commands, so no correct client reaches this limit. */
const FRAMES = connectionLimits.commands * 10
const TRIES = 5

export function guardConnections({
  count,
  log,
  timing,
  enter,
}: {
  count: CountEvent
  log: Log
  timing: Pick<Timing, 'join' | 'ending'>
  /** Counts a connection until it ends. */
  enter: (request: IncomingMessage) => SocketPlace
}) {
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
    count('connections_cut_off')
    // Deferred, because Engine.IO may be sending or receiving on this connection when it calls this function.
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
    /** Must be called for every connection before anything else happens to it. */
    watch: (connection: EngineConnection): void => {
      const entry = entryOf(connection)
      const take = (): void => {
        if (entry.frames.take(performance.now())) return
        // Removing the listeners also skips the rest of this payload, which may be thousands of packets.
        connection.removeAllListeners('data')
        cut(entry, 'flood')
      }
      connection.on('packet', take)
      onControlFrame(connection, take)
      // Socket.IO closes the connection too, but with polling it waits half a minute for a client that does not poll.
      const late = setTimeout(() => {
        if (entry.end === undefined) cutOff(connection)
      }, timing.join + timing.ending)
      connection.once('close', () => {
        clearTimeout(late)
        entry.meter.close()
        entry.place.leave()
        guarded.delete(connection)
        // ws would wait half a minute for the peer's closing frame, and keep the TCP
        // connection open during that time.
        setTimeout(() => cutOff(connection), timing.ending).unref()
      })
    },
    /**
     * Returns the number of this attempt, or 0 when it is refused. A connection may run one attempt at a time and only
     * a few in total, because each costs queries.
     */
    mayTry: (connection: EngineConnection): number => {
      const entry = entryOf(connection)
      if (entry.trying || entry.end !== undefined || entry.tries >= TRIES) return 0
      entry.tries += 1
      entry.trying = true
      return entry.tries
    },
    /** Returns false when the account has as many connections as its plan allows. */
    claim: (connection: EngineConnection, userId: string, plan: Plan) =>
      entryOf(connection).place.claim(userId, plan),
    failed: (connection: EngineConnection) => {
      entryOf(connection).trying = false
    },
    joined: (connection: EngineConnection, end: (reason: CutReason) => void) => {
      Object.assign(entryOf(connection), { trying: false, end })
    },
    /** Checks the unsent data of every connection. Some of it changes without an event, so this must run regularly. */
    sweep: () => {
      for (const entry of guarded.values()) check(entry)
    },
    /** Ends every connection. A peer that does not answer in time is cut off. */
    hangUpAll: async (): Promise<void> => {
      const connections = [...guarded.keys()]
      for (const connection of connections) hangUp(connection)
      const deadline = performance.now() + timing.ending
      while (performance.now() < deadline && !connections.every(isGone))
        await new Promise((resolve) => setTimeout(resolve, 10))
      for (const connection of connections) cutOff(connection)
    },
  })
}
