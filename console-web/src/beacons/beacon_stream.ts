// Keeps one connection to the console stream alive and resumes after the last beacon held.
import type { Socket } from 'socket.io-client'
import {
  BEACON_CREATED,
  type Beacon,
  CHAIN_REPLACED,
  commands,
  connectionEvents,
} from '../../../shared/wire/console_stream.ts'
import { ApiFailure, messageOf } from '../data/api_failure.ts'
import { isJsonObject, numberAt, objectAt, textAt } from '../data/json_object.ts'
import { retryDelay } from '../data/retry_schedule.ts'
import { readBeacon } from './read_beacon.ts'

export type Connection =
  | { readonly phase: 'connecting' | 'catching_up' | 'live' }
  | { readonly phase: 'offline'; readonly retryAt: number | null; readonly why: string }

export type StreamPorts = {
  /** A new, unconnected socket of the namespace; every session gets its own. `failures` in a row came before it. */
  readonly open: (failures: number) => Socket
  /** The id to continue after, loading the first page when nothing is held yet. */
  readonly resumeAfter: () => Promise<string | null>
  readonly serverTime: (time: number) => void
  /** The server has said welcome on this socket, which others may use as well; the answer is called when it ends. */
  readonly joined?: (socket: Socket) => () => void
  /** The subscription stands; everything up to `head` follows, then live beacons. */
  readonly subscribed: (head: Beacon | null) => void
  readonly received: (beacon: Beacon) => void
  /**
   * The chain was replaced, or the server does not know the beacon we hold: forget everything held. `lost` is the newest
   * beacon the server had shown, null when only we remember one; `head` is where its chain stands now.
   */
  readonly startAnew: (lost: Beacon | null, head: Beacon | null) => void
  readonly changed: (connection: Connection) => void
  /** The credential was refused; nothing more is tried. */
  readonly unauthorized: (status: 401 | 403) => void
}

type End = {
  readonly why: string
  readonly retryAfterMs?: number
  readonly atOnce?: boolean
  readonly final?: boolean
}

const WELCOME_WITHIN_MS = 12_000
const ANSWER_WITHIN_MS = 10_000
/** The server pings every 25 s. After a wake, silence longer than that means the connection is dead though nobody noticed. */
const SILENT_AFTER_WAKE_MS = 28_000
/** A session shorter than this does not reset the schedule, or a server that drops everyone would be hammered. */
const STEADY_MS = 10_000

export class BeaconStream {
  readonly #ports: StreamPorts
  #running = false
  #heardAt = 0
  #end: ((end: End) => void) | null = null
  #skipWait: (() => void) | null = null

  constructor(ports: StreamPorts) {
    this.#ports = ports
  }

