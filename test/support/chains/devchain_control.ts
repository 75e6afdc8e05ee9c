// Test controls of the development chain, directly in its database: make blocks, switch the branch, look
// inside.
import { randomBytes } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import { spendableCoins } from '../../../server/devchain/fund_transaction.ts'
import { extendChain } from '../../../server/devchain/mine_block.ts'
import { COINBASE_MATURITY } from '../../../server/devchain/parameters.ts'
import { connect, putOut, underChainLock } from '../../../server/devchain/standing.ts'
import { readTip } from '../../../server/devchain/stored_block.ts'
import type { Store } from '../../../server/store/open_store.ts'
import { displayHash, internalHash } from '../../../shared/proof/bitcoin/double_sha256.ts'
import { rows } from '../rows.ts'

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
      for (let mined = 0; mined < blocks; mined += 1)
        await locked((em) => extendChain({ em, random: randomBytes }, script))
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
      const found = await spendableCoins(store.em(), { script, standing: 'chain', limit: 1_000 })
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

/** Disconnects blocks down to the fork, then connects blocks up to `tip`. */
async function activate(em: EntityManager, tip: Uint8Array): Promise<void> {
  const branch = await rows<{ hash: Buffer; height: number }>(em, BRANCH, [tip])
  const [fork, ...above] = branch
  if (fork === undefined) throw new Error('There is no such block.')
  await disconnect(em, fork.height)
  const hashes = above.map(({ hash }) => hash)
  const rivals = await rows<{ txid: Buffer }>(em, RIVALS, [hashes])
  await putOut(
    em,
    rivals.map(({ txid }) => txid),
  )
  await connect(em, hashes)
  const { height } = await readTip(em)
  const premature = await rows<{ txid: Buffer }>(em, PREMATURE, [height + 1 - COINBASE_MATURITY])
  await putOut(
    em,
    premature.map(({ txid }) => txid),
  )
}

/**
 * Disconnects every active block above `height`: transactions return to the pool, and coinbase outputs
 * disappear.
 */
async function disconnect(em: EntityManager, height: number): Promise<void> {
  const taken = await rows<{ transactionIds: Buffer[] }>(
    em,
    `UPDATE development_blocks SET active = false WHERE active AND height > $1
     RETURNING transaction_ids AS "transactionIds"`,
    [height],
  )
  await rows(
    em,
    `UPDATE development_transactions SET standing = 'pool', block_hash = NULL, height = NULL
      WHERE txid = ANY($1::bytea[])`,
    [taken.flatMap(({ transactionIds }) => transactionIds)],
  )
  await putOut(
    em,
    taken.flatMap(({ transactionIds }) => transactionIds.slice(0, 1)),
  )
}

/** From the given block down to the first active one. That one comes first in the result. */
const BRANCH = `
  WITH RECURSIVE branch AS (
    SELECT hash, previous_hash, height, active FROM development_blocks WHERE hash = $1
    UNION ALL
    SELECT b.hash, b.previous_hash, b.height, b.active
      FROM branch JOIN development_blocks b ON b.hash = branch.previous_hash WHERE NOT branch.active
  )
  SELECT hash, height FROM branch ORDER BY height`

/** Transactions in the pool that spend the same outputs as a transaction of these blocks. */
const RIVALS = `
  WITH held AS (SELECT unnest(transaction_ids) AS txid FROM development_blocks WHERE hash = ANY($1::bytea[]))
  SELECT DISTINCT o.spent_by AS txid
    FROM held
    JOIN development_inputs i ON i.spender = held.txid
    JOIN development_outputs o ON o.txid = i.txid AND o.n = i.n
   WHERE o.spent_by IS NOT NULL AND o.spent_by NOT IN (TABLE held)`

/** Transactions that spend a coinbase which is too young after a step back. They cannot be mined next. */
const PREMATURE = `
  SELECT DISTINCT t.txid
    FROM development_transactions t
    JOIN development_inputs i ON i.spender = t.txid
    JOIN development_transactions c ON c.txid = i.txid
   WHERE t.standing = 'pool' AND c.coinbase AND c.height > $1`

const TAKE_AWAY = `
  UPDATE development_outputs o SET live = false FROM development_transactions t
   WHERE t.txid = o.txid AND t.standing = 'chain' AND o.script = $1 AND o.live AND o.spent_by IS NULL
   RETURNING o.txid, o.n`

const GIVE_BACK = `
  UPDATE development_outputs o SET live = true FROM unnest($1::bytea[], $2::bigint[]) AS away (txid, n)
   WHERE o.txid = away.txid AND o.n = away.n`
