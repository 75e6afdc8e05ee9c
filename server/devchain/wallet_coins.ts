// Reads the coins that the wallet may spend now.

import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { bytes, float8, int4, nullable } from '../store/columns.ts'
import { rows } from '../store/run.ts'
import { statement } from '../store/statement.ts'
import { COINBASE_MATURITY } from './parameters.ts'
import { readTip } from './stored_block.ts'

export interface WalletCoin {
  readonly txid: Uint8Array
  readonly n: number
  /** Satoshis. */
  readonly amount: number
  /** Null while the coin is not confirmed. */
  readonly height: number | null
}

interface Choice {
  /** The wallet's script. */
  readonly script: Uint8Array
  readonly standing: 'chain' | 'pool'
  readonly limit: number
}

/** Largest coins first, without coinbases that are too young. Reads an index of unspent outputs. */
export async function spendableCoins(
  em: EntityManager,
  { script, standing, limit }: Choice,
): Promise<readonly WalletCoin[]> {
  const { height } = await readTip(em)
  return rows(em, SPENDABLE({ script, standing, limit, oldEnough: height + 1 - COINBASE_MATURITY }))
}

const SPENDABLE = statement(
  { txid: bytes, n: float8, amount: float8, height: nullable(int4) },
  ({ script, standing, limit, oldEnough }: Choice & { oldEnough: number }) => sql`
  SELECT o.txid, o.n::float8 AS n, o.amount::float8 AS amount, t.height
    FROM development_outputs o JOIN development_transactions t ON t.txid = o.txid
   WHERE o.script = ${script} AND o.live AND o.spent_by IS NULL
     AND t.standing = ${standing} AND (NOT t.coinbase OR t.height <= ${oldEnough})
   ORDER BY o.amount DESC, o.txid, o.n LIMIT ${limit}`,
)
