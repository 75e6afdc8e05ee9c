// Blocks are taken back and given back, as on a network that changes its mind.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readTransaction } from '../../shared/proof/bitcoin/transaction.ts'
import { fromHex, toHex } from '../../shared/proof/bytes.ts'
import { openTestNode, prepareData, sendData, type TestNode } from './open_node.ts'
import { replay } from './replay.ts'

describe('a reorganisation', () => {
  let node: TestNode
  beforeAll(async () => {
    node = await openTestNode()
  })
  afterAll(async () => {
    await replay(node.store)
    await node.close()
  })

  it('goes back to the first block and forward again', async () => {
    const { call, control } = node
    const tip = await control.tip()
    const coins = await control.coins()
    await control.moveTo(await call<string>('getblockhash', 0))
    expect(await call('getblockcount')).toBe(0)
    expect(await control.coins()).toEqual([])
    await replay(node.store)
    await control.moveTo(tip)
    expect(await control.tip()).toBe(tip)
    expect(await control.coins()).toEqual(coins)
  })

  it('brings a transaction back to the pool, and another block takes it in', async () => {
    const { call, control } = node
    const { txid } = await sendData(call, '01')
    await control.mine()
    const lost = await control.tip()
    await control.takeBack(1)
    expect(await control.waiting()).toEqual([txid])
    expect(await call('gettransaction', txid)).toMatchObject({ confirmations: 0 })
    expect(await call('getblockheader', lost)).toMatchObject({ confirmations: -1 })
    await expect(call('gettxoutproof', [txid])).rejects.toMatchObject({ code: -5 })

    await control.mine()
    const found = await control.tip()
    expect(found).not.toBe(lost)
    expect(await call('gettransaction', txid)).toMatchObject({ confirmations: 1, blockhash: found })
    // A proof against the lost block is still made: it is the header's confirmations that tell.
    expect(await call('gettxoutproof', [txid], lost)).toMatch(/^[0-9a-f]+$/)
    expect(await call('getblockheader', lost)).toMatchObject({ confirmations: -1 })
  })

  it('moves from one branch to another, and tells what each confirms', async () => {
    const { call, control } = node
    const first = await sendData(call, '02')
    await control.mine(2)
    const one = await control.tip()
    await control.takeBack(2)

    const inputs = readTransaction(fromHex(first.hex)).inputs.map((input) => ({
      txid: toHex(input.previousTransaction.toReversed()),
      vout: input.previousOutput,
    }))
    await control.forget(first.txid)
    const rival = await call<string>(
      'sendrawtransaction',
      await prepareData(call, '03', { inputs, feeRate: 20 }),
    )
    await control.mine()
    expect(await call('gettransaction', first.txid)).toMatchObject({ confirmations: -1 })
    const child = await call<string>(
      'sendrawtransaction',
      await prepareData(call, '04', { inputs: [{ txid: rival, vout: 1 }] }),
    )
    const other = await control.tip()

    await control.moveTo(one)
    expect(await control.tip()).toBe(one)
    expect(await call('gettransaction', first.txid)).toMatchObject({ confirmations: 2 })
    expect(await call('gettransaction', rival)).toMatchObject({ confirmations: -2 })
    expect(await call('gettransaction', child)).toMatchObject({ confirmations: 0 })
    expect(await control.waiting()).toEqual([])

    // And back, while the other branch grows.
    await control.moveTo(other)
    await control.mine(2)
    expect(await call('gettransaction', rival)).toMatchObject({ confirmations: 3 })
    expect(await call('gettransaction', first.txid)).toMatchObject({ confirmations: -3 })
    expect(await call('gettransaction', child)).toMatchObject({ confirmations: 0 })
  })

  it('takes the reward of a lost block away, and with it all that was made of it', async () => {
    const { call, control } = node
    const height = await call<number>('getblockcount')
    const ripe = height + 1 - 100
    const [coinbase] = await control.transactionsOf(await call('getblockhash', ripe))
    const spend = await prepareData(call, '05', { inputs: [{ txid: coinbase, vout: 0 }] })
    const txid = await call<string>('sendrawtransaction', spend)
    // One block less, and the reward is too young to be spent in the next.
    await control.takeBack(1)
    expect(await control.waiting()).not.toContain(txid)
    await expect(call('sendrawtransaction', spend)).rejects.toMatchObject({
      code: -26,
      message: 'bad-txns-premature-spend-of-coinbase',
    })
    await control.mine()
    expect(await call('sendrawtransaction', spend)).toBe(txid)
    await control.mine()
    expect(await call('gettransaction', txid)).toMatchObject({ confirmations: 1 })
  })
})
