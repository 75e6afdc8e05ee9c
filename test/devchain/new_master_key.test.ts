// The wallet's key comes from the master key, so a new master key makes a wallet without coins: it must not stay so.
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { startDevchain } from '../../server/devchain/start_devchain.ts'
import { openWallet } from '../../server/devchain/wallet.ts'
import { masterKey } from '../../server/kernel/sealed.ts'
import { controlDevchain } from '../support/chains/devchain_control.ts'
import { clientOf, NEVER_MS, openTestNode, sendData } from './open_node.ts'
import { replay } from './replay.ts'

describe('a wallet under a new master key', () => {
  it('has coins of its own to commit with, once, on the same chain', async () => {
    const node = await openTestNode()
    try {
      await sendData(node.call, 'aa'.repeat(32))
      await node.control.mine()
      const key = masterKey(Buffer.alloc(32, 9))
      const other = openWallet({ masterKey: key })
      const collaborators = {
        store: node.store,
        masterKey: key,
        log: pino({ level: 'silent' }),
      }
      const heights: number[] = []
      for (const data of ['bb', 'cc']) {
        const chain = await startDevchain(collaborators, { mineAfterMs: NEVER_MS })
        const call = clientOf(chain.rpcUrl)
        heights.push(await call<number>('getblockcount'))
        await sendData(call, data.repeat(32))
        await controlDevchain({ store: node.store, script: other.script }).mine()
        await chain.close()
      }
      expect(heights).toEqual([120 + 119, 120 + 119 + 1])
      await replay(node.store)
    } finally {
      await node.close()
    }
  })
})
