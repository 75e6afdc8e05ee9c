// The answers have the shapes that a client of Bitcoin Core relies on.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { weightOf } from '../../server/devchain/stored_transaction.ts'
import { displayHash, internalHash } from '../../shared/proof/bitcoin/bitcoin_bytes.ts'
import { headerHash } from '../../shared/proof/bitcoin/block_header.ts'
import { readTransaction, transactionId } from '../../shared/proof/bitcoin/transaction.ts'
import { readTxoutproof } from '../../shared/proof/bitcoin/txoutproof.ts'
import { fromHex, toHex } from '../../shared/proof/bytes.ts'
import { rows } from '../support/rows.ts'
import { openTestNode, post, sendData, type TestNode, testWallet } from './open_node.ts'

const STRANGER = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'

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
    await node.control.mine()
  })
  afterAll(() => node.close())

  it('tell a header in words and in bytes', async () => {
    const { call, control } = node
    const hash = await control.tip()
    const header = await call<string>('getblockheader', hash, false)
    expect(headerHash(fromHex(header))).toBe(hash)
    const words = await call<Record<string, unknown>>('getblockheader', hash)
    expect(words).toMatchObject({
      hash,
      confirmations: 1,
      height: 120,
      version: 0x20000000,
      bits: '207fffff',
      nTx: 5,
      previousblockhash: await call('getblockhash', 119),
    })
    expect(await call('getblockheader', await call('getblockhash', 0))).not.toHaveProperty(
      'previousblockhash',
    )
  })

  it('are those that the OpenTimestamps client verifies by', async () => {
    const { call, control } = node
    // Its library speaks JSON-RPC 1.1, asks for the header's 80 bytes, and takes this error for a height that is not there.
    const asks = async (method: string, params: unknown[]) => {
      const body = JSON.stringify({ version: '1.1', method, params, id: 1 })
      return JSON.parse((await post(node.chain.readerUrl, body)).text)
    }
    const { result: count } = await asks('getblockcount', [])
    expect(count).toBe(120)
    const { result: hash } = await asks('getblockhash', [count])
    expect(hash).toBe(await control.tip())
    const { result: header, error } = await asks('getblockheader', [hash, false])
    expect(error).toBeNull()
    expect(header).toMatch(/^[0-9a-f]{160}$/)
    const proof = readTxoutproof(fromHex(await call<string>('gettxoutproof', [txids[0]])))
    expect(toHex(proof.header)).toBe(header)
    expect(await asks('getblockhash', [count + 1])).toMatchObject({ result: null, error: { code: -8 } })
  })

  it('prove each transaction of a block, one at a time', async () => {
    const { call, control } = node
    const held = await control.transactionsOf(await control.tip())
    expect(held.slice(1)).toEqual(txids)
    for (const txid of held) {
      const proof = readTxoutproof(fromHex(await call<string>('gettxoutproof', [txid])))
      expect(proof.isValid).toBe(true)
      expect(proof.matched.map(displayHash)).toEqual([txid])
    }
    await expect(call('gettxoutproof', [])).rejects.toMatchObject({ code: -8 })
    await expect(call('gettxoutproof', ['ab'.repeat(32)])).rejects.toMatchObject({ code: -5 })
    await expect(call('gettxoutproof', [held[0]], await call('getblockhash', 3))).rejects.toMatchObject({
      code: -5,
    })
  })

  it('tell a transaction of the wallet', async () => {
    const { call, control } = node
    const [txid = ''] = txids
    const hash = await control.tip()
    const { hex } = await call<{ hex: string }>('gettransaction', txid)
    expect(transactionId(readTransaction(fromHex(hex)))).toBe(txid)
    expect(await call('gettransaction', txid)).toMatchObject({
      txid,
      confirmations: 1,
      blockhash: hash,
    })
  })
})

