// A database connection that breaks in the middle of a step leaves the chain as it was before or after it, never between.
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type FaultProxy, openFaultProxy } from '../support/fault_proxy.ts'
import { NEVER_MS, openTestNode, prepareData, type TestNode } from './open_node.ts'
import { replay } from './replay.ts'

describe('a lost connection', () => {
  let proxy: FaultProxy
  let node: TestNode
  beforeAll(async () => {
    proxy = await openFaultProxy(inject('postgresUrl'))
    node = await openTestNode(NEVER_MS, proxy.through)
  })
  afterAll(async () => {
    await node.close()
    await proxy.close()
  })

  const isCommit = (sql: string): boolean => /^commit/i.test(sql)
  const steps = [
    [
      'before the transaction is stored',
      (sql: string) => /^insert into .?development_transactions/i.test(sql),
      'before',
    ],
    ['before the pool has it', (sql: string) => sql.includes('SET spent_by = i.spender'), 'before'],
    ['before the commit', isCommit, 'before'],
    ['after the commit', isCommit, 'after'],
  ] as const

  it.each(steps)(
    '%s tells a sender to try again, and the same bytes then go in',
    async (_, matches, when) => {
      const { call, control } = node
      const hex = await prepareData(call, 'aa')
      const struck = proxy.strike({ matches, when })
      await expect(call('sendrawtransaction', hex)).rejects.toMatchObject({ code: -28, status: 500 })
      await struck
      const txid = await call<string>('sendrawtransaction', hex)
      expect(await control.waiting()).toContain(txid)
      await replay(node.store)
    },
  )

  it.each([
    [
      'before the block is stored',
      (sql: string) => /^insert into .?development_blocks/i.test(sql),
      'before',
      0,
    ],
    [
      'before its transactions are confirmed',
      (sql: string) => sql.includes("SET standing = 'chain'"),
      'before',
      0,
    ],
    ['after the commit', isCommit, 'after', 1],
  ] as const)('%s leaves the old tip or the new one', async (_, matches, when, grown) => {
    const { call, control } = node
    await call('sendrawtransaction', await prepareData(call, 'bb'))
    const height = await call<number>('getblockcount')
    const struck = proxy.strike({ matches, when })
    await expect(control.mine()).rejects.toThrow()
    await struck
    expect(await call('getblockcount')).toBe(height + grown)
    await replay(node.store)
    await control.mine()
    expect(await control.waiting()).toEqual([])
    await replay(node.store)
  })
})
