// Other streams over the console's one connection. They send new events only, and each is subscribed to only
// while it has followers.
import type { Socket } from 'socket.io-client'
import {
  commands,
  type StreamName,
  type SubscribeCommand,
  streams,
} from '../../../../shared/wire/console_stream.ts'
import type { Api } from '../api_client.ts'
import { isJsonObject } from '../shape.ts'

export type LiveStream = Exclude<StreamName, 'beacons'>

export type Follower = {
  /**
   * Called at every new connection. No event is missed from now on, so anything read before should be read
   * again.
   */
  readonly opened: () => void
  /** Called when the connection is gone. Events from now on are missed. */
  readonly closed: () => void
  /** `event` is the name as sent, e.g. `delivery.updated` or `webhook_deliveries.burst`. */
  readonly heard: (event: string, body: unknown) => void
}

/** What follows a stream, and reads what it has missed. */
export type FollowPorts = { readonly api: Pick<Api, 'get'>; readonly live: Pick<LiveEvents, 'follow'> }

const ANSWER_WITHIN_MS = 10_000
/** No stream has this name, whatever is followed. */
const NO_STREAM = 'none'
const AGAIN_AFTER_MS = 5_000
/**
 * The subscription is kept this long after the last follower, because the next page often follows the same
 * stream.
 */
const LINGER_MS = 3_000

export class LiveEvents {
  readonly #followers = new Map<StreamName, Set<Follower>>()
  readonly #open = new Set<StreamName>()
  readonly #timers = new Map<StreamName, ReturnType<typeof setTimeout>>()
  #socket: Socket | null = null

  /** Starts to follow a stream. The returned function ends it. */
  follow(stream: LiveStream, follower: Follower): () => void {
    const followers = this.#followers.get(stream) ?? new Set()
    this.#followers.set(stream, followers.add(follower))
    if (this.#open.has(stream)) queueMicrotask(() => followers.has(follower) && follower.opened())
    else if (followers.size === 1) this.#subscribe(stream)
    return () => {
      followers.delete(follower)
      if (followers.size === 0) this.#later(stream, LINGER_MS, () => this.#unsubscribe(stream))
    }
  }

  /**
   * Called by the connection after the server's welcome. The returned function is called when that connection
   * ends.
   */
  joined = (socket: Socket): (() => void) => {
    this.#socket = socket
    const heard = (event: string, body: unknown): void => {
      const stream = streamOf.get(event)
      for (const follower of stream === undefined ? [] : this.#of(stream)) follower.heard(event, body)
    }
    socket.onAny(heard)
    for (const stream of this.#followers.keys()) this.#subscribe(stream)
    return () => {
      socket.offAny(heard)
      if (this.#socket === socket) this.#socket = null
      const closed = [...this.#open]
      this.#open.clear()
      for (const stream of closed) for (const follower of this.#of(stream)) follower.closed()
    }
  }

  /**
   * Resolves when the server has acknowledged a command that changes nothing: one about a stream that there is not.
   * @throws Error when there is no answer in time
   */
  probe = async (): Promise<void> => {
    if (this.#socket === null) throw new Error('There is nothing to ask.')
    await this.#socket.timeout(ANSWER_WITHIN_MS).emitWithAck(commands.unsubscribe, { stream: NO_STREAM })
  }

  #subscribe(stream: StreamName): void {
    const socket = this.#socket
    if (socket === null || this.#of(stream).length === 0) return
    clearTimeout(this.#timers.get(stream))
    const answered = (error: Error | null, answer: unknown): void => {
      if (this.#socket !== socket) return
      const subscribed = error === null && isJsonObject(answer) && answer.ok === true
      if (!subscribed) this.#later(stream, AGAIN_AFTER_MS, () => this.#subscribe(stream))
      else this.#opened(stream)
    }
    const command: SubscribeCommand = { stream }
    socket.timeout(ANSWER_WITHIN_MS).emit(commands.subscribe, command, answered)
  }

  #opened(stream: StreamName): void {
    this.#open.add(stream)
    const followers = this.#of(stream)
    for (const follower of followers) follower.opened()
    if (followers.length === 0) this.#later(stream, LINGER_MS, () => this.#unsubscribe(stream))
  }

  #unsubscribe(stream: StreamName): void {
    if (this.#of(stream).length > 0 || !this.#open.delete(stream)) return
    this.#socket?.emit(commands.unsubscribe, { stream })
  }

  #later(stream: StreamName, ms: number, act: () => void): void {
    clearTimeout(this.#timers.get(stream))
    this.#timers.set(stream, setTimeout(act, ms))
  }

  #of = (stream: StreamName): Follower[] => [...(this.#followers.get(stream) ?? [])]
}

export const isStream = (name: string): name is StreamName => Object.hasOwn(streams, name)

export const STREAM_NAMES: readonly StreamName[] = Object.keys(streams).filter(isStream)

/** The end of the name of what a stream sends in place of many events. */
export const BURST = '.burst'

/** The stream of each event and burst, by event name. */
export const streamOf: ReadonlyMap<string, StreamName> = new Map(
  STREAM_NAMES.flatMap((name) =>
    [...streams[name].events, `${name}${BURST}`].map((event) => [event, name] as const),
  ),
)