describe('answers about money', () => {
  let node: TestNode
  beforeAll(async () => {
    node = await openTestNode()
  })
  afterAll(() => node.close())

  it('leave the change, and pay the fee that was asked for', async () => {
    const { call, control } = node
    const draft = await call<string>('createrawtransaction', [], [{ data: 'ff' }])
    const funded = await call<Funded>('fundrawtransaction', draft, { fee_rate: 10, changePosition: 1 })
    expect(funded.changepos).toBe(1)
    const { hex, complete } = await call<{ hex: string; complete: boolean }>(
      'signrawtransactionwithwallet',
      funded.hex,
    )
    expect(complete).toBe(true)
    const { inputs, outputs } = readTransaction(fromHex(hex))
    expect(inputs).toHaveLength(1)
    expect(outputs.map(({ script }) => toHex(script))).toEqual(['6a01ff', toHex(testWallet.script)])

    const [spent] = inputs
    const before = await control.coins()
    const txid = await call<string>('sendrawtransaction', hex)
    const vsize = Math.ceil(weightOf(readTransaction(fromHex(hex))) / 4)
    expect(await call('getmempoolentry', txid)).toEqual({ fees: { base: funded.fee } })
    // The longest signatures are a byte or so longer than most.
    expect(funded.fee * 1e8).toBeGreaterThanOrEqual(10 * vsize)
    expect(funded.fee * 1e8).toBeLessThanOrEqual(10 * (vsize + 2))
    const worth = before.find(
      (coin) => coin.txid === displayHash(spent?.previousTransaction ?? new Uint8Array()),
    )
    expect(Number(outputs[1]?.value)).toBe((worth?.amount ?? 0) - Math.round(funded.fee * 1e8))
    expect(await call('gettransaction', txid)).toMatchObject({ fee: -funded.fee })
    await control.mine()
    await expect(call('getmempoolentry', txid)).rejects.toMatchObject({ code: -5 })
  })

  it('spend the coin given, and the largest where none is', async () => {
    const { call, control } = node
    const coins = await control.coins()
    expect(coins.length).toBeGreaterThan(10)
    const chosen = coins.at(-1)
    const spent = async (inputs: unknown[]) => {
      const { hex } = await call<Funded>(
        'fundrawtransaction',
        await call('createrawtransaction', inputs, [{ data: '01' }]),
      )
      return readTransaction(fromHex(hex)).inputs.map(({ previousTransaction, sequence }) => ({
        txid: displayHash(previousTransaction),
        sequence,
      }))
    }
    const given = { txid: chosen?.txid, vout: chosen?.vout, sequence: 7 }
    expect(await spent([given])).toEqual([{ txid: chosen?.txid, sequence: 7 }])
    expect(await spent([])).toEqual([{ txid: coins[0]?.txid, sequence: 0xfffffffd }])
    // A coin that does not pay the fee is not helped out.
    const worth = (satoshis: number) =>
      rows(node.store.em(), 'UPDATE development_outputs SET amount = $1 WHERE txid = $2', [
        satoshis,
        internalHash(chosen?.txid ?? ''),
      ])
    await worth(100)
    await expect(spent([given])).rejects.toMatchObject({ code: -4, message: 'Insufficient funds' })
    await worth(chosen?.amount ?? 0)
  })

  it('say no to what the wallet cannot do', async () => {
    const { call, control } = node
    const draft = (outputs: unknown, inputs: unknown[] = []) => call('createrawtransaction', inputs, outputs)
    const fund = async (outputs: unknown, options: unknown = {}, inputs: unknown[] = []) =>
      call('fundrawtransaction', await draft(outputs, inputs), options)
    const nowhere = [{ txid: 'ab'.repeat(32), vout: 0 }]
    await expect(control.withoutCoins(() => fund([{ data: '01' }]))).rejects.toMatchObject({
      code: -4,
      message: 'Insufficient funds',
    })
    await expect(fund([{ data: '01' }], {}, nowhere)).rejects.toMatchObject({ code: -4 })
    await expect(fund([{ data: '01' }], { changePosition: 2 })).rejects.toMatchObject({ code: -8 })
    await expect(fund([{ data: '01' }], { unheard: 1 })).rejects.toMatchObject({ code: -3 })
    await expect(draft([{ data: '00'.repeat(76) }])).rejects.toMatchObject({ code: -8 })
    await expect(draft([{ data: '01' }, { data: '02' }])).rejects.toMatchObject({ code: -8 })
    await expect(draft([{ data: '01', more: '02' }])).rejects.toMatchObject({ code: -8 })
    await expect(draft([{ [STRANGER]: 1 }])).rejects.toMatchObject({ code: -3 })
    await expect(fund([{ data: '01' }], { fee_rate: 100_001 })).rejects.toMatchObject({ code: -3 })
    expect(await call('signrawtransactionwithwallet', await draft([{ data: '01' }], nowhere))).toMatchObject({
      complete: false,
    })
    await expect(draft([{ data: '01' }], [...nowhere, ...nowhere])).rejects.toMatchObject({ code: -8 })
    await expect(call('createrawtransaction', [], [{ data: '01' }], 5)).rejects.toMatchObject({ code: -8 })
  })
})
