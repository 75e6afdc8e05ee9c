// Several servers, one database, one chain; and a chain that outlives its servers.
import { describe, expect, it } from 'vitest'
import { rows } from '../support/rows.ts'
import { openTestNode, prepareData, sendData } from './open_node.ts'
import { replay } from './replay.ts'

const PATIENCE = { timeout: 60_000, interval: 50 }

describe('servers on one database', () => {
  it('serve one chain, mine it by need and leave it alone otherwise', async () => {
    const node = await openTestNode(200)
    try {
      const others = await Promise.all([node.startAnother(), node.startAnother()])
      const calls = [node.call, ...others.map(({ call }) => call)]
      expect(await node.call('getblockcount')).toBe(119)
      const coins = await node.control.coins()
      const hexes: string[] = []
      for (const [at, call] of calls.entries())
        hexes.push(await prepareData(call, `0${at}`, { inputs: coins.slice(at, at + 1) }))
      const txids = await Promise.all(calls.map((call, at) => call<string>('sendrawtransaction', hexes[at])))
      expect(new Set(txids).size).toBe(3)
      for (const [at, call] of calls.entries()) {
        const wanted = txids[(at + 1) % 3]
        await expect
          .poll(
            async () => (await call<{ confirmations: number }>('gettransaction', wanted)).confirmations,
            PATIENCE,
          )
          .toBeGreaterThan(0)
      }
      const { height } = await replay(node.store)
      const empty = await rows(
        node.store.em(),
        'SELECT 1 FROM development_blocks WHERE height > 119 AND cardinality(transaction_ids) = 1',
      )
      expect(empty).toEqual([])
      expect(height).toBeLessThanOrEqual(122)
    } finally {
      await node.close()
    }
  })

  it('mine side by side without a fork', async () => {
    const node = await openTestNode()
    try {
      await sendData(node.call, '01')
      await Promise.all(Array.from({ length: 6 }, () => node.control.mine()))
      expect(await node.call('getblockcount')).toBe(125)
      await replay(node.store)
    } finally {
      await node.close()
    }
  })

  it('find the chain and the pool as they left them', async () => {
    const node = await openTestNode()
    try {
      const waiting = await sendData(node.call, '01')
      const [coin] = await node.control.coins()
      const kept = await prepareData(node.call, '02', { inputs: [coin] })
      const tip = await node.control.tip()
      await node.chain.close()
      const { chain, call } = await node.startAnother()
      expect(chain.rpcUrl).not.toBe(node.chain.rpcUrl)
      expect(await call('getblockhash', await call('getblockcount'))).toBe(tip)
      expect(await call('getmempoolentry', waiting.txid)).toMatchObject({ fees: {} })
      await call('sendrawtransaction', kept)
      await node.control.mine()
      expect(await call('gettransaction', waiting.txid)).toMatchObject({ confirmations: 1, hex: waiting.hex })
    } finally {
      await node.close()
    }
  })
})
