// Starts a development Bitcoin chain inside the service. It follows the regtest formats exactly, but it proves
// nothing to outsiders. Its first blocks are the genesis block of regtest and a run whose coinbases can be spent.
import { randomBytes } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { doubleSha256 } from '../../shared/proof/bitcoin/bitcoin_bytes.ts'
import { readHeader } from '../../shared/proof/bitcoin/block_header.ts'
import { readTransaction, transactionHash } from '../../shared/proof/bitcoin/transaction.ts'
import { fromHex } from '../../shared/proof/bytes.ts'
import { repeat } from '../kernel/flow/repeat.ts'
import type { Log } from '../kernel/log.ts'
import type { MasterKey } from '../kernel/sealed.ts'
import { bool, float8 } from '../store/columns.ts'
import type { Store } from '../store/open_store.ts'
import { db, row, statement } from '../store/statement.ts'
import { type AssembledBlock, assembleBlock, type Miner, mineWhenDue } from './mine_block.ts'
import { announceReader } from './reader_address.ts'
import { openRpcServer } from './rpc_server.ts'
import { appendBlocks, medianTime, readTip, underChainLock } from './stored_block.ts'
import { COINBASE_MATURITY, insertTransactions } from './stored_transaction.ts'
import { openWallet } from './wallet.ts'

/** Milliseconds. */
const MINE_AFTER = 2_000
const LOOK_AT_LEAST_EVERY = 1_000

/**
 * The chain is stored in the database. Any number of servers may start a node on it and serve the same chain.
 */
export async function startDevchain(
  {
    store,
    masterKey,
    log,
  }: {
    readonly store: Pick<Store, 'em'>
    readonly masterKey: Pick<MasterKey, 'derive'>
    readonly log: Log
  },
  {
    mineAfterMs = MINE_AFTER,
    dataDir,
  }: {
    /** How long a transaction waits for its block. Blocks are mined only when a transaction waits. */
    readonly mineAfterMs?: number
    /** Where other programs on this machine find the node. They do not when it is absent. */
    readonly dataDir?: string | undefined
  } = {},
) {
  const wallet = openWallet({ masterKey })
  const miner = () => ({ em: store.em('work'), payTo: wallet.script })
  await beginChain(miner())
  const password = () => randomBytes(24).toString('base64url')
  const server = await openRpcServer(
    { node: () => ({ em: store.em('work'), wallet }), log },
    { wallet: password(), reader: password() },
  )
  // The service does without it, where it may not write.
  const withdraw =
    dataDir === undefined
      ? undefined
      : await announceReader(dataDir, server.readerUrl).catch((err: unknown) =>
          log.warn({ err, data_dir: dataDir }, 'development_chain.not_announced'),
        )
  const mining = repeat({
    everyMs: Math.min(mineAfterMs / 2, LOOK_AT_LEAST_EVERY),
    run: () => mineWhenDue(miner(), mineAfterMs),
    onError: (error) => log.error({ err: error }, 'development_chain.mining_failed'),
  })
  return Object.freeze({
    /** The node's address. Contains the password of this start. Never log it. */
    rpcUrl: server.url,
    /** The address for programs that may only read headers. */
    readerUrl: server.readerUrl,
    close: () => Promise.all([mining.stop(), server.close(), withdraw?.()]),
  })
}

/** This many coins are old enough to be spent after a run. */
const FIRST_COINS = 20
const RUN = COINBASE_MATURITY + FIRST_COINS - 1

/** Header and coinbase of the genesis block, with the same bytes as on every regtest node. */
const GENESIS_HEADER =
  '01000000' +
  '00'.repeat(32) +
  '3ba3edfd7a7b12b27ac72c3e67768f617fc81bc3888a51323a9fb8aa4b1e5e4a' +
  'dae5494dffff7f2002000000'
const GENESIS_COINBASE =
  `01000000010000000000000000000000000000000000000000000000000000000000000000ffffffff4d04ffff001d010445${Buffer.from(
    'The Times 03/Jan/2009 Chancellor on brink of second bailout for banks',
  ).toString('hex')}` +
  'ffffffff0100f2052a01000000434104678afdb0fe5548271967f1a67130b7105cd6a828e03909a67962e0ea1f61deb' +
  '649f6bc3f4cef38c4f35504e51ec112de5c384df7ba0b8d578a4c702b6bf11d5fac00000000'

/**
 * Runs under the chain's lock. When several servers start together, one begins the chain and the others find it
 * begun. A wallet without a coin gets its own run, for example after a change of the master key.
 */
const beginChain = (miner: Miner): Promise<void> =>
  underChainLock(miner.em, async (inside) => {
    const { begun, funded, now } = await row(inside, BEGINNING({ payTo: miner.payTo }))
    if (funded) return
    if (!begun) await insertGenesis(inside)
    await insertRun({ ...miner, em: inside }, now - RUN)
  })

/** `now` is Unix seconds. */
const BEGINNING = statement(
  { begun: bool, funded: bool, now: float8 },
  ({ payTo }: { payTo: Uint8Array }) => sql`
  SELECT EXISTS (SELECT FROM development_blocks) AS begun,
         EXISTS (SELECT FROM development_outputs WHERE script = ${payTo} AND live AND spent_by IS NULL) AS funded,
         floor(unix_ms(pharos_now()) / 1000)::float8 AS now`,
)

async function insertGenesis(em: EntityManager): Promise<void> {
  const header = fromHex(GENESIS_HEADER)
  const coinbase = readTransaction(fromHex(GENESIS_COINBASE))
  const txid = transactionHash(coinbase)
  await insertTransactions(em, [{ transaction: coinbase, fee: 0 }])
  // On every Bitcoin chain the output of the genesis coinbase cannot be spent.
  await db(em).deleteFrom('development_outputs').where('txid', '=', Buffer.from(txid)).execute()
  const { time } = readHeader(header)
  const hash = doubleSha256(header)
  await appendBlocks(em, [{ hash, previousHash: null, height: 0, time, header, transactionIds: [txid] }])
}

/**
 * The blocks are one second apart and end now if possible. A run that started now would date later blocks in the
 * future.
 * @param since Unix seconds. The first block is dated later.
 */
async function insertRun({ em, payTo }: Miner, since: number): Promise<void> {
  const tip = await readTip(em)
  const before = Math.max(since, await medianTime(em, tip.hash))
  const run: AssembledBlock[] = []
  for (let place = 1; place <= RUN; place++)
    run.push(
      assembleBlock({
        previousHash: run.at(-1)?.hash ?? tip.hash,
        height: tip.height + place,
        time: before + place,
        transactions: [],
        fees: 0,
        payTo,
      }),
    )
  await insertTransactions(
    em,
    run.map(({ coinbase }) => ({ transaction: coinbase, fee: 0 })),
  )
  await appendBlocks(em, run)
}
