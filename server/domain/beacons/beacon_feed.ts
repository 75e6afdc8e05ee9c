// What a server knows of the newest beacons: read from the ledger, handed on in order, each exactly once.
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Log } from '../../kernel/log.ts'
import { type Beacon, beaconsAbove, newestBeacons, type PlacedBeacon } from './beacon.ts'

export interface BeaconFeedParts {
  readonly em: () => EntityManager
  readonly log: Log
  /** True while notices of new blocks arrive; without them no head is called fresh. */
  readonly connected: () => boolean
  /** How often the ledger is asked unbidden, in milliseconds: the repair for a notice that never came. */
  readonly pollMs?: number
}

export interface BeaconFeed {
  /** Reads where the ledger stands. The beacons before that are not handed on. */
  readonly start: () => Promise<void>
  /** The last beacon handed to every listener. */
  readonly head: () => PlacedBeacon
  /**
   * The head, when it was the ledger's newest at some moment no longer ago than this, notices arrive, and none is
   * waiting to be followed up. Otherwise undefined: ask the ledger.
   */
  readonly headIfFresh: (maxAgeMs: number) => PlacedBeacon | undefined
  /** The newest beacons, newest first, up to `KEPT_BEACONS`; undefined under the same conditions. */
  readonly newestIfFresh: (maxAgeMs: number) => readonly Beacon[] | undefined
  /** Listeners run in the same tick in which `head` changes; one that throws harms no other. Answers how to stop. */
  readonly onBeacon: (listener: (placed: PlacedBeacon) => void) => () => void
  /** There may be news (a notice, a new LISTEN connection). Settles after a read that began after this call; never rejects. */
  readonly refresh: () => Promise<void>
  readonly close: () => Promise<void>
}

/** So many of the newest beacons are kept at hand. */
export const KEPT_BEACONS = 25

const PAGE = 250
const POLL_MS = 3_000
const RETRY_MS = 250

export function createBeaconFeed({ em, log, connected, pollMs = POLL_MS }: BeaconFeedParts): BeaconFeed {
  const listeners = new Set<(placed: PlacedBeacon) => void>()
  let head: PlacedBeacon | undefined
  /** Newest first; replaced, never changed, so that whoever holds it may keep it. */
  let newest: readonly Beacon[] = []
  /** On the monotonic clock: the beginning of the newest read that succeeded. */
  let knownAt = Number.NEGATIVE_INFINITY
  /** On the monotonic clock: when somebody last said that there may be news. */
  let toldAt = Number.NEGATIVE_INFINITY
  let running: Promise<void> | undefined
  let following: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let closed = false

  const known = (): PlacedBeacon => {
    if (head === undefined) throw new Error('The beacon feed has not been started.')
    return head
  }

  const handOn = (placed: PlacedBeacon): void => {
    const expected = known().height + 1
    if (placed.height !== expected) throw new Error(`Beacon ${placed.height} came where ${expected} was due.`)
    head = placed
    newest = [placed.beacon, ...newest.slice(0, KEPT_BEACONS - 1)]
    for (const listener of listeners) {
      try {
        listener(placed)
      } catch (error) {
        log.error({ err: error, height: placed.height }, 'beacon_feed.listener_failed')
      }
    }
  }

  const read = async (): Promise<void> => {
    // Not started yet: `start` reads.
    if (head === undefined) return
    let wait = pollMs
    try {
      for (let full = true; full && !closed; ) {
        const began = performance.now()
        const page = await beaconsAbove({ em: em() }, known().height, PAGE)
        if (closed) return
        for (const placed of page) handOn(placed)
        full = page.length === PAGE
        if (!full) knownAt = began
      }
    } catch (error) {
      log.warn({ err: error }, 'beacon_feed.read_failed')
      wait = Math.min(RETRY_MS, pollMs)
    }
    clearTimeout(timer)
    if (!closed) timer = setTimeout(() => void next(), wait)
  }

  /** One read at a time; everybody who asks while one runs shares the one after it. */
  const next = (): Promise<void> => {
    if (closed) return Promise.resolve()
    if (running === undefined) {
      running = read().finally(() => {
        running = undefined
      })
      return running
    }
    following ??= running.then(() => {
      following = undefined
      return next()
    })
    return following
  }

  const isFresh = (maxAgeMs: number): boolean =>
    connected() && knownAt >= toldAt && performance.now() - knownAt <= maxAgeMs

  return Object.freeze({
    start: async () => {
      const began = performance.now()
      const found = await newestBeacons({ em: em() }, KEPT_BEACONS)
      head = found[0]
      newest = found.map(({ beacon }) => beacon)
      knownAt = began
      // News that came while this was being read may not be in it.
      if (toldAt >= began) void next()
      else timer = setTimeout(() => void next(), pollMs)
    },
    head: known,
    headIfFresh: (maxAgeMs: number) => (isFresh(maxAgeMs) ? head : undefined),
    newestIfFresh: (maxAgeMs: number) => (isFresh(maxAgeMs) ? newest : undefined),
    onBeacon: (listener: (placed: PlacedBeacon) => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    refresh: () => {
      toldAt = performance.now()
      return next()
    },
    close: async () => {
      closed = true
      clearTimeout(timer)
      listeners.clear()
      await running
    },
  })
}
