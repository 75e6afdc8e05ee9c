// One subscription to beacons: from its cursor to the head in pages, at the head into the room, never a gap between.
import type { Socket } from 'socket.io'
import { BEACON_CREATED } from '../../../shared/wire/console_stream.ts'
import type { BeaconFeed } from '../../domain/beacons/beacon_feed.ts'
import type { Log } from '../../kernel/log.ts'
import type { BeaconPages } from './beacon_pages.ts'
import { drained } from './engine_connection.ts'

/** Who is in it has been sent every beacon up to the feed's head, and gets each new one in the tick it becomes the head. */
export const BEACON_ROOM = 'beacons'

export interface PumpParts {
  readonly feed: BeaconFeed
  readonly pages: BeaconPages
  readonly log: Log
  readonly retryMs: number
}

export interface BeaconPump {
  /** Nothing is sent any more once this returns. */
  readonly stop: () => void
  /** Beacons sent so far. */
  readonly sent: () => number
}

/** Sends every beacon above `after`, in order, each once, until it is stopped or the connection is gone. */
export function startBeaconPump(parts: PumpParts, socket: Socket, after: number): BeaconPump {
  const { feed, pages, log, retryMs } = parts
  let cursor = after
  let stopped = false
  let joined = false
  const sent = (): number => (joined ? feed.head().height : cursor) - after

  /** No await between the comparison and the joining: what the feed hands on next finds this socket in the room. */
  const joinAtHead = (): boolean => {
    if (cursor !== feed.head().height) return false
    void socket.join(BEACON_ROOM)
    joined = true
    return true
  }

  const step = async (): Promise<void> => {
    if (cursor > feed.head().height) {
      // The page was newer than the feed. In the room now, the socket would be sent again what it has.
      await feed.refresh()
      if (cursor > feed.head().height) await pause(retryMs)
      return
    }
    const page = await pages(cursor)
    if (stopped) return
    for (const { height, beacon } of page) {
      socket.emit(BEACON_CREATED, beacon)
      cursor = height
    }
    if (page.length === 0) await pause(retryMs)
  }

  const run = async (): Promise<void> => {
    for (let failing = false; !stopped && !joinAtHead(); ) {
      // The next page is not even read before the last one has been taken: that is the whole backpressure.
      if (!(await drained(socket.conn)) || stopped) return
      try {
        await step()
        failing = false
      } catch (error) {
        if (!failing) log.warn({ err: error, cursor }, 'stream.pump_read_failed')
        failing = true
        await pause(retryMs)
      }
    }
  }
  void run()

  return Object.freeze({
    sent,
    stop: () => {
      if (stopped) return
      cursor = after + sent()
      stopped = true
      if (joined) void socket.leave(BEACON_ROOM)
      joined = false
    },
  })
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
