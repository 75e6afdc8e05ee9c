// Whether an output can still be spent, as a node tells it: with what waits, and without.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { displayHash } from '../../shared/proof/bitcoin/bitcoin_bytes.ts'
import { readTransaction } from '../../shared/proof/bitcoin/transaction.ts'
import { fromHex } from '../../shared/proof/bytes.ts'
import { openTestNode, prepareData, type TestNode } from './open_node.ts'

let node: TestNode
beforeAll(async () => {
  node = await openTestNode()
})
afterAll(() => node.close())

it('an output is there from when it waits, and gone from when its spender does', async () => {
  const { call, control } = node
  const hex = await prepareData(call, 'ab')
  const [input] = readTransaction(fromHex(hex)).inputs
  if (input === undefined) throw new Error('It spends nothing.')
  const spent = [displayHash(input.previousTransaction), input.previousOutput]
  const best = await control.tip()
  expect(await call('gettxout', ...spent)).toEqual({
    bestblock: best,
    confirmations: expect.any(Number),
    value: expect.any(Number),
    scriptPubKey: { hex: expect.stringMatching(/^0014[0-9a-f]{40}$/) },
  })

  const txid = await call<string>('sendrawtransaction', hex)
  expect(await call('gettxout', ...spent)).toBeNull()
  expect(await call('gettxout', ...spent, false)).toMatchObject({ bestblock: best })
  expect(await call('gettxout', txid, 1)).toMatchObject({ confirmations: 0 })
  expect(await call('gettxout', txid, 1, false)).toBeNull()

  await control.mine()
  expect(await call('gettxout', ...spent, false)).toBeNull()
  expect(await call('gettxout', txid, 1, false)).toMatchObject({ confirmations: 1 })
  // Nobody can spend what carries data, and what was never made is not there either.
  expect(await call('gettxout', txid, 0)).toBeNull()
  expect(await call('gettxout', 'ab'.repeat(32), 0)).toBeNull()
  await expect(call('gettxout', txid, -1)).rejects.toMatchObject({ code: -8 })
})
