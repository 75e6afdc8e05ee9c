// The public view of a finalized block: four fields.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import type { Beacon } from '../../../shared/wire/console_stream.ts'
import type { AtOnce } from '../../kernel/flow/at_once.ts'
import { type Lru, lru } from '../../kernel/lru.ts'
import { int4, type RowOf, text } from '../../store/columns.ts'
import { preparedStatement, rows, type Statement, statement } from '../../store/statement.ts'

/** A beacon and its height in the chain. The height is for readers that resume and is not part of the beacon. */
export interface PlacedBeacon {
  readonly height: number
  readonly beacon: Beacon
}

/** Genesis exists before a server listens, so there is always a head. Index: blocks_height_key. */
export async function latestBeacon(em: EntityManager): Promise<PlacedBeacon> {
  const [head] = await newestBeacons(em, 1)
  if (head === undefined) throw new Error('The ledger has no genesis block.')
  return head
}

/** @param id lower-case UUIDv7 */
export async function beaconById(em: EntityManager, id: string): Promise<PlacedBeacon | undefined> {
  return (await placed(em, BY_ID({ id })))[0]
}

/** @param hash 32 bytes */
export async function beaconByHash(em: EntityManager, hash: Uint8Array): Promise<PlacedBeacon | undefined> {
  return (await placed(em, BY_HASH({ hash })))[0]
}

/**
 * The beacons above a height, oldest first, at most `limit`. Heights have no gaps, so a reader that continues misses
 * none.
 */
export const beaconsAbove = (em: EntityManager, height: number, limit: number): Promise<PlacedBeacon[]> =>
  placed(em, ABOVE({ height, limit }))

/** The newest beacons, newest first. Index: blocks_height_key. */
export const newestBeacons = (em: EntityManager, limit: number): Promise<PlacedBeacon[]> =>
  placed(em, NEWEST({ limit }))

const BEACON_ROW = { height: int4, id: text, hash: text, timestamp: text, previous_hash: text }

async function placed(
  em: EntityManager,
  statement: Statement<RowOf<typeof BEACON_ROW>>,
): Promise<PlacedBeacon[]> {
  const found = await rows(em, statement)
  return found.map(({ height, id, hash, timestamp, previous_hash }) => ({
    height,
    beacon: Object.freeze({ id, hash, timestamp, previous_hash }),
  }))
}

const SELECT = sql`
  SELECT height, id, encode(block_hash, 'hex') AS hash, iso_time(finalized_at) AS timestamp,
         encode(previous_block_hash, 'hex') AS previous_hash
    FROM blocks`

const BY_ID = preparedStatement(BEACON_ROW, ({ id }: { id: string }) => sql`${SELECT} WHERE id = ${id}`)
const BY_HASH = preparedStatement(
  BEACON_ROW,
  ({ hash }: { hash: Uint8Array }) => sql`${SELECT} WHERE block_hash = ${hash}`,
)
const ABOVE = preparedStatement(
  BEACON_ROW,
  ({ height, limit }: { height: number; limit: number }) =>
    sql`${SELECT} WHERE height > ${height} ORDER BY height LIMIT ${limit}`,
)
const NEWEST = statement(
  BEACON_ROW,
  ({ limit }: { limit: number }) => sql`${SELECT} ORDER BY height DESC LIMIT ${limit}`,
)

type Read = () => Promise<PlacedBeacon | undefined>

/** About 400 bytes each. A week of one block a minute. */
const MOST = 10_080

/** Beacons almost never change, so they are kept in memory after the first read. */
export class BeaconMemory {
  readonly #hashes: Lru<string, Beacon>
  readonly #ids: Lru<string, Beacon>
  #forgotten = 0

  constructor(most: number = MOST) {
    this.#hashes = lru(most)
    this.#ids = lru(most)
  }

  /** @param hash lower-case hex. An unknown beacon is read, and remembered unless `forget` was called meanwhile. */
  byHash(hash: string, read: Read): AtOnce<Beacon | undefined> {
    return this.#hashes.get(hash) ?? this.#readOnce(read)
  }

  byId(id: string, read: Read): AtOnce<Beacon | undefined> {
    return this.#ids.get(id) ?? this.#readOnce(read)
  }

  /** Call it when the chain was replaced. Removes everything that was read before. */
  forget(): void {
    this.#forgotten += 1
    this.#hashes.clear()
    this.#ids.clear()
  }

  async #readOnce(read: Read): Promise<Beacon | undefined> {
    const since = this.#forgotten
    const placed = await read()
    if (placed !== undefined && since === this.#forgotten) {
      this.#hashes.set(placed.beacon.hash, placed.beacon)
      this.#ids.set(placed.beacon.id, placed.beacon)
    }
    return placed?.beacon
  }
}
