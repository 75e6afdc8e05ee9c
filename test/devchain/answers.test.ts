// The answers have the shapes that a client of Bitcoin Core relies on.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addressOf } from '../../server/devchain/address.ts'
import { headerHash } from '../../shared/proof/bitcoin/block_header.ts'
import { displayHash } from '../../shared/proof/bitcoin/double_sha256.ts'
import { readTransaction } from '../../shared/proof/bitcoin/transaction.ts'
import { readTxoutproof } from '../../shared/proof/bitcoin/txoutproof.ts'
import { fromHex } from '../../shared/proof/bytes.ts'
import { openTestNode, prepareData, sendData, type TestNode } from './open_node.ts'

const STRANGER = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'
const HASH = /^[0-9a-f]{64}$/

interface Funded {
  readonly hex: string
  readonly fee: number
  readonly changepos: number
}

describe('answers about blocks', () => {
  let node: TestNode
  let txids: string[]
  beforeAll(async () => {
    node = await openTestNode()
    txids = []
    for (const data of ['01', '02', '03', '04']) txids.push((await sendData(node.call, data)).txid)
    await node.chain.mine()
  })
  afterAll(() => node.close())

  it('tell a block and its header in words and in bytes', async () => {
    const { call } = node
    const hash = await call<string>('getbestblockhash')
    const header = await call<string>('getblockheader', hash, false)
    expect(headerHash(fromHex(header))).toBe(hash)
    const words = await call<Record<string, unknown>>('getblockheader', hash)
    expect(words).toMatchObject({
      hash,
      confirmations: 1,
      height: 120,
      version: 0x20000000,
      versionHex: '20000000',
      bits: '207fffff',
      nTx: 5,
      previousblockhash: await call('getblockhash', 119),
      chainwork: 'f2'.padStart(64, '0'),
    })
    expect(words).not.toHaveProperty('nextblockhash')
    expect(await call('getblockheader', await call('getblockhash', 0))).not.toHaveProperty(
      'previousblockhash',
    )
    expect(await call('getblockheader', words.previousblockhash)).toMatchObject({ nextblockhash: hash })

    const block = await call<{ tx: string[]; size: number; weight: number }>('getblock', hash)
    expect(block.tx.slice(1)).toEqual(txids)
    expect(block.tx[0]).toMatch(HASH)
    const bytes = await call<string>('getblock', hash, 0)
    expect(bytes.startsWith(`${header}05`)).toBe(true)
    expect(block.size).toBe(bytes.length / 2)
    expect(block.weight).toBeLessThan(4 * block.size)
    expect(await call('getblock', hash, 2)).toMatchObject({ tx: block.tx.map((txid) => ({ txid })) })
  })

  it('prove each transaction of a block, one at a time', async () => {
    const { call } = node
    const { tx } = await call<{ tx: string[] }>('getblock', await call('getbestblockhash'))
    for (const txid of tx) {
      const hex = await call<string>('gettxoutproof', [txid])
      const proof = readTxoutproof(fromHex(hex))
      expect(proof.isValid).toBe(true)
      expect(proof.matched.map(displayHash)).toEqual([txid])
      expect(await call('verifytxoutproof', hex)).toEqual([txid])
      expect(await call('verifytxoutproof', `${hex.slice(0, 180)}00${hex.slice(182)}`)).toEqual([])
    }
    await expect(call('gettxoutproof', [])).rejects.toMatchObject({ code: -8 })
    await expect(call('gettxoutproof', ['ab'.repeat(32)])).rejects.toMatchObject({ code: -5 })
    await expect(call('gettxoutproof', [tx[0]], await call('getblockhash', 3))).rejects.toMatchObject({
      code: -5,
    })
  })

  it('tell a transaction wherever it is', async () => {
    const { call } = node
    const [txid = ''] = txids
    const { hex } = await call<{ hex: string }>('gettransaction', txid)
    expect(await call('getrawtransaction', txid)).toBe(hex)
    const hash = await call('getbestblockhash')
    expect(await call('getrawtransaction', txid, true)).toMatchObject({
      txid,
      hex,
      confirmations: 1,
      blockhash: hash,
    })
    expect(await call('getrawtransaction', txid, 1, hash)).toMatchObject({ txid })
    await expect(call('getrawtransaction', txid, 1, await call('getblockhash', 1))).rejects.toMatchObject({
      code: -5,
    })
    expect(await call('decoderawtransaction', hex)).toMatchObject({
      txid,
      vout: [{ value: 0, scriptPubKey: { type: 'nulldata', hex: '6a0101' } }, { n: 1 }],
    })
    const reward = await call<{ tx: string[] }>('getblock', hash)
    expect(await call('gettransaction', reward.tx[0])).toMatchObject({
      generated: true,
      blockindex: 0,
      details: [{ category: 'immature' }],
    })
  })
})

