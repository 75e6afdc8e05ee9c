// What the pool takes, and what it refuses with which of Bitcoin Core's numbers.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWallet } from '../../server/devchain/wallet.ts'
import { masterKey } from '../../server/kernel/sealed.ts'
import {
  readTransaction,
  type Transaction,
  writeTransaction,
} from '../../shared/proof/bitcoin/transaction.ts'
import { fromHex, toHex } from '../../shared/proof/bytes.ts'
import { TEST_MASTER_KEY } from '../support/master_key.ts'
import { openTestNode, prepareData, sendData, type TestNode } from './open_node.ts'

describe('the pool', () => {
  let node: TestNode
  beforeAll(async () => {
    node = await openTestNode()
  })
  afterAll(() => node.close())

  it('takes the same transaction twice, and refuses it once it is in the chain', async () => {
    const { call, control } = node
    const { txid, hex } = await sendData(call, '01')
    expect(await call('sendrawtransaction', hex)).toBe(txid)
    expect(await control.waiting()).toEqual([txid])
    await control.mine()
    await expect(call('sendrawtransaction', hex)).rejects.toMatchObject({ code: -27, status: 500 })
  })

  it('refuses a second spender of a coin, before and after the first is mined', async () => {
    const { call, control } = node
    const first = await sendData(call, '02')
    const second = altered(first.hex, () => ({ version: 1 }))
    await expect(call('sendrawtransaction', second)).rejects.toMatchObject({ code: -26 })
    expect(await control.waiting()).toEqual([first.txid])
    await control.mine()
    await expect(call('sendrawtransaction', second)).rejects.toMatchObject({ code: -25 })
  })

  it('tells of one whose coin another took how deep that one is', async () => {
    const { call, control } = node
    const first = await sendData(call, '03')
    await control.forget(first.txid)
    await expect(call('getmempoolentry', first.txid)).rejects.toMatchObject({ code: -5 })
    const inputs = readTransaction(fromHex(first.hex)).inputs.map((input) => ({
      txid: toHex(input.previousTransaction.toReversed()),
      vout: input.previousOutput,
    }))
    const txid = await call<string>('sendrawtransaction', await prepareData(call, '04', { inputs }))
    expect(await call('gettransaction', first.txid)).toMatchObject({ confirmations: 0 })
    await control.mine(2)
    expect(await call('gettransaction', txid)).toMatchObject({ confirmations: 2 })
    expect(await call('gettransaction', first.txid)).toMatchObject({ confirmations: -2 })
    await expect(call('sendrawtransaction', first.hex)).rejects.toMatchObject({ code: -25 })
  })

  it.each<[string, number, string, (hex: string) => string]>([
    [
      'a wrong signature',
      -26,
      'mandatory-script',
      (hex) => withSignature(hex, (bytes) => [bytes.with(20, (bytes[20] ?? 0) ^ 1)]),
    ],
    ['no signature', -26, 'mandatory-script', (hex) => withSignature(hex, () => [])],
    ['somebody else’s key', -26, 'mandatory-script', signedByAnother],
    ['more paid out than in', -26, 'bad-txns-in-belowout', (hex) => paying(hex, 5_000_000_001)],
    ['money that does not exist', -26, 'bad-txns-in-belowout', (hex) => paying(hex, 2_100_000_000_000_001)],
    [
      'a coin that is not there',
      -25,
      'missingorspent',
      (hex) =>
        altered(hex, ({ inputs }) => ({ inputs: inputs.map((input) => ({ ...input, previousOutput: 7 })) })),
    ],
    [
      'one coin twice',
      -26,
      'one coin is spent',
      (hex) => altered(hex, ({ inputs }) => ({ inputs: [...inputs, ...inputs] })),
    ],
    ['nothing paid', -26, 'vout-empty', (hex) => altered(hex, () => ({ outputs: [] }))],
    [
      'more than a block has room for',
      -26,
      'tx-size',
      (hex) =>
        altered(hex, ({ outputs }) => ({ outputs: [...outputs, ...Array.from({ length: 99 }, () => DATA)] })),
    ],
    ['a wait for a height', -26, 'non-final', (hex) => altered(hex, () => ({ lockTime: 5 }))],
    [
      'a wait for an age',
      -26,
      'non-final',
      (hex) => altered(hex, ({ inputs }) => ({ inputs: inputs.map((input) => ({ ...input, sequence: 3 })) })),
    ],
    ['half a transaction', -22, 'TX decode failed', (hex) => hex.slice(0, 80)],
    ['bytes behind it', -22, 'TX decode failed', (hex) => `${hex}00`],
    ['no hex', -8, 'hexadecimal', () => 'zz'],
  ])('refuses %s', async (_, code, message, change) => {
    const hex = await prepareData(node.call, '05')
    await expect(node.call('sendrawtransaction', change(hex))).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    })
  })
})

const FIFTY = 5_000_000_000
const DATA = { value: 0n, script: fromHex('6a0101') }
const wallet = openWallet({ masterKey: masterKey(TEST_MASTER_KEY) })
const stranger = openWallet({ masterKey: masterKey(Buffer.alloc(32, 9)) })

const signed = (bare: Transaction, by = wallet): string =>
  toHex(
    writeTransaction({
      ...bare,
      inputs: bare.inputs.map((input, at) => ({ ...input, witness: by.witness(bare, at, FIFTY) })),
    }),
  )

/** A transaction like this one but for a change, signed again. */
function altered(hex: string, change: (transaction: Transaction) => Partial<Transaction>): string {
  const transaction = readTransaction(fromHex(hex))
  return signed({ ...transaction, ...change(transaction) })
}

/** With so many satoshis of change. */
function paying(hex: string, change: number): string {
  return altered(hex, ({ outputs }) => ({
    outputs: outputs.map((output, at) => (at === 1 ? { ...output, value: BigInt(change) } : output)),
  }))
}

function withSignature(hex: string, change: (signature: Uint8Array) => Uint8Array[]): string {
  const transaction = readTransaction(fromHex(hex))
  const inputs = transaction.inputs.map(({ witness: [signature = new Uint8Array(), ...key], ...input }) => ({
    ...input,
    witness: [...change(signature), ...key],
  }))
  return toHex(writeTransaction({ ...transaction, inputs }))
}

function signedByAnother(hex: string): string {
  return signed(readTransaction(fromHex(hex)), stranger)
}
