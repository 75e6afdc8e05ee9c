// Stores blocks, and tells the tip, a block by hash or height, and the median time; with the lock under which the
// chain is changed.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { bool, bytes, bytesList, float8, int4, type RowOf } from '../store/columns.ts'
import { change, command, db, firstRow, inTransaction, row, rows, statement } from '../store/statement.ts'
import { claimOutputs } from './stored_transaction.ts'

const DEVELOPMENT_CHAIN_LOCK = 7_205_003

const LOCK = command(sql`SELECT pg_advisory_xact_lock(${sql.lit(DEVELOPMENT_CHAIN_LOCK)})`)

/**
 * Runs the work under the lock, in one transaction. Any number of servers share the chain, and each writer sees the
 * changes of the one before.
 */
export const underChainLock = <T>(em: EntityManager, work: (em: EntityManager) => Promise<T>): Promise<T> =>
  inTransaction(em, async (inside) => {
    await change(inside, LOCK)
    return work(inside)
  })

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

export const blockByHash = (em: EntityManager, hash: Uint8Array): Promise<StoredBlock | undefined> =>
  firstRow(em, BY_HASH({ hash }))

/** Finds a block on the active chain only. */
export const blockAtHeight = (em: EntityManager, height: number): Promise<StoredBlock | undefined> =>
  firstRow(em, AT_HEIGHT({ height }))

/** The median time in Unix seconds of a block and the ten blocks before it (BIP113). The next block must be later. */
export const medianTime = async (em: EntityManager, hash: Uint8Array): Promise<number> =>
  (await row(em, MEDIAN_TIME({ hash }))).median

/** Follows the previous blocks by primary key, so it also works for blocks that are not active. */
const MEDIAN_TIME = statement(
  { median: float8 },
  ({ hash }: { hash: Uint8Array }) => sql`
  WITH RECURSIVE back AS (
    SELECT previous_hash, time, 1 AS step FROM development_blocks WHERE hash = ${hash}
    UNION ALL
    SELECT b.previous_hash, b.time, step + 1
      FROM back JOIN development_blocks b ON b.hash = back.previous_hash WHERE step < 11
  )
  SELECT (array_agg(time ORDER BY time))[count(*) / 2 + 1]::float8 AS median FROM back`,
)

export interface NewBlock {
  readonly hash: Uint8Array
  readonly previousHash: Uint8Array | null
  readonly height: number
  /** Unix seconds. */
  readonly time: number
  readonly header: Uint8Array
  /** In block order, with the coinbase first. */
  readonly transactionIds: readonly Uint8Array[]
}

/** The blocks must follow the active tip in order, and their transactions must be stored before. */
export async function appendBlocks(em: EntityManager, blocks: readonly NewBlock[]): Promise<void> {
  await db(em)
    .insertInto('development_blocks')
    .values(
      blocks.map(({ hash, previousHash, height, time, header, transactionIds }) => ({
        hash,
        previous_hash: previousHash,
        height,
        time,
        header,
        transaction_ids: transactionIds,
      })),
    )
    .execute()
  await connect(
    em,
    blocks.map(({ hash }) => hash),
  )
}

/** Makes these blocks active and their transactions confirmed. The blocks must follow the active tip in order. */
export async function connect(em: EntityManager, hashes: readonly Uint8Array[]): Promise<void> {
  await change(em, ACTIVATE({ hashes }))
  const confirmed = await rows(em, CONFIRM({ hashes }))
  await claimOutputs(
    em,
    confirmed.map(({ txid }) => txid),
  )
}

interface Hashes {
  readonly hashes: readonly Uint8Array[]
}

const ACTIVATE = command(
  ({ hashes }: Hashes) =>
    sql`UPDATE development_blocks SET active = true WHERE hash = ANY(${hashes}::bytea[])`,
)

const CONFIRM = statement(
  { txid: bytes },
  ({ hashes }: Hashes) => sql`
  UPDATE development_transactions t SET standing = 'chain', block_hash = b.hash, height = b.height
    FROM development_blocks b, unnest(b.transaction_ids) AS held (txid)
   WHERE b.hash = ANY(${hashes}::bytea[]) AND t.txid = held.txid RETURNING t.txid`,
)
