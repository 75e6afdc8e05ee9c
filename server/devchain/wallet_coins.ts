// The coins that the wallet may spend now.
import type { EntityManager } from '@mikro-orm/postgresql'
import { rows } from '../store/rows.ts'
import { COINBASE_MATURITY } from './parameters.ts'
import { readTip } from './stored_block.ts'

export interface WalletCoin {
  readonly txid: Uint8Array
  readonly n: number
  /** Satoshis. */
  readonly amount: number
  /** Null while it is not confirmed. */
  readonly height: number | null
}

interface Choice {
  /** The wallet's. */
  readonly script: Uint8Array
  readonly standing: 'chain' | 'pool'
  readonly limit: number
}

/** The largest first; without coinbases that are too young. Walks an index of what is unspent. */
export async function spendableCoins(
  em: EntityManager,
  { script, standing, limit }: Choice,
): Promise<WalletCoin[]> {
  const { height } = await readTip(em)
  return rows(em, SPENDABLE, [script, standing, height + 1 - COINBASE_MATURITY, limit])
}

const SPENDABLE = `
  SELECT o.txid, o.n::float8 AS n, o.amount::float8 AS amount, t.height
    FROM development_outputs o JOIN development_transactions t ON t.txid = o.txid
   WHERE o.script = $1 AND o.live AND o.spent_by IS NULL
     AND t.standing = $2 AND (NOT t.coinbase OR t.height <= $3)
   ORDER BY o.amount DESC, o.txid, o.n LIMIT $4`
