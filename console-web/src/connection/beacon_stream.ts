// Keeps one connection to the console stream, and resumes after the newest beacon in the list.
import type { Socket } from 'socket.io-client'
import {
  BEACON_CREATED,
  type Beacon,
  CHAIN_REPLACED,
  commands,
  connectionEvents,
  type SubscribeCommand,
} from '../../../shared/wire/console_stream.ts'
import { ApiFailure, messageOf } from '../data/api_failure.ts'
import { pause, retryDelay } from '../data/retry_schedule.ts'
import { isJsonObject, numberAt, objectAt, textAt } from '../data/shape.ts'
import { readBeacon } from './read_beacon.ts'

export type Connection =
  | { readonly phase: 'connecting' | 'catching_up' | 'live' }
  | { readonly phase: 'offline'; readonly retryAt: number | null; readonly why: string }

export type StreamPorts = {
  /**
   * Returns a new, unconnected socket of the namespace. Called once per session. `failures` is the number of
   * failed attempts since the last success.
   * @throws ApiFailure when there is no credential to connect with now
   */
  readonly open: (failures: number) => Promise<Socket>
  /** The id to resume after. Loads the first page when the list is empty. */
  readonly resumeAfter: () => Promise<string | null>
  /**
   * Called after the server's welcome on this socket. Others may use the socket from then on. The returned
   * function is called when the connection ends.
   */
  readonly joined?: (socket: Socket, welcome: unknown) => () => void
  /** The longest wait between two attempts, unless the server asks for a longer one. */
  readonly longestWaitMs?: () => number
  /** Called when the subscription stands. The beacons up to `head` follow, then live ones. */
  readonly subscribed: (head: Beacon | null) => void
  readonly received: (beacon: Beacon) => void
  /**
   * The chain was replaced, or the server does not have the newest beacon of the list. The list must be
   * emptied. `lost` is the newest beacon that the server had sent, null when only this page remembers one.
   * `head` is the newest beacon of the new chain.
   */
  readonly startAnew: (lost: Beacon | null, head: Beacon | null) => void
  readonly changed: (connection: Connection) => void
  /** The server refused the credential. True when there is another one, with which the stream goes on. */
  readonly refused: (status: 401 | 403) => Promise<boolean>
}

type End = {
  readonly why: string
  readonly retryAfterMs?: number
  readonly atOnce?: boolean
  readonly final?: boolean
  /** The server refused the credential. */
  readonly status?: 401 | 403
}

const WELCOME_WITHIN_MS = 12_000
const ANSWER_WITHIN_MS = 10_000
/**
 * The server pings every 25 s. When the computer wakes and the silence was longer than this, the connection
 * is dead even without a close event.
 */
const SILENT_AFTER_WAKE_MS = 28_000
/**
 * A shorter session does not reset the wait between attempts, because otherwise a server that drops everyone
 * would get attempts without pause.
 */
const STEADY_MS = 10_000

