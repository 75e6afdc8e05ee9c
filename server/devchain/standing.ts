// Moves transactions between pool, chain and out, and updates which outputs exist and which transaction spends them,
// under the lock that everything that changes the chain holds.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { bytes, float8, int4 } from '../store/columns.ts'
import { change, inTransaction, rows } from '../store/run.ts'
import { command, type RowFrom, statement } from '../store/statement.ts'

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

type TransactionIds = readonly Uint8Array[]

/** Takes these transactions and all that spend from them out. The outputs that they spent can be spent again. */
export async function putOut(em: EntityManager, txids: TransactionIds): Promise<void> {
  if (txids.length === 0) return
  const all = (await withDescendants(em, txids)).map(({ txid }) => txid)
  await change(em, RELEASE_INPUTS({ txids: all }))
  await change(em, END_OUTPUTS({ txids: all }))
  await change(em, PUT_OUT({ txids: all }))
}

/** The caller must have checked that the inputs are free. */
export async function putIntoPool(em: EntityManager, txids: TransactionIds): Promise<void> {
  await change(em, PUT_INTO_POOL({ txids }))
  await claimOutputs(em, txids)
}

/** Marks the outputs of these transactions as existing and their inputs as spent. */
async function claimOutputs(em: EntityManager, txids: TransactionIds): Promise<void> {
  await change(em, BEGIN_OUTPUTS({ txids }))
  await change(em, CLAIM_INPUTS({ txids }))
}

/** The given transactions and all that spend from them, directly or indirectly, with their fees in satoshis. */
export const withDescendants = (
  em: EntityManager,
  txids: TransactionIds,
): Promise<readonly RowFrom<typeof DESCENDANTS>[]> => rows(em, DESCENDANTS({ txids }))

interface These {
  readonly txids: TransactionIds
}

const END_OUTPUTS = command(
  ({ txids }: These) => sql`UPDATE development_outputs SET live = false WHERE txid = ANY(${txids}::bytea[])`,
)

const PUT_OUT = command(
  ({ txids }: These) => sql`
  UPDATE development_transactions SET standing = 'out', block_hash = NULL, height = NULL
   WHERE txid = ANY(${txids}::bytea[])`,
)

const PUT_INTO_POOL = command(
  ({ txids }: These) =>
    sql`UPDATE development_transactions SET standing = 'pool' WHERE txid = ANY(${txids}::bytea[])`,
)

const BEGIN_OUTPUTS = command(
  ({ txids }: These) => sql`UPDATE development_outputs SET live = true WHERE txid = ANY(${txids}::bytea[])`,
)

const CLAIM_INPUTS = command(
  ({ txids }: These) => sql`
  UPDATE development_outputs o SET spent_by = i.spender
    FROM development_inputs i
   WHERE i.spender = ANY(${txids}::bytea[]) AND o.txid = i.txid AND o.n = i.n`,
)

const DESCENDANTS = statement(
  { txid: bytes, fee: float8, weight: int4 },
  ({ txids }: These) => sql`
  WITH RECURSIVE gone AS (
    SELECT unnest(${txids}::bytea[]) AS txid
    UNION
    SELECT o.spent_by FROM gone JOIN development_outputs o ON o.txid = gone.txid WHERE o.spent_by IS NOT NULL
  )
  SELECT t.txid, t.fee::float8 AS fee, t.weight FROM gone JOIN development_transactions t ON t.txid = gone.txid`,
)

const RELEASE_INPUTS = command(
  ({ txids }: These) => sql`
  UPDATE development_outputs o SET spent_by = NULL
    FROM development_inputs i
   WHERE i.spender = ANY(${txids}::bytea[]) AND o.txid = i.txid AND o.n = i.n AND o.spent_by = i.spender`,
)

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
