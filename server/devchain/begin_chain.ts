// The beginning of a development chain: the first block of every regtest chain, and a run that makes coins to spend.

import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { readHeader } from '../../shared/proof/bitcoin/block_header.ts'
import { doubleSha256 } from '../../shared/proof/bitcoin/double_sha256.ts'
import { readTransaction, transactionHash } from '../../shared/proof/bitcoin/transaction.ts'
import { fromHex } from '../../shared/proof/bytes.ts'
import { bool, float8 } from '../store/columns.ts'
import { change, db, row } from '../store/run.ts'
import { command, statement } from '../store/statement.ts'
import { connect } from './active_chain.ts'
import { type AssembledBlock, assembleBlock } from './block_assembly.ts'
import { underChainLock } from './chain_lock.ts'
import { EXTRA_NONCE_BYTES, type Miner } from './mine_block.ts'
import { COINBASE_MATURITY, GENESIS_COINBASE, GENESIS_HEADER } from './parameters.ts'
import { insertBlock, medianTime, readTip } from './stored_block.ts'
import { insertTransactions } from './stored_transaction.ts'

/** As many coins are old enough to be spent once a run is mined. */
const FIRST_COINS = 20
const RUN = COINBASE_MATURITY + FIRST_COINS - 1

/**
 * Under the chain's lock: of servers that start together one begins the chain, and the others find it begun. A wallet
 * without any coin, as a new master key makes one, gets a run of its own.
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

/** `now`: seconds since 1970. */
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
  /** Seconds since 1970: the run's first block is dated one later. */
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
  // On every Bitcoin chain the first coinbase is no output that can be spent.
  await db(em).deleteFrom('development_outputs').where('txid', '=', Buffer.from(txid)).execute()
  const { time } = readHeader(header)
  await insertBlock(em, { hash, previousHash: null, height: 0, time, header, transactionIds: [txid] })
  await connect(em, [hash])
  return hash
}

/** One second apart, and ending now where it can: a run dated from now on would push the blocks after it into the future. */
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

/** Blocks that hold a coinbase only; each header names the one before it in its bytes 4 to 36. */
const INSERT_RUN = command(
  ({ hashes, headers, coinbases, height, time }: Run) => sql`
  INSERT INTO development_blocks (hash, previous_hash, height, time, header, transaction_ids)
  SELECT hash, substring(header FROM 5 FOR 32), ${height}::int + place, ${time}::bigint + place, header, ARRAY[coinbase]
    FROM unnest(${hashes}::bytea[], ${headers}::bytea[], ${coinbases}::bytea[]) WITH ORDINALITY AS run (hash, header, coinbase, place)
   ORDER BY place`,
)