describe('answers about money', () => {
  let node: TestNode
  beforeAll(async () => {
    node = await openTestNode()
  })
  afterAll(() => node.close())

  it('pay somebody else, with change and the fee that was asked for', async () => {
    const { call, wallet } = node
    const draft = await call<string>('createrawtransaction', [], { [STRANGER]: 60.5, data: 'ff' })
    const funded = await call<Funded>('fundrawtransaction', draft, { fee_rate: 10, changePosition: 0 })
    expect(funded.changepos).toBe(0)
    const { hex, complete } = await call<{ hex: string; complete: boolean }>(
      'signrawtransactionwithwallet',
      funded.hex,
    )
    expect(complete).toBe(true)
    const { vsize, vout, vin } = await call<{ vsize: number; vin: unknown[]; vout: { value: number }[] }>(
      'decoderawtransaction',
      hex,
    )
    expect(vin).toHaveLength(2)
    expect(vout).toMatchObject([
      { scriptPubKey: { address: addressOf(wallet.script) } },
      { value: 60.5, scriptPubKey: { address: STRANGER } },
      { value: 0 },
    ])
    // The longest signatures are a byte or so longer than most.
    expect(funded.fee * 1e8).toBeGreaterThanOrEqual(10 * vsize)
    expect(funded.fee * 1e8).toBeLessThanOrEqual(10 * (vsize + 2))

    const before = await call<number>('getbalance')
    const txid = await call<string>('sendrawtransaction', hex)
    expect(await call<number>('getbalance')).toBeCloseTo(before - 60.5 - funded.fee, 8)
    expect(await call('gettransaction', txid)).toMatchObject({ amount: -60.5, fee: -funded.fee })
    expect(await call('getmempoolentry', txid)).toMatchObject({
      vsize,
      depends: [],
      fees: { base: funded.fee },
    })
    await node.chain.mine()
    await expect(call('getmempoolentry', txid)).rejects.toMatchObject({ code: -5 })
  })

  it('keep the inputs given, in front, and add to them only what is missing', async () => {
    const { call } = node
    const coins = await call<{ txid: string; vout: number; amount: number }[]>('listunspent')
    expect(coins.length).toBeGreaterThan(10)
    const chosen = coins.at(-1)
    const input = { txid: chosen?.txid, vout: chosen?.vout, sequence: 7 }
    const few = await call<Funded>(
      'fundrawtransaction',
      await call('createrawtransaction', [input], [{ data: '01' }]),
    )
    const inputs = readTransaction(fromHex(few.hex)).inputs
    expect(inputs.map(({ previousTransaction }) => displayHash(previousTransaction))).toEqual([chosen?.txid])
    expect(inputs[0]?.sequence).toBe(7)
    const more = await call<Funded>(
      'fundrawtransaction',
      await call('createrawtransaction', [input], [{ [STRANGER]: '99.9' }]),
    )
    const [first, ...added] = readTransaction(fromHex(more.hex)).inputs
    expect(displayHash(first?.previousTransaction ?? new Uint8Array())).toBe(chosen?.txid)
    expect(added).toHaveLength(2)
    expect(added.every(({ sequence }) => sequence === 0xfffffffd)).toBe(true)
  })

  it('say no to what the wallet cannot do', async () => {
    const { call } = node
    const draft = (outputs: unknown, inputs: unknown[] = []) => call('createrawtransaction', inputs, outputs)
    const fund = async (outputs: unknown, options: unknown = {}, inputs: unknown[] = []) =>
      call('fundrawtransaction', await draft(outputs, inputs), options)
    const nowhere = [{ txid: 'ab'.repeat(32), vout: 0 }]
    await expect(fund([{ [STRANGER]: 20_000_000 }])).rejects.toMatchObject({
      code: -4,
      message: 'Insufficient funds',
    })
    await expect(fund([{ data: '01' }], {}, nowhere)).rejects.toMatchObject({ code: -4 })
    await expect(fund([{ data: '01' }], { changePosition: 2 })).rejects.toMatchObject({ code: -8 })
    await expect(fund([{ data: '01' }], { unheard: 1 })).rejects.toMatchObject({ code: -3 })
    await expect(draft([{ data: '00'.repeat(76) }])).rejects.toMatchObject({ code: -8 })
    await expect(draft([{ bcrt1nobody: 1 }])).rejects.toMatchObject({ code: -5 })
    await expect(draft([{ [STRANGER]: 1 }, { [STRANGER]: 1 }])).rejects.toMatchObject({ code: -8 })
    await expect(draft([{ [STRANGER]: 1e-9 }])).rejects.toMatchObject({ code: -3 })
    expect(await call('signrawtransactionwithwallet', await draft([{ data: '01' }], nowhere))).toMatchObject({
      complete: false,
      errors: [{ ...nowhere[0], error: 'Input not found or already spent' }],
    })
    await expect(call('sendrawtransaction', await prepareBurn(node))).rejects.toMatchObject({ code: -25 })
  })

  it('lock coins and let them go', async () => {
    const { call } = node
    const [coin] = await call<{ txid: string; vout: number }[]>('listunspent')
    const one = [{ txid: coin?.txid, vout: coin?.vout }]
    expect(await call('lockunspent', false, one)).toBe(true)
    expect(await call('listlockunspent')).toEqual(one)
    expect(await call('listunspent')).not.toContainEqual(expect.objectContaining({ txid: coin?.txid }))
    await expect(call('lockunspent', false, one)).rejects.toMatchObject({ code: -8 })
    expect(await call('lockunspent', true, one)).toBe(true)
    await expect(call('lockunspent', true, one)).rejects.toMatchObject({ code: -8 })
    await prepareData(call, '01')
    expect(await call('listlockunspent')).toHaveLength(1)
    expect(await call('lockunspent', true)).toBe(true)
    expect(await call('listlockunspent')).toEqual([])
  })
})

/** A signed transaction that would put a satoshi where nobody can take it. */
async function prepareBurn({ call }: TestNode): Promise<string> {
  const funded = await call<Funded>(
    'fundrawtransaction',
    await call('createrawtransaction', [], [{ data: 'aa' }]),
  )
  const burning = funded.hex.replace('0000000000000000036a01aa', '0100000000000000036a01aa')
  expect(burning).not.toBe(funded.hex)
  return burning
}
