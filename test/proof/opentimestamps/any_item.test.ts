// Any item that is about a file is written so that the reader comes from the digest to the header, or it is said why
// not, exactly at the limits of the format.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Transaction } from '../../../shared/proof/bitcoin/transaction.ts'
import { utf8 } from '../../../shared/proof/bytes.ts'
import { canonicalJson, type JsonObject } from '../../../shared/proof/json_value.ts'
import type { PathStep } from '../../../shared/proof/merkle.ts'
import { otsFileOf } from '../../../shared/proof/opentimestamps/ots_file.ts'
import {
  NotExpressible,
  type NotExpressibleReason,
} from '../../../shared/proof/opentimestamps/timestamp_path.ts'
import { readOts } from '../../support/ots_reader.ts'
import { type ItemParts, makeItem } from './item_bundle.ts'

const DIGEST = '1a19868d3b6b3f57f523b3202b9ae40155dc1491b3727c608f573acc615d9a0c'
const CLAIMS: JsonObject = { name: 'a', hash: DIGEST, hash_type: 'sha256' }
const INPUT = {
  previousTransaction: new Uint8Array(32),
  previousOutput: 0,
  script: new Uint8Array(),
  sequence: 0,
}
const SMALL: Transaction = { version: 2, inputs: [{ ...INPUT, witness: [] }], outputs: [], lockTime: 0 }
const PLAIN: ItemParts = {
  ...{ claims: CLAIMS, inclusion: [], epoch: [], transaction: SMALL, outputsInFront: 0 },
  ...{ others: [], othersInFront: 0, height: 0, networks: ['mainnet'] },
}

const steps = (left: number, right: number): PathStep[] => [
  ...Array.from({ length: left }, () => ({ side: 'left' as const, hash: new Uint8Array(32).fill(1) })),
  ...Array.from({ length: right }, () => ({ side: 'right' as const, hash: new Uint8Array(32).fill(2) })),
]

/** From the reader, or the reason why there is nothing to read. */
function written(parts: ItemParts) {
  const made = makeItem(parts)
  try {
    const file = otsFileOf(made.bundle)
    return { made, file, read: readOts(file.bytes), reason: undefined }
  } catch (error) {
    if (error instanceof NotExpressible)
      return { made, reason: error.reason, file: undefined, read: undefined }
    throw error
  }
}
const reasonOf = (parts: Partial<ItemParts>): NotExpressibleReason | undefined =>
  written({ ...PLAIN, ...parts }).reason

const hash32 = fc.uint8Array({ minLength: 32, maxLength: 32 })
const step = fc.record({ side: fc.constantFrom('left' as const, 'right' as const), hash: hash32 })
const path = fc.array(step, { maxLength: 64, size: 'max' })
const digests = fc.oneof(
  fc.constant({ hash: DIGEST, hash_type: 'sha256' }),
  fc.constant({ hash: DIGEST.slice(0, 40), hash_type: 'sha1' }),
)
const claims: fc.Arbitrary<JsonObject> = fc
  .record(
    {
      name: fc.string({ unit: 'binary', minLength: 1, maxLength: 64 }),
      description: fc.constantFrom(`"hash":"${DIGEST}"`, DIGEST, 'α\u{1f5ff}"\\\n'),
      metadata: fc.dictionary(fc.string(), fc.constantFrom('x'.repeat(1_300), DIGEST, 'é', 1e21, null, true)),
      url: fc.constant('https://example.com/'),
    },
    { requiredKeys: ['name'] },
  )
  .chain((rest) => digests.map((digest) => ({ ...rest, ...digest })))
