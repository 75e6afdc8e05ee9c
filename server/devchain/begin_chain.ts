// Begins a development chain: it stores the genesis block of regtest and a run of blocks whose coinbases can be
// spent.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { readHeader } from '../../shared/proof/bitcoin/block_header.ts'
import { doubleSha256 } from '../../shared/proof/bitcoin/double_sha256.ts'
import { readTransaction, transactionHash } from '../../shared/proof/bitcoin/transaction.ts'
import { fromHex } from '../../shared/proof/bytes.ts'
import { bool, float8 } from '../store/columns.ts'
import { change, db, row } from '../store/run.ts'
import { command, statement } from '../store/statement.ts'
import { type AssembledBlock, assembleBlock, EXTRA_NONCE_BYTES, type Miner } from './mine_block.ts'
import { COINBASE_MATURITY, GENESIS_COINBASE, GENESIS_HEADER } from './parameters.ts'
import { connect, underChainLock } from './standing.ts'
import { medianTime, readTip, storeBlock } from './stored_block.ts'
import { insertTransactions } from './stored_transaction.ts'

/** This many coins are old enough to be spent after a run. */
const FIRST_COINS = 20
const RUN = COINBASE_MATURITY + FIRST_COINS - 1

/**
 * Runs under the chain's lock. When several servers start together, one begins the chain and the others find it
 * begun. A wallet without a coin gets its own run, for example after a change of the master key.
 */
export const beginChain = ({ em, random }: Miner, payTo: Uint8Array): Promise<void> =>
  underChainLock(em, async (inside) => {
    const { begun, funded, now } = await row(inside, BEGINNING({ payTo }))
    if (funded) return
    const since = now - RUN
    const after = begun
      ? await lastBlock(inside, since)
      : { hash: await insertGenesis(inside), height: 0, time: since }
    await insertRun({ em: inside, random }, { after, payTo })
  })

/** `now` is Unix seconds. */
const BEGINNING = statement(
  { begun: bool, funded: bool, now: float8 },
  ({ payTo }: { payTo: Uint8Array }) => sql`
  SELECT EXISTS (SELECT FROM development_blocks) AS begun,
         EXISTS (SELECT FROM development_outputs WHERE script = ${payTo} AND live AND spent_by IS NULL) AS funded,
         floor(unix_ms(pharos_now()) / 1000)::float8 AS now`,
)

interface Before {
  readonly hash: Uint8Array
  readonly height: number
  /** Unix seconds. The first block of the run is dated one second later. */
  readonly time: number
}

async function lastBlock(em: EntityManager, since: number): Promise<Before> {
  const { hash, height } = await readTip(em)
  return { hash, height, time: Math.max(since, await medianTime(em, hash)) }
}

async function insertGenesis(em: EntityManager): Promise<Uint8Array> {
  const header = fromHex(GENESIS_HEADER)
  const hash = doubleSha256(header)
  const coinbase = readTransaction(fromHex(GENESIS_COINBASE))
  const txid = transactionHash(coinbase)
  await insertTransactions(em, [{ transaction: coinbase, fee: 0 }])
  // On every Bitcoin chain the output of the genesis coinbase cannot be spent.
  await db(em).deleteFrom('development_outputs').where('txid', '=', Buffer.from(txid)).execute()
  const { time } = readHeader(header)
  await storeBlock(em, { hash, previousHash: null, height: 0, time, header, transactionIds: [txid] })
  await connect(em, [hash])
  return hash
}

/**
 * The blocks are one second apart and end now if possible. A run that started now would date later blocks in the
 * future.
 */
async function insertRun(
  { em, random }: Miner,
  { after, payTo }: { readonly after: Before; readonly payTo: Uint8Array },
): Promise<void> {
  const run: AssembledBlock[] = []
  let previousHash = after.hash
  for (let place = 1; place <= RUN; place++) {
    const height = after.height + place
    const time = after.time + place
    const extraNonce = random(EXTRA_NONCE_BYTES)
    const block = assembleBlock({ previousHash, height, time, transactions: [], fees: 0, payTo, extraNonce })
    run.push(block)
    previousHash = block.hash
  }
  await insertTransactions(
    em,
    run.map(({ coinbase }) => ({ transaction: coinbase, fee: 0 })),
  )
  const inserted = {
    hashes: run.map(({ hash }) => hash),
    headers: run.map(({ header }) => header),
    coinbases: run.map(({ transactionIds: [coinbase] }) => coinbase),
    height: after.height,
    time: after.time,
  }
  await change(em, INSERT_RUN(inserted))
  await connect(
    em,
    run.map(({ hash }) => hash),
  )
}

interface Run {
  readonly hashes: readonly Uint8Array[]
  readonly headers: readonly Uint8Array[]
  readonly coinbases: readonly (Uint8Array | undefined)[]
  readonly height: number
  readonly time: number
}

/** Each block has only a coinbase. Bytes 4 to 36 of a header are the hash of the previous block. */
const INSERT_RUN = command(
  ({ hashes, headers, coinbases, height, time }: Run) => sql`
  INSERT INTO development_blocks (hash, previous_hash, height, time, header, transaction_ids)
  SELECT hash, substring(header FROM 5 FOR 32), ${height}::int + place, ${time}::bigint + place, header, ARRAY[coinbase]
    FROM unnest(${hashes}::bytea[], ${headers}::bytea[], ${coinbases}::bytea[]) WITH ORDINALITY AS run (hash, header, coinbase, place)
   ORDER BY place`,
)
