// What a server knows of the newest beacons: read from the ledger, handed on in order, each exactly once.
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Log } from '../../kernel/log.ts'
import { type Repeating, repeat } from '../../kernel/repeat.ts'
import { type Beacon, beaconsFrom, newestBeacons, type PlacedBeacon } from './beacon.ts'

export interface BeaconFeedParts {
  readonly em: () => EntityManager
  readonly log: Log
  /** True while notices of new blocks arrive; without them no head is called fresh. */
  readonly connected: () => boolean
  /** How often the ledger is asked unbidden, in milliseconds: the repair for a notice that never came. */
  readonly pollMs?: number
}

/** The newest beacon shown here was gone from the ledger, or another one stood in its place: what stands there now. */
export interface Replacement {
  readonly head: PlacedBeacon
  readonly lost: PlacedBeacon
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
  /**
   * Listeners run in the same tick in which `head` is no longer what they were told; the beacons that follow are those
   * of the new head. Answers how to stop.
   */
  readonly onReplaced: (listener: (replacement: Replacement) => void) => () => void
  /** The last time that happened since the start, and how long ago that is. */
  readonly replaced: () => (Replacement & { readonly agoMs: number }) | undefined
  /** There may be news (a notice, a new LISTEN connection). Settles after a read that began after this call; never rejects. */
  readonly refresh: () => Promise<void>
  readonly close: () => Promise<void>
}

/** So many of the newest beacons are kept at hand. */
export const KEPT_BEACONS = 25

const PAGE = 250
const POLL_MS = 3_000
const RETRY = { firstMs: 250, mostMs: 1_000 } as const

export function createBeaconFeed({ em, log, connected, pollMs = POLL_MS }: BeaconFeedParts): BeaconFeed {
  const listeners = new Set<(placed: PlacedBeacon) => void>()
  const replacedListeners = new Set<(replacement: Replacement) => void>()
  let replacement: (Replacement & { readonly at: number }) | undefined
  let head: PlacedBeacon | undefined
  /** Newest first; replaced, never changed, so that whoever holds it may keep it. */
  let newest: readonly Beacon[] = []
  /** On the monotonic clock: the beginning of the newest read that succeeded. */
  let knownAt = Number.NEGATIVE_INFINITY
  /** On the monotonic clock: when somebody last said that there may be news. */
  let refreshAskedAt = Number.NEGATIVE_INFINITY
  /** From the start on. */
  let reading: Repeating | undefined

  const known = (): PlacedBeacon => {
    if (head === undefined) throw new Error('The beacon feed has not been started.')
    return head
  }

  const tell = <T>(to: ReadonlySet<(news: T) => void>, news: T, height: number): void => {
    for (const listener of to) {
      try {
        listener(news)
      } catch (error) {
        log.error({ err: error, height }, 'beacon_feed.listener_failed')
      }
    }
  }

  const handOn = (placed: PlacedBeacon): void => {
    const last = known()
    if (placed.height !== last.height + 1 || placed.beacon.previous_hash !== last.beacon.hash)
      throw new Error(`Beacon ${placed.height} does not follow on ${last.height}.`)
    head = placed
    newest = [placed.beacon, ...newest.slice(0, KEPT_BEACONS - 1)]
    tell(listeners, placed, placed.height)
  }

  /** A restored backup, a lost replica: whatever is there now is what is shown from here on, and everybody is told. */
  const startAgain = (lost: PlacedBeacon, found: readonly PlacedBeacon[], began: number): void => {
    const [now] = found
    if (now === undefined) throw new Error('The ledger has no genesis block.')
    head = now
    newest = found.map(({ beacon }) => beacon)
    knownAt = began
    const news = { head: now, lost }
    replacement = { ...news, at: began }
    log.error(
      { lost: lost.beacon, lost_height: lost.height, head: now.beacon, head_height: now.height },
      'chain.replaced',
    )
    tell(replacedListeners, news, now.height)
  }

  const read = async (signal: AbortSignal): Promise<void> => {
    for (let full = true; full && !signal.aborted; ) {
      const began = performance.now()
      const last = known()
      // Heights alone would not tell a ledger from its older copy that went another way.
      const [held, ...page] = await beaconsFrom({ em: em() }, last.height, PAGE + 1)
      if (held?.beacon.hash !== last.beacon.hash) {
        const found = await newestBeacons({ em: em() }, KEPT_BEACONS)
        if (!signal.aborted) startAgain(last, found, began)
        return
      }
      if (signal.aborted) return
      for (const placed of page) handOn(placed)
      full = page.length === PAGE
      if (!full) knownAt = began
    }
  }

  const isFresh = (maxAgeMs: number): boolean =>
    connected() && knownAt >= refreshAskedAt && performance.now() - knownAt <= maxAgeMs

  return Object.freeze({
    start: async () => {
      const began = performance.now()
      const found = await newestBeacons({ em: em() }, KEPT_BEACONS)
      head = found[0]
      newest = found.map(({ beacon }) => beacon)
      knownAt = began
      reading = repeat({
        everyMs: pollMs,
        // News that came while this was being read may not be in it.
        firstMs: refreshAskedAt >= began ? 0 : pollMs,
        retry: { firstMs: Math.min(RETRY.firstMs, pollMs), mostMs: Math.min(RETRY.mostMs, pollMs) },
        onError: (err) => log.warn({ err }, 'beacon_feed.read_failed'),
        run: read,
      })
    },
    head: known,
    headIfFresh: (maxAgeMs: number) => (isFresh(maxAgeMs) ? head : undefined),
    newestIfFresh: (maxAgeMs: number) => (isFresh(maxAgeMs) ? newest : undefined),
    onBeacon: (listener: (placed: PlacedBeacon) => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    onReplaced: (listener: (replacement: Replacement) => void) => {
      replacedListeners.add(listener)
      return () => void replacedListeners.delete(listener)
    },
    replaced: () => {
      if (replacement === undefined) return undefined
      const { at, ...news } = replacement
      return { ...news, agoMs: performance.now() - at }
    },
    refresh: async () => {
      refreshAskedAt = performance.now()
      await reading?.run()
    },
    close: async () => {
      listeners.clear()
      replacedListeners.clear()
      await reading?.stop()
    },
  })
}
