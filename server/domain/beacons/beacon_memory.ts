// Beacons almost never change, so they are kept in memory after the first read. The least recently used are removed
// first.
import type { Beacon } from '../../../shared/wire/console_stream.ts'
import type { AtOnce } from '../../kernel/flow/at_once.ts'
import type { PlacedBeacon } from './beacon.ts'

type Read = () => Promise<PlacedBeacon | undefined>

export interface BeaconMemory {
  /** @param hash lower-case hex. An unknown beacon is read, and remembered unless `forget` was called meanwhile. */
  readonly byHash: (hash: string, read: Read) => AtOnce<Beacon | undefined>
  readonly byId: (id: string, read: Read) => AtOnce<Beacon | undefined>
  /** Call it when the chain was replaced. Removes everything that was read before. */
  readonly forget: () => void
}

/** About 400 bytes each. A week of one block a minute. */
const MOST = 10_080

export function createBeaconMemory(most: number = MOST): BeaconMemory {
  const hashes = new Map<string, Beacon>()
  const ids = new Map<string, Beacon>()
  let forgotten = 0
  const keep = (map: Map<string, Beacon>, name: string, beacon: Beacon): void => {
    // A Map keeps insertion order, so inserting again makes the entry the newest.
    map.delete(name)
    map.set(name, beacon)
    const oldest = map.size > most ? map.keys().next().value : undefined
    if (oldest !== undefined) map.delete(oldest)
  }
  const readOnce = async (read: Read): Promise<Beacon | undefined> => {
    const since = forgotten
    const placed = await read()
    if (placed !== undefined && since === forgotten) {
      keep(hashes, placed.beacon.hash, placed.beacon)
      keep(ids, placed.beacon.id, placed.beacon)
    }
    return placed?.beacon
  }
  const ask = (map: Map<string, Beacon>, name: string, read: Read): AtOnce<Beacon | undefined> => {
    const known = map.get(name)
    if (known === undefined) return readOnce(read)
    keep(map, name, known)
    return known
  }
  return Object.freeze({
    byHash: (hash: string, read: Read) => ask(hashes, hash, read),
    byId: (id: string, read: Read) => ask(ids, id, read),
    forget: () => {
      forgotten += 1
      hashes.clear()
      ids.clear()
    },
  })
}
