// Pages of beacons, shared by all readers of a server, because thousands of clients request the
// same pages after a restart.
import type { EntityManager } from '@mikro-orm/postgresql'
import { underWay } from '../../kernel/flow/under_way.ts'
import { lru } from '../../kernel/lru.ts'
import { beaconsAbove, type PlacedBeacon } from './beacon.ts'
import type { BeaconFeed } from './beacon_feed.ts'

const PAGE = 250
/** Concurrent reads. The other connections of the pool remain for requests. */
const LANES = 4
/** The most full pages in the cache, about 200 KB each with their frames. */
const KEPT = 32

interface BeaconPages {
  /**
   * Returns the next beacons above a height, oldest first, at most one page. Concurrent calls for the same page share
   * one read. A full page never changes, so it is cached, and repeated calls cost no query.
   */
  readonly above: (height: number) => Promise<readonly PlacedBeacon[]>
}

/** Create one per feed, which it listens to for good. It drops its cache when the chain is replaced. */
export function beaconPages({
  em,
  feed,
}: {
  em: () => EntityManager
  feed: Pick<BeaconFeed, 'head' | 'onReplaced'>
}): BeaconPages {
  const reading = underWay<number, readonly PlacedBeacon[]>()
  let kept = lru<number, readonly PlacedBeacon[]>(KEPT)
  const waiting: (() => void)[] = []
  let running = 0

  const read = async (height: number): Promise<readonly PlacedBeacon[]> => {
    if (running >= LANES) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    const into = kept
    try {
      const page = await beaconsAbove(em(), height, PAGE)
      // If the chain was replaced during the read, `into` is the discarded cache, so the page is not reused.
      if (height % PAGE === 0 && page.length === PAGE) into.set(height, page)
      return page
    } finally {
      // Passes the lane directly to the next waiting read, so that no later read can take it first.
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }

  const shared = (height: number): Promise<readonly PlacedBeacon[]> =>
    reading.join(height, () => read(height))

  feed.onReplaced(() => {
    kept = lru(KEPT)
  })

  return Object.freeze({
    above: async (height: number) => {
      const from = height - (height % PAGE)
      // The last page is not full yet, so only the rows above the requested height are read, usually a few.
      if (from + PAGE > feed.head().height) return shared(height)
      const whole = kept.get(from) ?? (await shared(from))
      return height === from ? whole : whole.filter((placed) => placed.height > height)
    },
  })
}
