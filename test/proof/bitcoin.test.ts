// Bitcoin's bytes: known transactions, trees and scripts, and that what we build is what we read.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { displayHash, doubleSha256, internalHash } from '../../shared/proof/bitcoin/bitcoin_bytes.ts'
import {
  type BlockHeader,
  hasWorkOf,
  headerHash,
  isOfDevelopmentChain,
  readHeader,
  writeHeader,
} from '../../shared/proof/bitcoin/block_header.ts'
import {
  opReturnOf,
  opReturnPush,
  opReturnScript,
  readTransaction,
  type Transaction,
  transactionHash,
  transactionId,
  writeTransaction,
} from '../../shared/proof/bitcoin/transaction.ts'
import { bitcoinMerkleRoot, readTxoutproof, writeTxoutproof } from '../../shared/proof/bitcoin/txoutproof.ts'
import { concatBytes, fromHex, toHex } from '../../shared/proof/bytes.ts'
import { vectors } from './vectors.ts'

const { blocks, op_return_scripts, txoutproofs_to_refuse } = vectors.bitcoin

describe.each(blocks)('a block of $name', (block) => {
  const header = fromHex(block.header_hex)
  const leaves = block.transactions.map(({ txid }) => internalHash(txid))

  it('has the known header and tree', () => {
    expect(headerHash(header)).toBe(block.block_hash)
    const fields = readHeader(header)
    expect(fields.time).toBe(block.time)
    expect(displayHash(fields.merkleRoot)).toBe(block.merkle_root)
    expect(displayHash(bitcoinMerkleRoot(leaves))).toBe(block.merkle_root)
    expect(toHex(writeHeader(fields))).toBe(block.header_hex)
  })

  it.each(block.transactions)('has transaction $txid', ({ raw_hex, txid, op_return }) => {
    const transaction = readTransaction(fromHex(raw_hex))
    expect(transactionId(transaction)).toBe(txid)
    expect(displayHash(transactionHash(transaction))).toBe(txid)
    const pushed = opReturnOf(transaction)
    expect(pushed === undefined ? null : toHex(pushed)).toBe(op_return)
    expect(toHex(writeTransaction(transaction))).toBe(raw_hex)
    expect(() => readTransaction(fromHex(`${raw_hex}00`))).toThrow(RangeError)
    for (let length = 0; length < raw_hex.length; length += 2)
      expect(() => readTransaction(fromHex(raw_hex.slice(0, length)))).toThrow(RangeError)
  })

  it('has the known txoutproof', () => {
    const wanted = leaves[block.commitment_index] ?? new Uint8Array()
    expect(toHex(writeTxoutproof(leaves, block.commitment_index, header))).toBe(block.txoutproof_hex)
    const proof = readTxoutproof(fromHex(block.txoutproof_hex))
    expect(proof).toMatchObject({ isValid: true, matched: [wanted], header })
  })
})

describe('the work of a header', () => {
  const merkleRoot = internalHash('4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b')
  const first = { version: 1, previousBlock: new Uint8Array(32), merkleRoot }
  /** The first blocks of the networks, all with the same transaction. */
  const main = { ...first, time: 1_231_006_505, bits: 0x1d00_ffff, nonce: 2_083_236_893 }
  const testnet3 = { ...first, time: 1_296_688_602, bits: 0x1d00_ffff, nonce: 414_098_458 }
  const signet = { ...first, time: 1_598_918_400, bits: 0x1e03_77ae, nonce: 52_613_770 }
  const regtest = { ...first, time: 1_296_688_602, bits: 0x207f_ffff, nonce: 2 }
  const holds = (network: string | undefined, header: BlockHeader) => hasWorkOf(network, writeHeader(header))

  it.each([
    ['mainnet', main, ['mainnet', 'testnet', 'regtest']],
    ['testnet3', testnet3, ['mainnet', 'testnet', 'regtest']],
    ['signet', signet, ['testnet', 'regtest']],
    ['regtest', regtest, ['regtest']],
  ])('of %s does for its network, and for none with harder blocks', (_, header, networks) => {
    const known = ['mainnet', 'testnet', 'regtest']
    expect(known.filter((network) => holds(network, header))).toEqual(networks)
    for (const unknown of [undefined, 'moon', 'constructor']) expect(holds(unknown, header)).toBe(true)
  })

  it.each(blocks)('of the published block of $name does for regtest alone', ({ header_hex }) => {
    expect(hasWorkOf('regtest', fromHex(header_hex))).toBe(true)
    for (const network of ['mainnet', 'testnet']) expect(hasWorkOf(network, fromHex(header_hex))).toBe(false)
  })

  it('asks for less than any public network does on a development chain alone', () => {
    for (const header of [main, testnet3, signet]) expect(isOfDevelopmentChain(header)).toBe(false)
    for (const bits of [0x207f_ffff, 0x1e03_77af])
      expect(isOfDevelopmentChain({ ...regtest, bits })).toBe(true)
  })

  it('is gone with another nonce, time or root', () => {
    for (const change of [
      { nonce: main.nonce + 1 },
      { time: main.time + 1 },
      { merkleRoot: new Uint8Array(32) },
    ])
      expect(holds('mainnet', { ...main, ...change })).toBe(false)
  })

  it('is not in a target that is negative, nothing, or larger than any network has', () => {
    for (const bits of [0x1d80_ffff, 0x1d00_0000, 0x0000_ffff, 0x2080_0000, 0x2100_ffff, 0xff7f_ffff])
      for (const network of ['mainnet', 'regtest', 'moon'])
        expect(holds(network, { ...regtest, bits })).toBe(false)
  })
})