  start(): void {
    if (this.#running) return
    this.#running = true
    void this.#run()
  }

  stop(): void {
    this.#running = false
    this.#end?.({ why: 'stopped', final: true })
    this.#skipWait?.()
  }

  /** The page has been away or the network is back: do not wait out a backoff, and do not trust a silent connection. */
  wake(networkChanged = false): void {
    this.#skipWait?.()
    const silentMs = Date.now() - this.#heardAt
    if (networkChanged || silentMs > SILENT_AFTER_WAKE_MS)
      this.#end?.({ why: 'The connection had gone quiet.', atOnce: true })
  }

  /** Somebody found out that the server cannot be reached, before the connection noticed. */
  drop(): void {
    this.#end?.({ why: 'The network is gone.' })
  }

  async #run(): Promise<void> {
    let failures = 0
    this.#ports.changed({ phase: 'connecting' })
    while (this.#running) {
      const startedAt = Date.now()
      const end = await this.#session(failures)
      if (!this.#running || end.final) {
        this.#running = false
        return
      }
      failures = Date.now() - startedAt > STEADY_MS || end.atOnce ? 1 : failures + 1
      const waitMs = end.atOnce ? 0 : retryDelay(failures, Math.random(), end.retryAfterMs)
      this.#ports.changed({
        phase: 'offline',
        retryAt: waitMs === 0 ? null : Date.now() + waitMs,
        why: end.why,
      })
      await this.#wait(waitMs)
    }
  }

  /** One connection from handshake to its end. It never throws: every way to end is a value. */
  #session(failures: number): Promise<End> {
    const socket = this.#ports.open(failures)
    return new Promise((resolve) => {
      const timers: ReturnType<typeof setTimeout>[] = []
      let leave: (() => void) | undefined
      const end = (how: End): void => {
        for (const timer of timers) clearTimeout(timer)
        this.#end = null
        leave?.()
        socket.removeAllListeners()
        socket.io.off('ping', heard)
        socket.io.off('close', closed)
        socket.disconnect()
        resolve(how)
      }
      const heard = (): void => {
        this.#heardAt = Date.now()
      }
      // Before the namespace is joined only the manager hears that the transport closed; but it says so before the socket
      // can tell that it was refused and why, hence the turn in between.
      const closed = (): void => queueMicrotask(() => alive() && end({ why: 'The connection was lost.' }))
      const alive = (): boolean => this.#end === end
      this.#end = end
      heard()
      // The page loads while the connection is being made; a failure of either ends the session.
      const resume = this.#ports.resumeAfter()
      resume.catch((failure: unknown) => alive() && end(endOf(failure)))
      timers.push(setTimeout(() => end({ why: 'The server did not answer in time.' }), WELCOME_WITHIN_MS))
      socket.io.on('ping', heard)
      socket.io.on('close', closed)
      socket.onAny(heard)
      socket.on('connect_error', (error: Error & { data?: unknown }) => end(this.#refused(error)))
      socket.on('disconnect', closed)
      socket.on(BEACON_CREATED, (body: unknown) => {
        const beacon = readBeacon(body)
        if (beacon !== null) this.#ports.received(beacon)
      })
      socket.on(CHAIN_REPLACED, (body: unknown) =>
        this.#again(
          socket,
          readBeacon(objectAt(body, 'lost')),
          readBeacon(objectAt(body, 'head')),
          end,
          alive,
        ),
      )
      socket.once(connectionEvents.welcome, (body: unknown) => {
        for (const timer of timers) clearTimeout(timer)
        const time = Date.parse(textAt(body, 'server_time') ?? '')
        if (!Number.isNaN(time)) this.#ports.serverTime(time)
        leave = this.#ports.joined?.(socket)
        resume.then(
          (after) => alive() && this.#subscribe(socket, after, end, alive),
          () => undefined,
        )
      })
      socket.connect()
    })
  }

  #subscribe(socket: Socket, after: string | null, end: (how: End) => void, alive: () => boolean): void {
    this.#ports.changed({ phase: 'catching_up' })
    const command = { stream: 'beacons', ...(after === null ? {} : { after }) }
    socket
      .timeout(ANSWER_WITHIN_MS)
      .emit(commands.subscribe, command, (error: Error | null, answer: unknown) => {
        if (!alive()) return
        this.#heardAt = Date.now()
        if (error !== null) return end({ why: 'The server did not answer in time.' })
        if (isJsonObject(answer) && answer.ok === true) return this.#ports.subscribed(readBeacon(answer.head))
        if (textAt(answer, 'code') !== 'unknown_beacon')
          return end({ why: textAt(answer, 'message') ?? 'The server refused the subscription.' })
        this.#again(socket, null, readBeacon(objectAt(answer, 'head')), end, alive)
      })
  }

  /** From the chain as it is now: its newest page first, then everything after that. */
  #again(
    socket: Socket,
    lost: Beacon | null,
    head: Beacon | null,
    end: (how: End) => void,
    alive: () => boolean,
  ): void {
    this.#ports.startAnew(lost, head)
    this.#ports.resumeAfter().then(
      (first) => alive() && this.#subscribe(socket, first, end, alive),
      (failure: unknown) => alive() && end(endOf(failure)),
    )
  }

  #refused(error: Error & { data?: unknown }): End {
    const data = objectAt(error, 'data')
    const status = numberAt(data, 'status')
    if (textAt(data, 'code') === 'plan_limit')
      return {
        why: 'Your plan has no more live connections at once: close another page.',
        retryAfterMs: 15_000,
      }
    if (status === 401 || status === 403) {
      this.#ports.unauthorized(status)
      return { why: 'unauthorized', final: true }
    }
    if (status === 429) {
      const asked = numberAt(data, 'retry_after_ms') ?? 60_000
      return { why: 'The server asked us to wait before connecting again.', retryAfterMs: asked }
    }
    return { why: 'The server cannot be reached.' }
  }

  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer)
        this.#skipWait = null
        resolve()
      }
      const timer = setTimeout(done, ms)
      this.#skipWait = done
    })
  }
}

const endOf = (failure: unknown): End => ({
  why: messageOf(failure),
  retryAfterMs: failure instanceof ApiFailure ? failure.retryAfterMs : 0,
  final: failure instanceof ApiFailure && failure.kind === 'unauthorized',
})
