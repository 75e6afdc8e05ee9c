// One subscription to beacons: from its cursor to the head in pages, at the head into the room, never a gap between.
import type { Socket } from 'socket.io'
import { CHAIN_REPLACED, type ChainReplaced } from '../../../shared/wire/console_stream.ts'
import type { PlacedBeacon } from '../../domain/beacons/beacon.ts'
import type { BeaconFeed, Replacement } from '../../domain/beacons/beacon_feed.ts'
import type { FairGate } from '../../kernel/fair_gate.ts'
import type { Log } from '../../kernel/log.ts'
import { frameOf } from './beacon_frames.ts'
import type { BeaconPages } from './beacon_pages.ts'
import { drained, writeAll } from './engine_connection.ts'

/** Milliseconds of this thread that reading a page takes at most; what it waits for the database costs nobody anything. */
const READ_MS = 3
/** Of each beacon, counted at least: what it costs the kernel and the network is not seen on this thread. */
const BEACON_MS = 0.02
/** A caller's turn is followed by so many times as long without one. */
const REST = 9

/** Who is in it has been sent every beacon up to the feed's head, and gets each new one in the tick it becomes the head. */
export const BEACON_ROOM = 'beacons'

export interface PumpParts {
  readonly feed: BeaconFeed
  readonly pages: BeaconPages
  readonly log: Log
  readonly retryMs: number
  /** Pages are sent by turns, so that whoever catches up does not hold up the rest. */
  readonly turns: FairGate
}

export interface BeaconPump {
  /** Nothing is sent any more once this returns. */
  readonly stop: () => void
  /** The client is told, and what it is sent from now on comes after the new head. For the feed's own tick. */
  readonly replaced: (replacement: Replacement) => void
  /** Beacons sent so far. */
  readonly sent: () => number
}

/**
 * Sends every beacon above `after`, in order, each once, until it is stopped or the connection is gone. Nothing is sent
 * that the feed has not handed on yet: so the feed's head is the newest beacon that anybody was shown.
 * @param key whose turns they are
 * @param after in the ledger, and not above the feed's head
 */
export function startBeaconPump(
  parts: PumpParts,
  { socket, key }: { readonly socket: Socket; readonly key: string },
  after: PlacedBeacon,
): BeaconPump {
  const { feed, pages, log, retryMs, turns } = parts
  let cursor = after
  let stopped = false
  let joined = false
  /** Where the counting began, and what was sent before. */
  let counted = { from: after.height, before: 0 }
  const sentUpTo = (height: number): number => counted.before + height - counted.from
  const sent = (): number => sentUpTo(joined ? feed.head().height : cursor.height)

  /** No await between the comparison and the joining: what the feed hands on next finds this socket in the room. */
  const joinAtHead = (): boolean => {
    if (cursor.beacon.hash !== feed.head().beacon.hash) return false
    void socket.join(BEACON_ROOM)
    joined = true
    return true
  }

  /** What it took of this thread, in milliseconds, and whether to wait before the next. */
  const step = async (): Promise<{ readonly took: number; readonly stuck: boolean }> => {
    const from = cursor
    const asked = performance.now()
    const page = await pages.above(from.height)
    const read = Math.min(performance.now() - asked, READ_MS)
    // Replaced while it was read: the page may be of the chain that is gone.
    if (stopped || cursor !== from) return { took: read, stuck: false }
    const follows = page[0] === undefined || page[0].beacon.previous_hash === from.beacon.hash
    const shown = follows ? page.filter(({ height }) => height <= feed.head().height) : []
    const last = shown.at(-1)
    if (last !== undefined) {
      cursor = last
      const frames = shown.map(({ beacon }) => frameOf(beacon))
      const wrote = await writeAll(socket.conn, frames)
      return { took: read + Math.max(wrote, frames.length * BEACON_MS), stuck: false }
    }
    // The page is newer than the feed, or of another chain than the feed knows: it looks, and tells everybody.
    await feed.refresh()
    const stuck = page.length === 0 || !follows || feed.head().height <= from.height
    return { took: read, stuck: stuck && cursor === from }
  }

  const run = async (): Promise<void> => {
    for (let failing = false; !stopped && !joinAtHead(); ) {
      // The next page is not even read before the last one has been taken: that is the whole backpressure.
      if (!(await drained(socket.conn)) || stopped) return
      const leave = await turns.enter(key)
      if (stopped) return leave()
      let took = READ_MS
      let stuck = true
      try {
        ;({ took, stuck } = await step())
        failing = false
      } catch (error) {
        if (!failing) log.warn({ err: error, cursor: cursor.height }, 'stream.pump_read_failed')
        failing = true
      } finally {
        // Its caller has no other for nine times as long: catching up is a tenth of this thread at most.
        setTimeout(leave, REST * took)
      }
      if (stuck) await pause(retryMs)
    }
  }
  void run()

  return Object.freeze({
    sent,
    replaced: ({ head, lost }: Replacement) => {
      if (stopped) return
      counted = { from: head.height, before: sentUpTo(joined ? lost.height : cursor.height) }
      cursor = head
      socket.emit(CHAIN_REPLACED, { head: head.beacon, lost: lost.beacon } satisfies ChainReplaced)
    },
    stop: () => {
      if (stopped) return
      const total = sent()
      stopped = true
      counted = { from: cursor.height, before: total }
      if (joined) void socket.leave(BEACON_ROOM)
      joined = false
    },
  })
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
