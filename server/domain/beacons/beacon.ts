// The public view of a finalized block: four fields, nothing else.
import type { EntityManager } from '@mikro-orm/postgresql'
import { rows } from '../../store/rows.ts'

/**
 * e.g. `{"id":"01a2ce8e-9320-7630-bb7f-73edc8868b1d","hash":"6bf4c8bc…","timestamp":"2027-01-01T00:02:00.000Z",
 * "previous_hash":"7f176488…"}`
 */
export interface Beacon {
  readonly id: string
  readonly hash: string
  readonly timestamp: string
  readonly previous_hash: string
}

/** A beacon and its place in the chain; the height is for readers that resume, it is not part of the beacon. */
export interface PlacedBeacon {
  readonly height: number
  readonly beacon: Beacon
}

/** Genesis is there before a server listens, so a head always exists. Index: blocks_height_key. */
export async function latestBeacon({ em }: { em: EntityManager }): Promise<PlacedBeacon> {
  const [head] = await select(em, 'ORDER BY height DESC LIMIT 1', [])
  if (head === undefined) throw new Error('The ledger has no genesis block.')
  return head
}

/** @param id lower-case UUIDv7 */
export async function beaconById(
  { em }: { em: EntityManager },
  id: string,
): Promise<PlacedBeacon | undefined> {
  return (await select(em, 'WHERE id = $1', [id]))[0]
}

/** @param hash 32 bytes */
export async function beaconByHash(
  { em }: { em: EntityManager },
  hash: Uint8Array,
): Promise<PlacedBeacon | undefined> {
  return (await select(em, 'WHERE block_hash = $1', [hash]))[0]
}

/** The beacons above a height, oldest first, at most `limit`. Heights have no gaps, so nothing is ever missed. */
export const beaconsAbove = (
  { em }: { em: EntityManager },
  height: number,
  limit: number,
): Promise<PlacedBeacon[]> => select(em, 'WHERE height > $1 ORDER BY height LIMIT $2', [height, limit])

/** The same from a height on, with the beacon that stands there. */
export const beaconsFrom = (
  { em }: { em: EntityManager },
  height: number,
  limit: number,
): Promise<PlacedBeacon[]> => select(em, 'WHERE height >= $1 ORDER BY height LIMIT $2', [height, limit])

/** The newest beacons, newest first. Index: blocks_height_key. */
export const newestBeacons = ({ em }: { em: EntityManager }, limit: number): Promise<PlacedBeacon[]> =>
  select(em, 'ORDER BY height DESC LIMIT $1', [limit])

interface BeaconRow {
  height: number
  id: string
  hash: string
  timestamp: string
  previous_hash: string
}

async function select(
  em: EntityManager,
  tail: string,
  parameters: readonly unknown[],
): Promise<PlacedBeacon[]> {
  const found = await rows<BeaconRow>(
    em,
    `SELECT height, id, encode(block_hash, 'hex') AS hash, iso_time(finalized_at) AS timestamp,
            encode(previous_block_hash, 'hex') AS previous_hash
       FROM blocks ${tail}`,
    parameters,
  )
  return found.map(({ height, id, hash, timestamp, previous_hash }) => ({
    height,
    beacon: Object.freeze({ id, hash, timestamp, previous_hash }),
  }))
}
