// The newest beacons on this server: read from the ledger and passed to listeners in order, each exactly once.
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Beacon } from '../../../shared/wire/console_stream.ts'
import { type Repeating, repeat } from '../../kernel/flow/repeat.ts'
import type { Log } from '../../kernel/log.ts'
import { beaconsAbove, newestBeacons, type PlacedBeacon } from './beacon.ts'

/**
 * The chain was replaced: the newest known beacon is no longer in the ledger. `head` is the beacon that is there now.
 */
export interface Replacement {
  readonly head: PlacedBeacon
  readonly lost: PlacedBeacon
}

/** Number of newest beacons kept in memory. */
const KEPT_BEACONS = 25

const PAGE = 250
const POLL_MS = 3_000
const RETRY = { firstMs: 250, mostMs: 1_000 } as const

export type BeaconFeed = ReturnType<typeof createBeaconFeed>

export function createBeaconFeed({
  em,
  log,
  connected,
  pollMs = POLL_MS,
}: {
  readonly em: () => EntityManager
  readonly log: Log
  /** True while notices of new blocks arrive. Without notices no head counts as fresh. */
  readonly connected: () => boolean
  /** Milliseconds between reads without a notice. They repair a lost notice. */
  readonly pollMs?: number
}) {
  const listeners = new Set<(placed: PlacedBeacon) => void>()
  const replacedListeners = new Set<(replacement: Replacement) => void>()
  let replacement: (Replacement & { readonly at: number }) | undefined
  let head: PlacedBeacon | undefined
  /** Newest first. The array is replaced, never changed, so callers may keep what they made of it. */
  let newest: readonly Beacon[] = []
  /** Monotonic time at which the newest successful read began. */
  let knownAt = Number.NEGATIVE_INFINITY
  /** Monotonic time of the newest call of `refresh`. */
  let refreshAskedAt = Number.NEGATIVE_INFINITY
  /** Set by the start. */
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
    newest = Object.freeze([placed.beacon, ...newest.slice(0, KEPT_BEACONS - 1)])
    tell(listeners, placed, placed.height)
  }

  /**
   * Happens after a restored backup or a lost replica. The present chain counts from now on, and all listeners are
   * called.
   */
  const startAgain = (lost: PlacedBeacon, found: readonly PlacedBeacon[], began: number): void => {
    const [now] = found
    if (now === undefined) throw new Error('The ledger has no genesis block.')
    head = now
    newest = Object.freeze(found.map(({ beacon }) => beacon))
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
      // Heights alone would not detect a copy of the ledger that continued differently.
      const [held, ...page] = await beaconsAbove(em(), last.height - 1, PAGE + 1)
      if (held?.beacon.hash !== last.beacon.hash) {
        const found = await newestBeacons(em(), KEPT_BEACONS)
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
    /** Reads the present head. Earlier beacons are not passed to listeners. */
    start: async () => {
      const began = performance.now()
      const found = await newestBeacons(em(), KEPT_BEACONS)
      head = found[0]
      newest = Object.freeze(found.map(({ beacon }) => beacon))
      knownAt = began
      reading = repeat({
        everyMs: pollMs,
        // This read may have missed news that arrived during it.
        firstMs: refreshAskedAt >= began ? 0 : pollMs,
        retry: { firstMs: Math.min(RETRY.firstMs, pollMs), mostMs: Math.min(RETRY.mostMs, pollMs) },
        onError: (err) => log.warn({ err }, 'beacon_feed.read_failed'),
        run: read,
      })
    },
    /** The last beacon passed to every listener. */
    head: known,
    /**
     * The head, if it was the ledger's newest within this time, notices arrive, and no notice is unprocessed. Otherwise
     * undefined: read the ledger.
     */
    headIfFresh: (maxAgeMs: number) => (isFresh(maxAgeMs) ? head : undefined),
    /** The newest beacons, newest first, up to `KEPT_BEACONS`. Undefined under the same conditions. */
    newestIfFresh: (maxAgeMs: number) => (isFresh(maxAgeMs) ? newest : undefined),
    /**
     * The beacon that follows on this one, if it is among the newest `KEPT_BEACONS`. No listener was called for those that
     * were there at the start, or when the chain was found replaced.
     */
    follower: ({ height, beacon: { hash } }: PlacedBeacon): PlacedBeacon | undefined => {
      const beacon = newest[known().height - height - 1]
      return beacon?.previous_hash === hash ? { height: height + 1, beacon } : undefined
    },
    /**
     * Listeners run in the same tick in which `head` changes. An error of one listener does not affect others. Returns
     * a function that removes the listener.
     */
    onBeacon: (listener: (placed: PlacedBeacon) => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /**
     * Listeners run in the same tick in which the chain was found replaced. Later beacons follow the new head. Returns
     * a function that removes the listener.
     */
    onReplaced: (listener: (replacement: Replacement) => void) => {
      replacedListeners.add(listener)
      return () => void replacedListeners.delete(listener)
    },
    /** The last replacement since the start, and how long ago it was found. */
    replaced: (): (Replacement & { readonly agoMs: number }) | undefined => {
      if (replacement === undefined) return undefined
      const { at, ...news } = replacement
      return { ...news, agoMs: performance.now() - at }
    },
    /**
     * Call it when there may be news (a notice, a new LISTEN connection). Resolves after a read that began after this
     * call. Never rejects.
     */
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