/** Begins at once, and again after every end until it is stopped. */
export const beaconStream = (ports: StreamPorts) => {
  let isRunning = true
  let heardAt = 0
  let endSession: ((end: End) => void) | null = null
  let waiting = new AbortController()

  const run = async (): Promise<void> => {
    let failures = 0
    ports.changed({ phase: 'connecting' })
    while (isRunning) {
      const startedAt = Date.now()
      heardAt = startedAt
      const end = await attempt(failures)
      if (!isRunning || end.final) return
      failures = Date.now() - startedAt > STEADY_MS || end.atOnce ? 1 : failures + 1
      const longest = ports.longestWaitMs?.()
      const waitMs = end.atOnce ? 0 : retryDelay(failures, Math.random(), end.retryAfterMs, longest)
      ports.changed({
        phase: 'offline',
        retryAt: waitMs === 0 ? null : Date.now() + waitMs,
        why: end.why,
      })
      waiting = new AbortController()
      await pause(waitMs, waiting.signal)
    }
  }

  /** Never throws: the reason for the end is the result. */
  const attempt = async (failures: number): Promise<End> => {
    const early = Promise.withResolvers<End>()
    const endEarly = (how: End): void => {
      endSession = null
      early.resolve(how)
    }
    endSession = endEarly
    try {
      const end = await Promise.race([early.promise, connect(failures, () => endSession === endEarly)])
      if (end.status === undefined || !isRunning) return end
      return { ...end, final: !(await ports.refused(end.status)) }
    } catch (error) {
      return endOf(error)
    }
  }

  /** The page is read first. When somebody ends the attempt meanwhile, nothing is connected. */
  const connect = async (failures: number, isAwaited: () => boolean): Promise<End> => {
    const after = await ports.resumeAfter()
    const socket = isAwaited() ? await ports.open(failures) : null
    return socket !== null && isAwaited() ? session(socket, after) : { why: 'stopped' }
  }

  /** One connection, from the handshake to its end. */
  const session = (socket: Socket, after: string | null): Promise<End> =>
    new Promise((resolve) => {
      let leave: (() => void) | undefined
      const timer = setTimeout(() => end({ why: 'The server did not answer in time.' }), WELCOME_WITHIN_MS)
      const end = (how: End): void => {
        clearTimeout(timer)
        endSession = null
        leave?.()
        socket.removeAllListeners()
        socket.io.off('ping', heard)
        socket.io.off('close', closed)
        socket.disconnect()
        resolve(how)
      }
      const alive = (): boolean => endSession === end
      const failed = (error: unknown): unknown => alive() && end(endOf(error))
      const heard = (): void => {
        heardAt = Date.now()
      }
      // Before the namespace is joined, only the manager reports a closed transport. It does so before the
      // socket reports a refusal and its reason, so a microtask waits for that report.
      const closed = (): void => queueMicrotask(() => alive() && end({ why: 'The connection was lost.' }))
      const subscribe = (after: string | null): void => {
        if (!alive()) return
        ports.changed({ phase: 'catching_up' })
        const command: SubscribeCommand = { stream: 'beacons', ...(after === null ? {} : { after }) }
        socket.timeout(ANSWER_WITHIN_MS).emit(commands.subscribe, command, subscribed)
      }
      const subscribed = (error: Error | null, answer: unknown): void => {
        if (!alive()) return
        heard()
        const head = readBeacon(objectAt(answer, 'head'))
        if (error !== null) end({ why: 'The server did not answer in time.' })
        else if (isJsonObject(answer) && answer.ok === true) ports.subscribed(head)
        else if (textAt(answer, 'code') === 'unknown_beacon') again(null, head)
        else end({ why: textAt(answer, 'message') ?? 'The server refused the subscription.' })
      }
      /** Starts again from the present chain: loads its newest page, then subscribes after it. */
      const again = (lost: Beacon | null, head: Beacon | null): void => {
        ports.startAnew(lost, head)
        ports.resumeAfter().then(subscribe, failed)
      }
      endSession = end
      heard()
      socket.io.on('ping', heard)
      socket.io.on('close', closed)
      socket.onAny(heard)
      socket.on('connect_error', (error: Error & { data?: unknown }) => end(refusedEnd(error)))
      socket.on('disconnect', closed)
      socket.on(BEACON_CREATED, (body: unknown) => {
        const beacon = readBeacon(body)
        if (beacon !== null) ports.received(beacon)
      })
      socket.on(CHAIN_REPLACED, (body: unknown) =>
        again(readBeacon(objectAt(body, 'lost')), readBeacon(objectAt(body, 'head'))),
      )
      socket.once(connectionEvents.welcome, (body: unknown) => {
        clearTimeout(timer)
        leave = ports.joined?.(socket, body)
        subscribe(after)
      })
      socket.connect()
    })

  void run()
  return {
    stop: (): void => {
      isRunning = false
      endSession?.({ why: 'stopped' })
      waiting.abort()
    },
    /**
     * Call when the page becomes visible again or the network returns. Ends the wait for the next attempt, and
     * closes a connection that was silent too long.
     */
    wake: (networkChanged = false): void => {
      waiting.abort()
      const silentMs = Date.now() - heardAt
      if (networkChanged || silentMs > SILENT_AFTER_WAKE_MS)
        endSession?.({ why: 'The connection had gone quiet.', atOnce: true })
    },
    /**
     * Call when a failed request shows that the server cannot be reached. Ends the session before the socket
     * closes by itself.
     */
    drop: (): void => endSession?.({ why: 'The network is gone.' }),
  }
}

const refusedEnd = (error: Error & { data?: unknown }): End => {
  const data = objectAt(error, 'data')
  const status = numberAt(data, 'status')
  const [why, waitMs] = WAITS.get(textAt(data, 'code') ?? '') ?? []
  if (why !== undefined) return { why, retryAfterMs: numberAt(data, 'retry_after_ms') ?? waitMs ?? 0 }
  if (status === 401 || status === 403) return { why: 'The server did not accept the credential.', status }
  return { why: 'The server cannot be reached.' }
}

/** Why the server takes no connection now, by its code, and how long to wait where it does not say. */
const WAITS: ReadonlyMap<string, readonly [why: string, waitMs: number]> = new Map([
  ['plan_limit', ['Your plan has no more live connections at once: close another page.', 15_000]],
  ['overloaded', ['The server holds as many live connections as it can.', 10_000]],
  ['rate_limited', ['The server asked us to wait before connecting again.', 60_000]],
])

const endOf = (error: unknown): End => ({
  why: messageOf(error),
  retryAfterMs: error instanceof ApiFailure ? error.retryAfterMs : 0,
  final: error instanceof ApiFailure && error.kind === 'unauthorized',
})
