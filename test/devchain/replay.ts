// Replays the stored chain from its first block by the rules of Bitcoin, without any of the service's own code.
import { expect } from 'vitest'
import type { Store } from '../../server/store/open_store.ts'
import { rows } from '../support/rows.ts'
import {
  display,
  hash256,
  isSigned,
  merkleRoot,
  type ReadOutput,
  type ReadTransaction,
  readBytes,
} from './block_bytes.ts'

interface Coin extends ReadOutput {
  /** The height from which it may be spent. */
  readonly ripeAt: number
}

export interface Replayed {
  readonly height: number
  /** Unspent outputs, by `<txid>:<n>`. */
  readonly coins: ReadonlyMap<string, Coin>
  /** Satoshis ever made. */
  readonly subsidies: number
}

/** Fails where any rule is broken, on the chain or in the pool on top of it. */
export async function replay(store: Store): Promise<Replayed> {
  const blocks = await rows<{ header: Buffer; held: Buffer[] }>(store.em(), BLOCKS)
  const coins = new Map<string, Coin>()
  const times: number[] = []
  let previous: Buffer = Buffer.alloc(32)
  let subsidies = 0
  blocks.forEach(({ header, held }, height) => {
    const hash = hash256(header)
    const transactions = held.map(readBytes)
    expect(header.subarray(4, 36).equals(previous)).toBe(true)
    expect(header.readUInt32LE(72)).toBe(0x207fffff)
    expect(hash.at(-1)).toBeLessThan(0x80)
    expect(header.readUInt32LE(68)).toBeGreaterThan(median(times.slice(-11)))
    const leaves = transactions.map(({ txid }) => Buffer.from(txid, 'hex').reverse())
    expect(header.subarray(36, 68).equals(merkleRoot(leaves))).toBe(true)
    const [coinbase, ...others] = transactions
    if (coinbase === undefined) throw new Error('A block without a coinbase.')
    const fees = others.reduce((sum, one) => sum + spend(coins, one, height), 0)
    if (height > 0) {
      const subsidy = Math.floor(5_000_000_000 / 2 ** Math.floor(height / 150))
      subsidies += subsidy
      expect(coinbase.outputs.reduce((sum, { amount }) => sum + amount, 0)).toBe(subsidy + fees)
      checkCoinbase(coinbase, others, height)
      pay(coins, coinbase, height + 100)
    }
    times.push(header.readUInt32LE(68))
    previous = hash
  })
  const height = blocks.length - 1
  await comparePool(store, coins, height)
  await compareStored(store, coins)
  return { height, coins, subsidies }
}

/** Takes what it spends, adds what it pays, answers its fee. */
function spend(coins: Map<string, Coin>, transaction: ReadTransaction, height: number): number {
  const given = transaction.inputs.map(({ spends }, at) => {
    const coin = coins.get(spends)
    if (coin === undefined) throw new Error(`${transaction.txid} spends ${spends}, which is not there.`)
    expect(coin.ripeAt).toBeLessThanOrEqual(height)
    expect(isSigned(transaction, at, coin)).toBe(true)
    coins.delete(spends)
    return coin.amount
  })
  pay(coins, transaction, 0)
  const fee = sum(given) - sum(transaction.outputs.map(({ amount }) => amount))
  expect(fee).toBeGreaterThan(0)
  return fee
}

function pay(coins: Map<string, Coin>, { txid, outputs }: ReadTransaction, ripeAt: number): void {
  outputs.forEach((output, n) => {
    if (output.script[0] !== 0x6a) coins.set(`${txid}:${n}`, { ...output, ripeAt })
  })
}

/** The height in front (BIP34), the commitment to witnesses in the last output (BIP141). */
function checkCoinbase(coinbase: ReadTransaction, others: readonly ReadTransaction[], height: number): void {
  const script = coinbase.inputs[0]?.script ?? Buffer.alloc(0)
  const length = script[0] ?? 0
  const said = height <= 16 ? length - 0x50 : script.subarray(1, 1 + length).readUIntLE(0, length)
  expect(said).toBe(height)
  const root = merkleRoot([Buffer.alloc(32), ...others.map(({ witnessHash }) => witnessHash)])
  const commitment = hash256(Buffer.concat([root, Buffer.alloc(32)]))
  expect(coinbase.outputs.at(-1)?.script.toString('hex')).toBe(`6a24aa21a9ed${commitment.toString('hex')}`)
}

/** What waits could all go into the next block, in the order of its arrival. */
async function comparePool(store: Store, coins: ReadonlyMap<string, Coin>, height: number): Promise<void> {
  const next = new Map(coins)
  const waiting = await rows<{ raw: Buffer }>(
    store.em(),
    `SELECT raw FROM development_transactions WHERE standing = 'pool' ORDER BY arrival`,
  )
  for (const { raw } of waiting) spend(next, readBytes(raw), height + 1)
  const stored = await rows<StoredCoin>(store.em(), `${COINS} AND o.spent_by IS NULL`)
  expect(stored.map(keyed).sort()).toEqual([...next.keys()].sort())
}

async function compareStored(store: Store, coins: ReadonlyMap<string, Coin>): Promise<void> {
  const stored = await rows<StoredCoin & { amount: number }>(
    store.em(),
    `${COINS} AND t.standing = 'chain' AND (s.standing IS NULL OR s.standing = 'pool')`,
  )
  expect(stored.map(keyed).sort()).toEqual([...coins.keys()].sort())
  expect(sum(stored.map(({ amount }) => amount))).toBe(sum([...coins.values()].map(({ amount }) => amount)))
}

interface StoredCoin {
  readonly txid: Buffer
  readonly n: number
}

const keyed = ({ txid, n }: StoredCoin): string => `${display(txid)}:${n}`
const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0)
const median = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0

const BLOCKS = `
  SELECT b.header, array_agg(t.raw ORDER BY held.place) AS held
    FROM development_blocks b, unnest(b.transaction_ids) WITH ORDINALITY AS held (txid, place)
    JOIN development_transactions t USING (txid)
   WHERE b.active GROUP BY b.hash ORDER BY b.height`

const COINS = `
  SELECT o.txid, o.n::float8 AS n, o.amount::float8 AS amount
    FROM development_outputs o
    JOIN development_transactions t ON t.txid = o.txid
    LEFT JOIN development_transactions s ON s.txid = o.spent_by
   WHERE o.live`
