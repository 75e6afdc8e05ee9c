// Sends beacons to one subscription: pages from its cursor up to the head, then each new beacon
// through the room, without gaps.
import type { Socket } from 'socket.io'
import {
  BEACON_CREATED,
  type Beacon,
  CHAIN_REPLACED,
  type ChainReplaced,
  CONSOLE_NAMESPACE,
} from '../../../shared/wire/console_stream.ts'
import type { PlacedBeacon } from '../../domain/beacons/beacon.ts'
import type { Replacement } from '../../domain/beacons/beacon_feed.ts'
import type { CatchUp } from '../../domain/beacons/catch_up.ts'
import { kept } from '../../kernel/lru.ts'
import { drained, type Frame, writeAll } from './engine_connection.ts'

const frames = new WeakMap<Beacon, Frame>()

/** The frame of a beacon: an EVENT packet of Socket.IO in our namespace. */
function frameOf(beacon: Beacon): Frame {
  const packet = `2${CONSOLE_NAMESPACE},${JSON.stringify([BEACON_CREATED, beacon])}`
  return { packet, webSocket: [webSocketFrame(`4${packet}`)] }
}

/** Builds one final, unmasked text frame (RFC 6455 section 5.2). A beacon is much shorter than 64 KiB. */
function webSocketFrame(text: string): Buffer {
  const payload = Buffer.from(text)
  const head = payload.length < 126 ? Buffer.of(0x81, payload.length) : Buffer.of(0x81, 126, 0, 0)
  if (payload.length >= 126) head.writeUInt16BE(payload.length, 2)
  return Buffer.concat([head, payload])
}

/**
 * The least cost of one beacon in milliseconds. The work of the kernel and the network is
 * not measured on this thread.
 */
const BEACON_MS = 0.02

/**
 * Every socket in this room was sent all beacons up to the feed's head. It gets each new beacon as
 * soon as it becomes the head.
 */
export const BEACON_ROOM = 'beacons'

export type BeaconPump = ReturnType<typeof startBeaconPump>

/**
 * Sends every beacon above `after` once and in order, until it is stopped or the connection ends. It never sends a
 * beacon before the feed has emitted it, so the feed's head is the newest beacon that any client has seen.
 * @param key identifies the caller, whose subscriptions share turns
 * @param after a beacon of the ledger, not above the feed's head
 */
export function startBeaconPump(
  { feed, forReader }: CatchUp,
  { socket, key }: { readonly socket: Socket; readonly key: string },
  after: PlacedBeacon,
) {
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

  const next = forReader({
    key,
    place: () => (stopped ? undefined : cursor),
    take: async (beacons) => {
      cursor = beacons.at(-1) ?? cursor
      const page = beacons.map(({ beacon }) => kept(frames, beacon, frameOf))
      return Math.max(await writeAll(socket.conn, page), page.length * BEACON_MS)
    },
  })

  const run = async (): Promise<void> => {
    while (!stopped && !joinAtHead()) {
      // The next page is read only after the client has taken the last one. This is the only backpressure.
      if (!(await drained(socket.conn)) || stopped) return
      await next()
    }
  }
  void run()

  return Object.freeze({
    /** Number of beacons sent so far. */
    sent,
    /**
     * Notifies the client and continues after the new head. The feed must call it in the tick in which it changes its
     * head.
     */
    replaced: ({ head, lost }: Replacement) => {
      if (stopped) return
      counted = { from: head.height, before: sentUpTo(joined ? lost.height : cursor.height) }
      cursor = head
      socket.emit(CHAIN_REPLACED, { head: head.beacon, lost: lost.beacon } satisfies ChainReplaced)
    },
    /** Sends nothing after this returns. */
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
