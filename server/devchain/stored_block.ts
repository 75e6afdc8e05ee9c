// Reads and stores blocks: the tip, a block by hash or height, and the median time.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { bool, bytes, bytesList, float8, int4, type RowOf } from '../store/columns.ts'
import { change, row, rows } from '../store/run.ts'
import { command, statement } from '../store/statement.ts'
import { MEDIAN_SPAN } from './parameters.ts'

const BLOCK_ROW = {
  hash: bytes,
  height: int4,
  /** Unix seconds. */
  time: float8,
  header: bytes,
  /** In block order, with the coinbase first. */
  transactionIds: bytesList,
  active: bool,
}

export type StoredBlock = RowOf<typeof BLOCK_ROW>

const SELECT = sql`
  SELECT hash, height, time::float8 AS time, header, transaction_ids AS "transactionIds", active
    FROM development_blocks`

const TIP = statement(BLOCK_ROW, sql`${SELECT} WHERE active ORDER BY height DESC LIMIT 1`)
const BY_HASH = statement(BLOCK_ROW, ({ hash }: { hash: Uint8Array }) => sql`${SELECT} WHERE hash = ${hash}`)
const AT_HEIGHT = statement(
  BLOCK_ROW,
  ({ height }: { height: number }) => sql`${SELECT} WHERE active AND height = ${height}`,
)

/**
 * Must be called after the genesis block is stored.
 * @throws when there is no block
 */
export const readTip = (em: EntityManager): Promise<StoredBlock> => row(em, TIP)

export async function blockByHash(em: EntityManager, hash: Uint8Array): Promise<StoredBlock | undefined> {
  const [found] = await rows(em, BY_HASH({ hash }))
  return found
}

/** Finds a block on the active chain only. */
export async function blockAtHeight(em: EntityManager, height: number): Promise<StoredBlock | undefined> {
  const [found] = await rows(em, AT_HEIGHT({ height }))
  return found
}

/** The median time in Unix seconds of a block and the ten blocks before it (BIP113). The next block must be later. */
export async function medianTime(em: EntityManager, hash: Uint8Array): Promise<number> {
  const { median } = await row(em, MEDIAN_TIME({ hash }))
  return median
}

/** Follows the previous blocks by primary key, so it also works for blocks that are not active. */
const MEDIAN_TIME = statement(
  { median: float8 },
  ({ hash }: { hash: Uint8Array }) => sql`
  WITH RECURSIVE back AS (
    SELECT previous_hash, time, 1 AS step FROM development_blocks WHERE hash = ${hash}
    UNION ALL
    SELECT b.previous_hash, b.time, step + 1
      FROM back JOIN development_blocks b ON b.hash = back.previous_hash WHERE step < ${sql.lit(MEDIAN_SPAN)}
  )
  SELECT (array_agg(time ORDER BY time))[count(*) / 2 + 1]::float8 AS median FROM back`,
)

interface NewBlock {
  readonly hash: Uint8Array
  readonly previousHash: Uint8Array | null
  readonly height: number
  /** Unix seconds. */
  readonly time: number
  readonly header: Uint8Array
  /** In block order, with the coinbase first. */
  readonly transactionIds: readonly Uint8Array[]
}

/** Stores a block. Its transactions must be stored before. The block is inactive until it is connected. */
export async function storeBlock(em: EntityManager, block: NewBlock): Promise<void> {
  await change(em, INSERT(block))
}

const INSERT = command(
  ({ hash, previousHash, height, time, header, transactionIds }: NewBlock) => sql`
  INSERT INTO development_blocks (hash, previous_hash, height, time, header, transaction_ids)
  VALUES (${hash}, ${previousHash}, ${height}, ${time}, ${header}, ${transactionIds})`,
)
