// Bundles: every known answer of reading, writing and verification, in both layouts and both formats.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BundleRejected } from '../../shared/proof/bundle/bundle_parts.ts'
import { compactCbor, compactJson, compactOf } from '../../shared/proof/bundle/compact.ts'
import { readBundleCbor, readBundleJson, readBundleObject } from '../../shared/proof/bundle/read_bundle.ts'
import { type CborValue, FOREIGN, readCbor } from '../../shared/proof/bundle/read_cbor.ts'
import { bundleCbor, bundleJson, plainCborOf } from '../../shared/proof/bundle/write_bundle.ts'
import { fromBase64, fromHex, toBase64, toHex } from '../../shared/proof/bytes.ts'
import { canonicalJson, type JsonValue } from '../../shared/proof/json_value.ts'
import { readStrictJson } from '../../shared/proof/strict_json.ts'
import { verifyBundle } from '../../shared/proof/verify/verify_bundle.ts'
import { anyJson } from './any_json.ts'
import {
  failingGroups,
  knownDocument,
  knownForm,
  knownForms,
  knownKeyring,
  layouts,
  rowsOf,
  setAt,
} from './known_bundles.ts'
import { vectors } from './vectors.ts'

const keyrings = [knownKeyring]

function rejection(read: () => unknown): string {
  try {
    read()
  } catch (error) {
    if (error instanceof BundleRejected) return error.reason
    throw error
  }
  return 'accepted'
}

describe('verification', () => {
  it.each(knownForms)('known rows of $name', async ({ bundle, layout, bytes, read }) => {
    const known = vectors.bundles[bundle]
    const report = await verifyBundle(read(bytes), { keyrings })
    expect(rowsOf(report)).toEqual(layout === 'published' ? known?.rows : known?.compact_rows)
    expect(report).toMatchObject({
      source: known?.type,
      subject_type: known?.type,
      subject_id: report.id,
      proof_version: 1,
      generated_at: known?.published.generated_at,
      passed: true,
      failed_count: 0,
      skipped_external: true,
      temporal: known?.temporal,
    })
    expect(report.id).toBe((known?.published.subject ?? known?.published.block)?.id)
    const counted = report.pass_count + report.failed_count + report.warn_count + report.skip_count
    expect(counted + report.info_count).toBe(report.steps.length)
  })

  it.each(vectors.tampered)('of a bundle with $name', async ({ bundle, changes, expect: expected }) => {
    const document = knownDocument(bundle)
    for (const change of changes)
      setAt(document, change.pointer, 'value' in change ? change.value : undefined)
    if ('rejected' in expected) {
      expect(rejection(() => readBundleObject(document))).toBe(expected.rejected)
      expect(rejection(() => readBundleJson(canonicalJson(document)))).toBe(expected.rejected)
      return
    }
    const report = await verifyBundle(readBundleObject(document), { keyrings })
    expect(failingGroups(report)).toEqual(expected.failing_groups)
    expect(report.passed).toBe(expected.passed)
    expect(await verifyBundle(readBundleJson(canonicalJson(document)), { keyrings })).toEqual(report)
  })
})