const bytes = (maxLength: number) => fc.uint8Array({ maxLength })
const transaction: fc.Arbitrary<Transaction> = fc.record({
  version: fc.constantFrom(1, 2, 0xffff_ffff),
  inputs: fc.array(
    fc.record({
      previousTransaction: hash32,
      previousOutput: fc.nat(),
      script: bytes(300),
      sequence: fc.nat(),
      witness: fc.array(bytes(5_000), { maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 20 },
  ),
  outputs: fc.array(fc.record({ value: fc.bigInt(0n, 2n ** 50n), script: bytes(40) }), { maxLength: 5 }),
  lockTime: fc.nat(),
})
/** A node with its sibling on the left takes two operations, on the right three, and one of Bitcoin three. */
const operationsOf = ({ inclusion, epoch, others }: ItemParts): number => {
  const nodes = [...inclusion, ...epoch].map(({ side }) => (side === 'left' ? 2 : 3))
  return 18 + nodes.reduce((sum, one) => sum + one, 0) + 3 * Math.ceil(Math.log2(others.length + 1))
}
const anyItem: fc.Arbitrary<ItemParts> = fc.record({
  ...{ claims, inclusion: path, epoch: path, transaction },
  outputsInFront: fc.nat({ max: 5 }),
  others: fc.uniqueArray(hash32, { maxLength: 40, selector: String }),
  othersInFront: fc.nat({ max: 40 }),
  height: fc.oneof(fc.constantFrom(0, 127, 128, 2 ** 31, 2 ** 40), fc.nat()),
  networks: fc.constantFrom(
    ['mainnet'],
    ['regtest'],
    ['regtest', 'testnet', 'mainnet'],
    ['regtest', 'testnet'],
  ),
})

describe('the .ots file of an item', () => {
  it('leads from the digest to the Merkle root of the header, whatever the item, or the limit passed is named', () => {
    const seen = new Set<string>()
    fc.assert(
      fc.property(anyItem, (parts) => {
        const { made, file, read, reason } = written(parts)
        seen.add(reason ?? 'written')
        const longest = Math.max(1 + utf8(canonicalJson(parts.claims)).length, made.transactionLength)
        const operations = operationsOf(parts)
        if (reason !== undefined) {
          expect(reason === 'too_long' ? longest > 4_096 : operations > 255).toBe(true)
          return
        }
        expect(longest).toBeLessThanOrEqual(4_096)
        expect(read?.operations).toBe(operations)
        expect(file?.network).toBe(
          ['mainnet', 'testnet', 'regtest'].find((one) => parts.networks.includes(one)),
        )
        expect(read?.digest.toString('hex')).toBe(parts.claims.hash)
        expect(read?.hashType).toBe(parts.claims.hash_type)
        expect(read?.attestations).toEqual([{ height: parts.height, message: Buffer.from(made.merkleRoot) }])
      }),
      { numRuns: 300 },
    )
    expect([...seen].toSorted()).toEqual(['too_deep', 'too_long', 'written'])
  })

  it('takes claims of 4,095 bytes, before which one byte stands, and no longer ones', () => {
    const spare = 4_095 - utf8(canonicalJson({ ...CLAIMS, description: '' })).length
    expect(reasonOf({ claims: { ...CLAIMS, description: 'x'.repeat(spare) } })).toBeUndefined()
    expect(reasonOf({ claims: { ...CLAIMS, description: 'x'.repeat(spare + 1) } })).toBe('too_long')
  })

  it('takes a transaction of 4,096 bytes without its witness data, however much of that there is', () => {
    const script = (length: number) => ({
      ...SMALL,
      outputs: [{ value: 0n, script: new Uint8Array(length) }],
    })
    const spare = 4_096 - makeItem({ ...PLAIN, transaction: script(3_000) }).transactionLength + 3_000
    expect(reasonOf({ transaction: script(spare) })).toBeUndefined()
    expect(reasonOf({ transaction: script(spare + 1) })).toBe('too_long')
    const signed = { ...SMALL, inputs: [{ ...INPUT, witness: [new Uint8Array(100_000)] }] }
    expect(reasonOf({ transaction: signed })).toBeUndefined()
  })

  it('has at most 255 operations, which begin 256 nested timestamps with the digest’s own', () => {
    const most = written({ ...PLAIN, inclusion: steps(0, 64), epoch: steps(0, 15) })
    expect(most.read?.operations).toBe(255)
    expect(reasonOf({ inclusion: steps(0, 64), epoch: steps(2, 14) })).toBe('too_deep')
  })

  it('says why there is none', () => {
    const { hash: _, ...noHash } = CLAIMS
    const { hash_type: __, ...noType } = CLAIMS
    expect(reasonOf({ claims: noHash })).toBe('no_file_digest')
    expect(reasonOf({ claims: noType })).toBe('no_file_digest')
    expect(reasonOf({ claims: { ...CLAIMS, hash: DIGEST.slice(2) } })).toBe('no_file_digest')
    expect(reasonOf({ claims: { ...CLAIMS, hash_type: 'sha3_256' } })).toBe('hash_type')
    expect(reasonOf({ networks: [] })).toBe('no_bitcoin_commitment')
    expect(reasonOf({ networks: ['liquid'] })).toBe('no_bitcoin_commitment')
  })
})
