// Pages of beacons for every pump of a server: after a restart thousands of clients ask for the same ones at once.
import type { EntityManager } from '@mikro-orm/postgresql'
import { beaconsAbove, type PlacedBeacon } from '../../domain/beacons/beacon.ts'

const PAGE = 250
/** Reads under way at once; the rest of the pool belongs to the requests. */
const LANES = 4

/** The next page above a height, oldest first. Those who ask for the same page while it is read get the same read. */
export type BeaconPages = (height: number) => Promise<readonly PlacedBeacon[]>

export function beaconPages({ em }: { em: () => EntityManager }): BeaconPages {
  const underWay = new Map<number, Promise<readonly PlacedBeacon[]>>()
  const waiting: (() => void)[] = []
  let running = 0

  const read = async (height: number): Promise<readonly PlacedBeacon[]> => {
    if (running >= LANES) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await beaconsAbove({ em: em() }, height, PAGE)
    } finally {
      underWay.delete(height)
      // A lane is handed over, not given back, so that nobody overtakes the queue.
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }

  return (height) => {
    const shared = underWay.get(height) ?? read(height)
    underWay.set(height, shared)
    return shared
  }
}
