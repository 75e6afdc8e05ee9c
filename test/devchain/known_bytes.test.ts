// The pieces agree with what others published: digests, scripts, blocks.
import { describe, expect, it } from 'vitest'
import { assembleBlock, pushHeight, subsidyAt } from '../../server/devchain/mine_block.ts'
import { hash160, maySpend, payToWitnessKey, witnessDigest } from '../../server/devchain/wallet.ts'
import { doubleSha256 } from '../../shared/proof/bitcoin/bitcoin_bytes.ts'
import { meetsTarget, readHeader } from '../../shared/proof/bitcoin/block_header.ts'
import { readTransaction } from '../../shared/proof/bitcoin/transaction.ts'
import { bitcoinMerkleRoot } from '../../shared/proof/bitcoin/txoutproof.ts'
import { bytesEqual, fromHex, toHex } from '../../shared/proof/bytes.ts'
import { vectors } from '../proof/vectors.ts'
import { hash256, merkleRoot } from './block_bytes.ts'

describe('the digest of BIP143’s own example', () => {
  const unsigned =
    '0100000002fff7f7881a8099afa6940d42d1e7f6362bec38171ea3edf433541db4e4ad969f0000000000eeffffff' +
    'ef51e1b804cc89d182d279655c3aa89e815b1b309fe287d9b2b55d57b90ec68a0100000000ffffffff' +
    '02202cb206000000001976a9148280b37df378db99f66f85c95a783a76ac7a6d5988ac' +
    '9093510d000000001976a9143bde42dbee7e4dbe6a21b2d50ce2f0167faa815988ac11000000'
  const publicKey = fromHex('025476c2e83188368da1ff3e292e7acafcdb3566bb0ad253f62fc70f07aeee6357')
  const signature = fromHex(
    '304402203609e17b84f6a7d30c80bfa610b5b4542f32a8a0d5447a12fb1366d7f01cc44a' +
      '0220573a954c4518331561406f90300e8f3358f51928d43c212a8caed02de67eebee01',
  )
  const transaction = readTransaction(fromHex(unsigned))
  const coin = { amount: 600_000_000, script: payToWitnessKey(hash160(publicKey)) }

  it('is the published one', () => {
    const digest = witnessDigest(transaction, 1, { amount: coin.amount, keyHash: hash160(publicKey) })
    expect(toHex(digest)).toBe('c37af31116d1b27caf68aae9e3ac82f1477929014d5b917657d0eb49478cb670')
  })

  it('carries the published signature, and no other amount, place, key or signature', () => {
    const signed = {
      ...transaction,
      inputs: transaction.inputs.map((input) => ({ ...input, witness: [signature, publicKey] })),
    }
    expect(maySpend(signed, 1, coin)).toBe(true)
    expect(maySpend(signed, 0, coin)).toBe(false)
    expect(maySpend(signed, 1, { ...coin, amount: coin.amount + 1 })).toBe(false)
    expect(maySpend(signed, 1, { ...coin, script: payToWitnessKey(new Uint8Array(20)) })).toBe(false)
    expect(maySpend(transaction, 1, coin)).toBe(false)
    for (const witness of [
      [signature, publicKey, new Uint8Array()],
      [signature.with(10, 0), publicKey],
      [signature.subarray(1), publicKey],
      [signature.with(-1, 3), publicKey],
      [new Uint8Array(), publicKey],
      [signature, publicKey.with(0, 3)],
    ])
      expect(
        maySpend({ ...signed, inputs: signed.inputs.map((input) => ({ ...input, witness })) }, 1, coin),
      ).toBe(false)
  })
})

describe('the published blocks', () => {
  it.each(vectors.bitcoin.blocks)('$name: work, tree and what their coinbase begins with', (block) => {
    const header = readHeader(fromHex(block.header_hex))
    expect(meetsTarget(doubleSha256(fromHex(block.header_hex)), header.bits)).toBe(true)
    const leaves = block.transactions.map(({ txid }) => fromHex(txid).reverse())
    expect(bytesEqual(bitcoinMerkleRoot(leaves), header.merkleRoot)).toBe(true)
    expect(merkleRoot(leaves.map((leaf) => Buffer.from(leaf))).equals(header.merkleRoot)).toBe(true)
    const coinbase = readTransaction(fromHex(block.transactions[0]?.raw_hex ?? ''))
    const begun = pushHeight(block.height)
    expect(toHex(coinbase.inputs[0]?.script.subarray(0, begun.length) ?? new Uint8Array())).toBe(toHex(begun))
  })
})

describe('a block made here', () => {
  it('commits to witnesses as BIP141 says', () => {
    const transactions = (vectors.bitcoin.blocks[0]?.transactions ?? []).slice(1)
    const { coinbase } = assembleBlock({
      previousHash: new Uint8Array(32),
      height: 1201,
      time: 1_798_761_815,
      transactions: transactions.map(({ raw_hex }) => readTransaction(fromHex(raw_hex))),
      fees: 0,
      payTo: payToWitnessKey(new Uint8Array(20)),
    })
    const hashes = transactions.map(({ raw_hex }) => hash256(fromHex(raw_hex)))
    const root = merkleRoot([Buffer.alloc(32), ...hashes])
    const commitment = hash256(Buffer.concat([root, Buffer.alloc(32)]))
    expect(toHex(coinbase.outputs.at(-1)?.script ?? new Uint8Array())).toBe(
      `6a24aa21a9ed${commitment.toString('hex')}`,
    )
    expect(toHex(coinbase.inputs[0]?.witness[0] ?? new Uint8Array())).toBe('00'.repeat(32))
  })

  it('begins with its height in the shortest form', () => {
    expect(
      [0, 1, 16, 17, 127, 128, 255, 256, 32_767, 32_768].map((height) => toHex(pushHeight(height))),
    ).toEqual(['00', '51', '60', '0111', '017f', '028000', '02ff00', '020001', '02ff7f', '03008000'])
  })

  it('pays half as much every 150 blocks', () => {
    expect([1, 149, 150, 299, 300, 150 * 32, 150 * 33, 150 * 64].map(subsidyAt)).toEqual([
      5_000_000_000, 5_000_000_000, 2_500_000_000, 2_500_000_000, 1_250_000_000, 1, 0, 0,
    ])
  })
})
