// An entry of the log has one spelling, and everything of a block is in it.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { uuid7From } from '../../server/kernel/identifiers.ts'
import {
  blockComposite,
  entryBundle,
  entryBytes,
  entryLeafHash,
  readBlockComposite,
  readEntryBundle,
  readLogEntry,
} from '../../shared/log/log_entry.ts'
import { toHex } from '../../shared/proof/bytes.ts'
import { blockHash, canonicalTextHash } from '../../shared/proof/composites.ts'
import { sha256 } from '../../shared/proof/domain_hash.ts'

const block = {
  id: '01a2ce8e-9320-7630-bb7f-73edc8868b1d',
  previousBlockHash: new Uint8Array(32).fill(1),
  merkleRoot: new Uint8Array(32).fill(2),
  metadataHash: canonicalTextHash('block_metadata', '{}'),
  keyId: Uint8Array.of(1, 2, 3, 4),
}
const signature = new Uint8Array(64).fill(7)
const composite = blockComposite(block)

describe('the composite of a block', () => {
  it('is 157 bytes whose SHA-256 is the hash of the block', () => {
    expect(composite).toHaveLength(157)
    expect(toHex(sha256(composite))).toBe(toHex(blockHash(block)))
  })

  it('is read back', () => expect(readBlockComposite(composite)).toEqual(block))

  it('has no second spelling: cut, longer, another length or domain, another form of the id', () => {
    const changed = (at: number, value: number) => composite.with(at, value)
    for (const bytes of [
      composite.subarray(0, -1),
      Uint8Array.of(...composite, 0),
      changed(0, 0x13),
      changed(4, 37),
      changed(5, 'X'.charCodeAt(0)),
      changed(41 + 3, 31),
      new Uint8Array(),
    ])
      expect(() => readBlockComposite(bytes)).toThrow(RangeError)
  })
})

describe('an entry', () => {
  it('has known bytes and a known leaf hash', () => {
    const entry = entryBytes({ composite, signature, metadata: '{}' })
    expect(toHex(entry)).toBe(
      `0000009d${toHex(composite)}00000040${toHex(signature)}00000002${toHex(new TextEncoder().encode('{}'))}`,
    )
    expect(toHex(entryLeafHash(entry))).toBe(toHex(sha256(Uint8Array.of(0, ...entry))))
  })

  it('is read back, whatever its metadata', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (metadata) => {
        const parts = { composite, signature, metadata }
        const read = readLogEntry(entryBytes(parts))
        expect(read).toEqual(parts)
      }),
    ))

  it('takes metadata up to 65,302 bytes, so that it is at most 65,535 bytes', () => {
    const longest = { composite, signature, metadata: 'x'.repeat(65_302) }
    expect(entryBytes(longest)).toHaveLength(65_535)
    expect(() => entryBytes({ ...longest, metadata: `${longest.metadata}x` })).toThrow(RangeError)
  })

  it('has no second spelling: cut anywhere, longer, or with bytes that are not UTF-8', () => {
    const entry = entryBytes({ composite, signature, metadata: '{"é":1}' })
    for (let length = 0; length < entry.length; length++)
      expect(() => readLogEntry(entry.subarray(0, length))).toThrow(RangeError)
    expect(() => readLogEntry(Uint8Array.of(...entry, 0))).toThrow(RangeError)
    expect(() => readLogEntry(entry.with(-1, 0xff))).toThrow(RangeError)
    expect(readLogEntry(entryBytes({ composite, signature, metadata: '\uFEFF{}' })).metadata).toBe('\uFEFF{}')
  })
})

describe('an entry bundle', () => {
  const entries = Array.from({ length: 256 }, (_, at) =>
    entryBytes({
      composite: blockComposite({ ...block, id: uuid7From(at, new Uint8Array(10)) }),
      signature,
      metadata: '{}',
    }),
  )

  it('is its entries, each after its length in two bytes', () => {
    expect(toHex(entryBundle([Uint8Array.of(1, 2), Uint8Array.of(3)]))).toBe('00020102000103')
    expect(readEntryBundle(entryBundle(entries))).toEqual(entries)
    expect(readEntryBundle(entryBundle(entries.slice(0, 3)), 3)).toEqual(entries.slice(0, 3))
  })

  it('is refused when it is cut, empty, or has fewer or more entries than asked for', () => {
    const bundle = entryBundle(entries.slice(0, 3))
    expect(() => readEntryBundle(bundle.subarray(0, -1))).toThrow(RangeError)
    expect(() => readEntryBundle(bundle, 2)).toThrow(RangeError)
    expect(() => readEntryBundle(bundle, 4)).toThrow(RangeError)
    expect(() => readEntryBundle(new Uint8Array())).toThrow(RangeError)
    expect(() => readEntryBundle(entryBundle([...entries, ...entries.slice(0, 1)]))).toThrow(RangeError)
  })
})
