// Test controls of the development chain, directly in its database: make blocks, switch the branch, look
// inside.
import type { EntityManager } from '@mikro-orm/postgresql'
import { extendChain } from '../../../server/devchain/mine_block.ts'
import { readTip, underChainLock } from '../../../server/devchain/stored_block.ts'
import { COINBASE_MATURITY } from '../../../server/devchain/stored_transaction.ts'
import type { Store } from '../../../server/store/open_store.ts'
import { displayHash, internalHash } from '../../../shared/proof/bitcoin/bitcoin_bytes.ts'
import { rows } from '../rows.ts'
import { activate, putOut } from './devchain_branches.ts'

export interface WalletOutput {
  readonly txid: string
  readonly vout: number
  /** Satoshis. */
  readonly amount: number
}

/** Hashes are in display order. */
export interface DevchainControl {
  /** Makes blocks. Each takes the waiting transactions; without any it is empty. */
  readonly mine: (blocks?: number) => Promise<void>
  readonly tip: () => Promise<string>
  /** The transactions of the pool, oldest first. */
  readonly waiting: () => Promise<string[]>
  /** The transactions of a block, the coinbase first. */
  readonly transactionsOf: (block: string) => Promise<string[]>
  /** Confirmed coins that the wallet may spend, largest first. */
  readonly coins: () => Promise<WalletOutput[]>
  /** Makes the branch that ends with this block the active one, even when it is not higher. */
  readonly moveTo: (block: string) => Promise<void>
  /** As `moveTo`, for the block this many below the tip. */
  readonly takeBack: (blocks: number) => Promise<void>
  /** Removes the transaction, and those that spend its outputs, from the pool. */
  readonly forget: (txid: string) => Promise<void>
  /** Runs the work while the wallet cannot choose any confirmed coin. */
  readonly withoutCoins: <T>(work: () => Promise<T>) => Promise<T>
}

export function controlDevchain({
  store,
  script,
}: {
  readonly store: Pick<Store, 'em'>
  /** The script of the wallet, which is paid for every block. */
  readonly script: Uint8Array
}): DevchainControl {
  const locked = <T>(work: (em: EntityManager) => Promise<T>): Promise<T> => underChainLock(store.em(), work)
  const takeBack = (blocks: number): Promise<void> =>
    locked(async (em) => {
      const { height } = await readTip(em)
      const [target] = await rows<{ hash: Buffer }>(
        em,
        'SELECT hash FROM development_blocks WHERE active AND height = $1',
        [Math.max(0, height - blocks)],
      )
      if (target !== undefined) await activate(em, target.hash)
    })
  return {
    mine: async (blocks = 1) => {
      for (let mined = 0; mined < blocks; mined += 1) await locked((em) => extendChain({ em, payTo: script }))
    },
    tip: async () => displayHash((await readTip(store.em())).hash),
    waiting: async () => {
      const found = await rows<{ txid: Buffer }>(
        store.em(),
        `SELECT txid FROM development_transactions WHERE standing = 'pool' ORDER BY arrival`,
      )
      return found.map(({ txid }) => displayHash(txid))
    },
    transactionsOf: async (block) => {
      const [found] = await rows<{ txids: Buffer[] }>(
        store.em(),
        'SELECT transaction_ids AS txids FROM development_blocks WHERE hash = $1',
        [internalHash(block)],
      )
      return (found?.txids ?? []).map((txid) => displayHash(txid))
    },
    coins: async () => {
      const found = await rows<{ txid: Buffer; n: number; amount: number }>(store.em(), COINS, [
        script,
        COINBASE_MATURITY,
      ])
      return found.map(({ txid, n, amount }) => ({ txid: displayHash(txid), vout: n, amount }))
    },
    moveTo: (block) => locked((em) => activate(em, internalHash(block))),
    takeBack,
    forget: (txid) => locked((em) => putOut(em, [internalHash(txid)])),
    withoutCoins: async (work) => {
      const away = await rows<{ txid: Buffer; n: string }>(store.em(), TAKE_AWAY, [script])
      try {
        return await work()
      } finally {
        await rows(store.em(), GIVE_BACK, [away.map(({ txid }) => txid), away.map(({ n }) => n)])
      }
    },
  }
}

/** Coins that the wallet may spend in the next block. */
const COINS = `
  SELECT o.txid, o.n::float8 AS n, o.amount::float8 AS amount
    FROM development_outputs o JOIN development_transactions t ON t.txid = o.txid
   WHERE o.script = $1 AND o.live AND o.spent_by IS NULL AND t.standing = 'chain'
     AND (NOT t.coinbase OR t.height <= (SELECT max(height) FROM development_blocks WHERE active) + 1 - $2)
   ORDER BY o.amount DESC, o.txid, o.n`

const TAKE_AWAY = `
  UPDATE development_outputs o SET live = false FROM development_transactions t
   WHERE t.txid = o.txid AND t.standing = 'chain' AND o.script = $1 AND o.live AND o.spent_by IS NULL
   RETURNING o.txid, o.n`

const GIVE_BACK = `
  UPDATE development_outputs o SET live = true FROM unnest($1::bytea[], $2::bigint[]) AS away (txid, n)
   WHERE o.txid = away.txid AND o.n = away.n`
