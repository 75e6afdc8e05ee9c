// Beacons never change, so what was read once may be answered from memory: the least recently asked are forgotten first.
import type { Beacon, PlacedBeacon } from './beacon.ts'

export interface BeaconMemory {
  /** @param hash lower-case hex */
  readonly byHash: (hash: string) => Beacon | undefined
  readonly byId: (id: string) => Beacon | undefined
  /** Passes what was read through, remembering it. */
  readonly remember: (placed: PlacedBeacon | undefined) => Beacon | undefined
}

/** About 400 bytes each. A week of blocks a minute. */
const MOST = 10_080

export function createBeaconMemory(most: number = MOST): BeaconMemory {
  const hashes = new Map<string, Beacon>()
  const ids = new Map<string, Beacon>()
  const keep = (map: Map<string, Beacon>, name: string, beacon: Beacon): void => {
    // A Map keeps the order of insertion: what is inserted anew is the youngest.
    map.delete(name)
    map.set(name, beacon)
    const oldest = map.size > most ? map.keys().next().value : undefined
    if (oldest !== undefined) map.delete(oldest)
  }
  const recall = (map: Map<string, Beacon>, name: string): Beacon | undefined => {
    const beacon = map.get(name)
    if (beacon !== undefined) keep(map, name, beacon)
    return beacon
  }
  return Object.freeze({
    byHash: (hash: string) => recall(hashes, hash),
    byId: (id: string) => recall(ids, id),
    remember: (placed: PlacedBeacon | undefined) => {
      if (placed === undefined) return undefined
      keep(hashes, placed.beacon.hash, placed.beacon)
      keep(ids, placed.beacon.id, placed.beacon)
      return placed.beacon
    },
  })
}
