// Sends beacons to one subscription: pages from its cursor up to the head, then each new beacon
// through the room, without gaps.
import type { Socket } from 'socket.io'
import { CHAIN_REPLACED, type ChainReplaced } from '../../../shared/wire/console_stream.ts'
import type { PlacedBeacon } from '../../domain/beacons/beacon.ts'
import type { BeaconFeed, Replacement } from '../../domain/beacons/beacon_feed.ts'
import type { FairGate } from '../../kernel/fair_gate.ts'
import type { Log } from '../../kernel/log.ts'
import { frameOf } from './beacon_frames.ts'
import type { BeaconPages } from './beacon_pages.ts'
import { drained, writeAll } from './engine_connection.ts'

/**
 * Milliseconds of this thread that reading a page uses at most. Waiting for the database does not use this thread.
 */
const READ_MS = 3
/**
 * The least cost of one beacon in milliseconds. The work of the kernel and the network is
 * not measured on this thread.
 */
const BEACON_MS = 0.02
/** After a turn, the caller gets no other turn for this many times its duration. */
const REST = 9

/**
 * Every socket in this room was sent all beacons up to the feed's head. It gets each new beacon as
 * soon as it becomes the head.
 */
export const BEACON_ROOM = 'beacons'

export interface PumpParts {
  readonly feed: BeaconFeed
  readonly pages: BeaconPages
  readonly log: Log
  readonly retryMs: number
  /** Callers send pages in turns, so that one that catches up does not delay the others. */
  readonly turns: FairGate
}

export interface BeaconPump {
  /** Sends nothing after this returns. */
  readonly stop: () => void
  /**
   * Notifies the client and continues after the new head. The feed must call it in the tick in
   * which it changes its head.
   */
  readonly replaced: (replacement: Replacement) => void
  /** Number of beacons sent so far. */
  readonly sent: () => number
}

/**
 * Sends every beacon above `after` once and in order, until it is stopped or the connection ends. It never sends a
 * beacon before the feed has emitted it, so the feed's head is the newest beacon that any client has seen.
 * @param key identifies the caller, whose subscriptions share turns
 * @param after a beacon of the ledger, not above the feed's head
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
  /** The position where counting started, and the number of beacons sent before it. */
  let counted = { from: after.height, before: 0 }
  const sentUpTo = (height: number): number => counted.before + height - counted.from
  const sent = (): number => sentUpTo(joined ? feed.head().height : cursor.height)

  /**
   * There is no await between the comparison and the join. So the socket is in the room when the
   * feed emits its next beacon.
   */
  const joinAtHead = (): boolean => {
    if (cursor.beacon.hash !== feed.head().beacon.hash) return false
    void socket.join(BEACON_ROOM)
    joined = true
    return true
  }

  /** Returns the milliseconds of this thread that the step used, and whether to wait before the next step. */
  const step = async (): Promise<{ readonly took: number; readonly stuck: boolean }> => {
    const from = cursor
    const asked = performance.now()
    const page = await pages.above(from.height)
    const read = Math.min(performance.now() - asked, READ_MS)
    // The chain was replaced during the read, so the page may belong to the lost chain.
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
    // The page is newer than the feed, or belongs to another chain. The feed must look again and notify everybody.
    await feed.refresh()
    const stuck = page.length === 0 || !follows || feed.head().height <= from.height
    return { took: read, stuck: stuck && cursor === from }
  }

  const run = async (): Promise<void> => {
    for (let failing = false; !stopped && !joinAtHead(); ) {
      // The next page is read only after the client has taken the last one. This is the only backpressure.
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
        // The caller's next turn starts only after nine times this duration, so catching up uses at
        // most a tenth of this thread.
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