describe('reading', () => {
  it.each(vectors.rejected_texts)('rejects JSON: $name', ({ text, reason }) => {
    expect(rejection(() => readBundleJson(text))).toBe(reason)
  })

  it.each(vectors.rejected_cbor)('rejects CBOR: $name', ({ b64, reason }) => {
    expect(rejection(() => readBundleCbor(fromBase64(b64)))).toBe(reason)
  })

  it.each(Object.keys(vectors.bundles))('gives the same of %s from text, value and CBOR', (name) => {
    for (const layout of layouts) {
      const json = knownForm(name, layout, 'json')
      const read = readBundleJson(json.bytes)
      expect(read.layout).toBe(layout)
      expect(readBundleObject(knownDocument(name, layout))).toEqual(read)
      const { bytes } = knownForm(name, layout, 'cbor')
      expect(readBundleCbor(bytes)).toEqual(read)
      expect(readBundleCbor(bytes.slice(3))).toEqual(read) // without the tag
    }
  })

  it.each([
    ['t', 21, 'invalid_subject_type'],
    ['t', null, 'invalid_subject_type'],
    ['t', 'item', 'invalid_subject_type'],
    ['b', [], 'missing_block'],
    ['s', null, 'missing_subject'],
    ['ip', 5, 'missing_inclusion_proof'],
    ['b/mh', null, 'missing_metadata'],
    ['s/mh', {}, 'missing_metadata'],
    ['cx', [], 'no_external_commitments'],
    ['cx/0/t', 99, 'invalid_commitment_entry'],
    ['cx/0/op', null, 'invalid_commitment_entry'],
    ['cx/1/memo', null, 'invalid_commitment_entry'],
    ['cx/1/ep', null, 'invalid_commitment_entry'],
    ['version', 1, 'unsupported_layout'],
    ['type', 'item', 'unsupported_layout'],
    ['version', null, 'accepted'],
    ['subject', {}, 'accepted'],
  ])('of a compact bundle with %s %j: %s', (place, value, reason) => {
    const document = knownDocument('item', 'compact')
    setAt(document, `/${place}`, value)
    expect(rejection(() => readBundleObject(document))).toBe(reason)
  })

  it('a compact bundle of a block has no subject', () => {
    const document = knownDocument('beacon', 'compact')
    setAt(document, '/s', {})
    expect(rejection(() => readBundleObject(document))).toBe('unexpected_subject_fields_for_block_like')
  })

  it('a part under a published name says nothing in a compact bundle', () => {
    const document = knownDocument('item', 'compact')
    setAt(document, '/signing_key_event', { block: {} })
    setAt(document, '/block_path', [1])
    setAt(document, '/b/metadata', { a: 1 })
    setAt(document, '/s/witnesses', { block: {} })
    setAt(document, '/s/claims', {})
    expect(readBundleObject(document)).toEqual(readBundleObject(knownDocument('item', 'compact')))
  })

  it('members nobody listed and metadata hashes in the published layout say nothing', () => {
    const document = knownDocument('item')
    setAt(document, '/block/metadata_hash', '00')
    setAt(document, '/subject/metadata_hash', '00')
    setAt(document, '/constructor', 1)
    expect(readBundleObject(document)).toEqual(readBundleObject(knownDocument('item')))
  })
})

describe('writing', () => {
  it.each(Object.entries(vectors.bundles))('known answers of %s', (_, known) => {
    expect(JSON.parse(bundleJson(known.published))).toEqual(known.published)
    expect(bundleJson(known.published)).toBe(canonicalJson(readStrictJson(bundleJson(known.published))))
    expect(toBase64(bundleCbor(known.published))).toBe(known.published_cbor_b64)
    expect(compactOf(known.published)).toEqual(known.compact)
    expect(JSON.parse(compactJson(known.published))).toEqual(known.compact)
    expect(toBase64(compactCbor(known.published))).toBe(known.compact_cbor_b64)
  })

  it('lets out nothing that is not listed, and no empty list of blocks', () => {
    const { published } = vectors.bundles.item ?? {}
    if (published === undefined) throw new Error('no known item')
    const withMore = { ...published, secret: 1, block: { ...published.block, height: 7 }, block_path: [] }
    expect(JSON.parse(bundleJson(withMore))).toEqual(published)
  })

  it.each(vectors.cbor)('known CBOR of $value', ({ value, hex }) => {
    expect(toHex(plainCborOf(value))).toBe(hex)
    expect(readCbor(fromHex(hex))).toEqual(value)
  })

  it('CBOR gives back every JSON value, down to its canonical text', () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        const back = readCbor(plainCborOf(value))
        expect(canonicalJson(jsonOf(back))).toBe(canonicalJson(value))
      }),
      { numRuns: 300 },
    )
  })

  it('CBOR keeps integers beyond 2^53, as a float where that prints the same digits', () => {
    const text = (value: bigint) => canonicalJson(jsonOf(readCbor(plainCborOf(value))))
    for (const value of [
      2n ** 53n,
      2n ** 53n + 1n,
      -(2n ** 53n) - 1n,
      2n ** 64n - 1n,
      -(2n ** 64n),
      10n ** 20n,
    ])
      expect(text(value)).toBe(String(value))
    expect(toHex(plainCborOf(2n ** 53n))).toBe('fa5a000000')
    expect(() => plainCborOf(10n ** 21n)).toThrow(RangeError)
  })
})

