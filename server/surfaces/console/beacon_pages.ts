// Pages of beacons for every pump of a server: after a restart thousands of clients ask for the same ones at once.
import type { EntityManager } from '@mikro-orm/postgresql'
import { beaconsAbove, type PlacedBeacon } from '../../domain/beacons/beacon.ts'
import type { BeaconFeed } from '../../domain/beacons/beacon_feed.ts'

const PAGE = 250
/** Reads under way at once; the rest of the pool belongs to the requests. */
const LANES = 4
/** Whole pages that are kept, the last used: with their frames about 200 KB each. */
const KEPT = 32

export interface BeaconPages {
  /**
   * The next beacons above a height, oldest first, a page at most. Those who ask for the same while it is read get the
   * same read; a page that will not grow any more is kept, so that asking for it again and again costs no query.
   */
  readonly above: (height: number) => Promise<readonly PlacedBeacon[]>
  readonly close: () => void
}

export function beaconPages({
  em,
  feed,
}: {
  em: () => EntityManager
  feed: Pick<BeaconFeed, 'head' | 'onReplaced'>
}): BeaconPages {
  const underWay = new Map<number, Promise<readonly PlacedBeacon[]>>()
  let kept = new Map<number, readonly PlacedBeacon[]>()
  const waiting: (() => void)[] = []
  let running = 0

  const read = async (height: number): Promise<readonly PlacedBeacon[]> => {
    if (running >= LANES) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    const into = kept
    try {
      const page = await beaconsAbove({ em: em() }, height, PAGE)
      // What was read from a chain that has been replaced since goes where nobody looks.
      if (height % PAGE === 0 && page.length === PAGE) keep(into, height, page)
      return page
    } finally {
      underWay.delete(height)
      // A lane is handed over, not given back, so that nobody overtakes the queue.
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }

  const shared = (height: number): Promise<readonly PlacedBeacon[]> => {
    const known = underWay.get(height) ?? read(height)
    underWay.set(height, known)
    return known
  }

  const close = feed.onReplaced(() => {
    kept = new Map()
  })

  return Object.freeze({
    close,
    above: async (height: number) => {
      const from = height - (height % PAGE)
      // The page that is not full yet is read from where it is asked for: mostly a few rows.
      if (from + PAGE > feed.head().height) return shared(height)
      const page = kept.get(from)
      if (page !== undefined) keep(kept, from, page)
      const whole = page ?? (await shared(from))
      return height === from ? whole : whole.filter((placed) => placed.height > height)
    },
  })
}

function keep(
  kept: Map<number, readonly PlacedBeacon[]>,
  height: number,
  page: readonly PlacedBeacon[],
): void {
  kept.delete(height)
  kept.set(height, page)
  const [oldest] = kept.keys()
  if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest)
}
