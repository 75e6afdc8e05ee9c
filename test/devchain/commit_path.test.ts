// From a draft to a proof, as a client of Bitcoin Core goes.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { displayHash } from '../../shared/proof/bitcoin/bitcoin_bytes.ts'
import { headerHash } from '../../shared/proof/bitcoin/block_header.ts'
import { opReturnOf, readTransaction, transactionId } from '../../shared/proof/bitcoin/transaction.ts'
import { readTxoutproof } from '../../shared/proof/bitcoin/txoutproof.ts'
import { fromHex, toHex } from '../../shared/proof/bytes.ts'
import { openTestNode, sendData, type TestNode } from './open_node.ts'

const ROOT = 'ab'.repeat(32)

describe('committing 32 bytes', () => {
  let node: TestNode
  beforeAll(async () => {
    node = await openTestNode()
  })
  afterAll(() => node.close())

  it('ends with a transaction that carries them, in a block, under a proof that a reader believes', async () => {
    const { call, control } = node
    const { txid, hex } = await sendData(call, ROOT)
    const transaction = readTransaction(fromHex(hex))
    expect(transactionId(transaction)).toBe(txid)
    expect(toHex(opReturnOf(transaction) ?? new Uint8Array())).toBe(ROOT)
    expect(await call('gettransaction', txid)).toMatchObject({ confirmations: 0, hex })

    await control.mine()
    const confirmed = await call<Record<string, unknown>>('gettransaction', txid)
    expect(confirmed).toMatchObject({ confirmations: 1, blockhash: await control.tip(), hex })
    const proof = readTxoutproof(fromHex(await call<string>('gettxoutproof', [txid])))
    expect(proof.isValid).toBe(true)
    expect(proof.matched.map(displayHash)).toEqual([txid])
    expect(headerHash(proof.header)).toBe(confirmed.blockhash)
    expect(await call('getblockheader', confirmed.blockhash)).toMatchObject({
      height: 120,
      time: proof.fields.time,
    })
    expect(await call('gettxoutproof', [txid], confirmed.blockhash)).toBe(await call('gettxoutproof', [txid]))
  })
})