describe('CBOR in other forms', () => {
  it.each([
    ['bf616101616202ff', { a: 1, b: 2 }],
    ['a2616202616101', { a: 1, b: 2 }],
    ['9f01820203ff', [1, [2, 3]]],
    ['7f616161626163ff', 'abc'],
    ['7fff', ''],
    ['5f41014102ff', Uint8Array.of(1, 2)],
    ['1800', 0],
    ['1b0000000000000001', 1],
    ['3b7fffffffffffffff', -(2n ** 63n)],
    ['1bffffffffffffffff', 2n ** 64n - 1n],
    ['f90000', 0],
    ['f9fc01', FOREIGN],
    ['f97c00', FOREIGN],
    ['fb7ff0000000000000', FOREIGN],
    ['f7', FOREIGN],
    ['f0', FOREIGN],
    ['f8ff', FOREIGN],
    ['c11a00000000', FOREIGN],
    ['a10102', FOREIGN],
    ['d9d9f701', 1],
    ['da0000d9f701', 1],
    ['d9d9f7d9d9f701', FOREIGN],
    ['a1695f5f70726f746f5f5f01', Object.fromEntries([['__proto__', 1]])],
  ] as [string, CborValue][])('%s is read', (hex, value) => {
    expect(readCbor(fromHex(hex))).toEqual(value)
  })

  it.each([
    ['', 'nothing'],
    ['0101', 'a second value'],
    ['ff', 'an end of nothing'],
    ['1c', 'a reserved size'],
    ['5f6161ff', 'a chunk of text among bytes'],
    ['7f7f6161ffff', 'chunks within chunks'],
    ['7f61c361a9ff', 'a character cut in two by chunks'],
    ['61ff', 'no UTF-8'],
    ['f818', 'a simple value in two bytes that has a form of one'],
    ['a2616101616102', 'a name twice'],
    ['bf6161ff', 'a name without a value'],
    ['9f', 'no end'],
    ['1b00', 'too few bytes'],
    ['d9d9', 'too few bytes of a tag'],
    ['fc', 'a reserved simple value'],
    ['df00', 'a tag of indefinite length'],
    ['1f', 'an integer of indefinite length'],
  ])('%s is refused: %s', (hex) => {
    expect(() => readCbor(fromHex(hex))).toThrow('')
    expect(rejection(() => readBundleCbor(fromHex(hex)))).toBe('not_a_json_object')
  })

  it('a byte string where text belongs counts as absent, text where bytes belong stays', async () => {
    const { bytes } = knownForm('item', 'published', 'cbor')
    const value = readCbor(bytes)
    const report = await verifyBundle(readBundleCbor(bytes), { keyrings })
    expect(value).toMatchObject({ public_key: expect.any(Uint8Array) })
    // The same document, every place as text.
    const asText = plainCborOf(knownDocument('item'))
    expect(await verifyBundle(readBundleCbor(asText), { keyrings })).toEqual(report)
    const inclusion = plainCborOf({ ...knownDocument('item'), inclusion_proof: null })
    expect(rejection(() => readBundleCbor(inclusion))).toBe('missing_inclusion_proof')
  })
})

/** Of what stands for JSON. */
function jsonOf(value: CborValue): JsonValue {
  if (Array.isArray(value)) return value.map(jsonOf)
  if (value === FOREIGN || value instanceof Uint8Array) throw new Error('not JSON')
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, jsonOf(member)]))
}