describe('OP_RETURN', () => {
  it.each(op_return_scripts)('$name', ({ script_hex, value }) => {
    const pushed = opReturnPush(fromHex(script_hex))
    expect(pushed === undefined ? null : toHex(pushed)).toBe(value)
  })

  it.each([
    ['6a4d2000', 32],
    ['6a4e20000000', 32],
    ['6a00', 0],
    ['6a4d5100', undefined],
    ['6a4effffffff', undefined],
    ['6a4c', undefined],
    ['6a4f', undefined],
    ['6a51', undefined],
  ])('%s followed by its bytes pushes %s', (start, length) => {
    const script = concatBytes(fromHex(start), new Uint8Array(length ?? 0).fill(9))
    expect(opReturnPush(script)?.length).toBe(length)
  })

  it('the first output with one counts, others are passed over', () => {
    const output = (script: Uint8Array) => ({ value: 0n, script })
    const root = new Uint8Array(32).fill(5)
    const outputs = [
      output(fromHex('6a')),
      output(opReturnScript(root)),
      output(opReturnScript(fromHex('01'))),
    ]
    expect(opReturnOf({ version: 2, inputs: [], outputs, lockTime: 0 })).toEqual(root)
    expect(toHex(opReturnScript(root))).toBe(`6a20${toHex(root)}`)
  })
})

describe('transactions', () => {
  const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })
  const script = fc.uint8Array({ maxLength: 300 })
  const transaction: fc.Arbitrary<Transaction> = fc.record({
    version: fc.nat(),
    inputs: fc.array(
      fc.record({
        previousTransaction: bytes(32),
        previousOutput: fc.nat(),
        script,
        sequence: fc.nat(),
        witness: fc.array(script, { maxLength: 3 }),
      }),
      { minLength: 1, maxLength: 4 },
    ),
    outputs: fc.array(fc.record({ value: fc.bigInt(0n, 2n ** 63n), script }), { maxLength: 4 }),
    lockTime: fc.nat(),
  })

  it('written and read are the same, and witness data is not in the id', () => {
    fc.assert(
      fc.property(transaction, (written) => {
        const read = readTransaction(writeTransaction(written))
        expect(read).toEqual(written)
        const bare = { ...written, inputs: written.inputs.map((input) => ({ ...input, witness: [] })) }
        expect(transactionId(bare)).toBe(transactionId(read))
        expect(displayHash(doubleSha256(writeTransaction(bare)))).toBe(transactionId(read))
      }),
      { numRuns: 100 },
    )
  })

  it.each([
    ['a count in a longer form than it needs', '01000000fd0000000000000000'],
    ['a count beyond the bytes', '01000000ffffffffffffffffff'],
    ['another flag than the one there is', '010000000002000000000000'],
  ])('%s is refused', (_, hex) => {
    expect(() => readTransaction(fromHex(hex))).toThrow(RangeError)
  })
})

describe('txoutproofs', () => {
  it.each(txoutproofs_to_refuse)('with $name are not valid', ({ txoutproof_hex }) => {
    expect(validity(fromHex(txoutproof_hex))).toBe(false)
  })

  it('for any transaction of any block are valid, and with a byte less or more they are not', () => {
    const block = fc
      .integer({ min: 1, max: 70 })
      .chain((size) => fc.tuple(fc.constant(size), fc.nat(size - 1)))
    fc.assert(
      fc.property(block, ([size, wanted]) => {
        const leaves = Array.from({ length: size }, (_, i) => doubleSha256(Uint8Array.of(i)))
        const header = writeHeader({ ...someHeader, merkleRoot: bitcoinMerkleRoot(leaves) })
        const written = writeTxoutproof(leaves, wanted, header)
        expect(readTxoutproof(written)).toMatchObject({ isValid: true, matched: [leaves[wanted]] })
        expect(validity(written.subarray(0, -1))).toBe(false)
        expect(validity(concatBytes(written, Uint8Array.of(0)))).toBe(false)
      }),
      { numRuns: 60 },
    )
  })

  it('that declare more transactions than there could ever be end as soon as their bytes do', () => {
    for (const transactions of [2 ** 31, 2 ** 32 - 1]) {
      const declared = new Uint8Array(4)
      new DataView(declared.buffer).setUint32(0, transactions, true)
      const flags = concatBytes(Uint8Array.of(200), new Uint8Array(200).fill(255))
      const hashes = concatBytes(Uint8Array.of(100), new Uint8Array(3200))
      expect(validity(concatBytes(writeHeader(someHeader), declared, hashes, flags))).toBe(false)
    }
  })

  const someHeader = {
    version: 2,
    previousBlock: new Uint8Array(32),
    merkleRoot: new Uint8Array(32),
    time: 1,
    bits: 0x207fffff,
    nonce: 0,
  }

  function validity(bytes: Uint8Array): boolean {
    try {
      return readTxoutproof(bytes).isValid
    } catch (error) {
      if (error instanceof RangeError) return false
      throw error
    }
  }
})
