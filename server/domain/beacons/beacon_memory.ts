// Beacons almost never change, so they are kept in memory after the first read.
import type { Beacon } from '../../../shared/wire/console_stream.ts'
import type { AtOnce } from '../../kernel/flow/at_once.ts'
import { type Lru, lru } from '../../kernel/lru.ts'
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
  const hashes = lru<string, Beacon>(most)
  const ids = lru<string, Beacon>(most)
  let forgotten = 0
  const readOnce = async (read: Read): Promise<Beacon | undefined> => {
    const since = forgotten
    const placed = await read()
    if (placed !== undefined && since === forgotten) {
      hashes.set(placed.beacon.hash, placed.beacon)
      ids.set(placed.beacon.id, placed.beacon)
    }
    return placed?.beacon
  }
  const ask = (known: Lru<string, Beacon>, name: string, read: Read): AtOnce<Beacon | undefined> =>
    known.get(name) ?? readOnce(read)
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
