// Blocks as they are stored: the tip, one by hash or height, and the time that the next must be later than.
import type { EntityManager } from '@mikro-orm/postgresql'
import { row, rows } from '../store/rows.ts'
import { MEDIAN_SPAN } from './parameters.ts'

export interface StoredBlock {
  readonly hash: Uint8Array
  readonly height: number
  /** Unix seconds. */
  readonly time: number
  readonly header: Uint8Array
  /** In block order, the coinbase first. */
  readonly transactionIds: readonly Uint8Array[]
  readonly active: boolean
}

const COLUMNS = `hash, height, time::float8 AS time, header, transaction_ids AS "transactionIds", active`

/** There is always one: the first block is stored before anything else. */
export const readTip = (em: EntityManager): Promise<StoredBlock> =>
  row(em, `SELECT ${COLUMNS} FROM development_blocks WHERE active ORDER BY height DESC LIMIT 1`)

export async function blockByHash(em: EntityManager, hash: Uint8Array): Promise<StoredBlock | undefined> {
  const [found] = await rows<StoredBlock>(em, `SELECT ${COLUMNS} FROM development_blocks WHERE hash = $1`, [
    hash,
  ])
  return found
}

/** On the active chain. */
export async function blockAtHeight(em: EntityManager, height: number): Promise<StoredBlock | undefined> {
  const [found] = await rows<StoredBlock>(
    em,
    `SELECT ${COLUMNS} FROM development_blocks WHERE active AND height = $1`,
    [height],
  )
  return found
}

/** The median time of a block and the ten before it (BIP113), in Unix seconds. */
export async function medianTime(em: EntityManager, hash: Uint8Array): Promise<number> {
  const { median } = await row<{ median: number }>(em, MEDIAN_TIME, [hash, MEDIAN_SPAN])
  return median
}

/** Steps back by primary key, so it also works on blocks that are not active. */
const MEDIAN_TIME = `
  WITH RECURSIVE back AS (
    SELECT previous_hash, time, 1 AS step FROM development_blocks WHERE hash = $1
    UNION ALL
    SELECT b.previous_hash, b.time, step + 1
      FROM back JOIN development_blocks b ON b.hash = back.previous_hash WHERE step < $2
  )
  SELECT (array_agg(time ORDER BY time))[count(*) / 2 + 1]::float8 AS median FROM back`

export type NewBlock = Omit<StoredBlock, 'active'> & { readonly previousHash: Uint8Array | null }

/** Stores a block whose transactions are stored; it is not active until it is connected. */
export async function insertBlock(em: EntityManager, block: NewBlock): Promise<void> {
  await rows(
    em,
    `INSERT INTO development_blocks (hash, previous_hash, height, time, header, transaction_ids)
     VALUES ($1, $2, $3, $4, $5, $6)`,
    [block.hash, block.previousHash, block.height, block.time, block.header, block.transactionIds],
  )
}
