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
  const tipHash = () => node.call<string>('getbestblockhash')

  it('goes back to the first block and forward again', async () => {
    const { call } = node
    const tip = await tipHash()
    const balance = await call('getbalance')
    const first = await call<string>('getblockhash', 1)
    await call('invalidateblock', first)
    expect(await call('getblockcount')).toBe(0)
    expect(await call('getbalance')).toBe(0)
    await replay(node.store)
    await call('reconsiderblock', first)
    expect(await tipHash()).toBe(tip)
    expect(await call('getbalance')).toBe(balance)
    await expect(call('invalidateblock', await call('getblockhash', 0))).rejects.toMatchObject({ code: -8 })
    await expect(call('reconsiderblock', 'ab'.repeat(32))).rejects.toMatchObject({ code: -5 })
  })

  it('brings a transaction back to the pool, and another block takes it in', async () => {
    const { call, chain } = node
    const { txid } = await sendData(call, '01')
    await chain.mine()
    const lost = await tipHash()
    await call('invalidateblock', lost)
    expect(await call('getrawmempool')).toEqual([txid])
    expect(await call('gettransaction', txid)).toMatchObject({ confirmations: 0 })
    expect(await call('getblockheader', lost)).toMatchObject({ confirmations: -1 })
    await expect(call('gettxoutproof', [txid])).rejects.toMatchObject({ code: -5 })

    await chain.mine()
    const found = await tipHash()
    expect(found).not.toBe(lost)
    expect(await call('gettransaction', txid)).toMatchObject({ confirmations: 1, blockhash: found })
    await expect(call('verifytxoutproof', await call('gettxoutproof', [txid], lost))).rejects.toMatchObject({
      code: -5,
    })
  })

  it('moves to the longer of two chains, and between equals to the first', async () => {
    const { call, chain } = node
    const first = await sendData(call, '02')
    await chain.mine()
    await chain.mine()
    const forked = await call<string>('getblockhash', (await call<number>('getblockcount')) - 1)
    const long = await tipHash()
    await call('invalidateblock', forked)

    const inputs = readTransaction(fromHex(first.hex)).inputs.map((input) => ({
      txid: toHex(input.previousTransaction.toReversed()),
      vout: input.previousOutput,
    }))
    const rival = await call<string>(
      'sendrawtransaction',
      await prepareData(call, '03', { inputs, feeRate: 20 }),
    )
    await chain.mine()
    expect(await call('gettransaction', first.txid)).toMatchObject({
      confirmations: -1,
      walletconflicts: [rival],
    })
    const child = await call<string>(
      'sendrawtransaction',
      await prepareData(call, '04', { inputs: [{ txid: rival, vout: 1 }] }),
    )

    await call('reconsiderblock', forked)
    expect(await tipHash()).toBe(long)
    expect(await call('gettransaction', first.txid)).toMatchObject({ confirmations: 2 })
    expect(await call('gettransaction', rival)).toMatchObject({ confirmations: -2 })
    expect(await call('gettransaction', child)).toMatchObject({ confirmations: 0 })
    expect(await call('getrawmempool')).toEqual([])

    // Taken back again, while the other branch grows as long, and then longer.
    await call('invalidateblock', forked)
    await chain.mine()
    const equal = await tipHash()
    await call('reconsiderblock', forked)
    expect(await tipHash()).toBe(long)
    await call('invalidateblock', forked)
    expect(await tipHash()).toBe(equal)
    await chain.mine()
    const longer = await tipHash()
    await call('reconsiderblock', forked)
    expect(await tipHash()).toBe(longer)
    expect(await call('gettransaction', rival)).toMatchObject({ confirmations: 3 })
    expect(await call('gettransaction', child)).toMatchObject({ confirmations: 0 })
  })

  it('takes the reward of a lost block away, and with it all that was made of it', async () => {
    const { call, chain } = node
    const height = await call<number>('getblockcount')
    const ripe = height + 1 - 100
    const { tx } = await call<{ tx: string[] }>('getblock', await call('getblockhash', ripe))
    const spend = await prepareData(call, '05', { inputs: [{ txid: tx[0], vout: 0 }] })
    const txid = await call<string>('sendrawtransaction', spend)
    // One block less, and the reward is too young to be spent in the next.
    await call('invalidateblock', await tipHash())
    expect(await call('getrawmempool')).not.toContain(txid)
    await expect(call('sendrawtransaction', spend)).rejects.toMatchObject({
      code: -26,
      message: 'bad-txns-premature-spend-of-coinbase',
    })
    await chain.mine()
    expect(await call('sendrawtransaction', spend)).toBe(txid)
    await chain.mine()
    expect(await call('gettransaction', txid)).toMatchObject({ confirmations: 1 })
  })
})
