// From one form of a bundle to another: what is there stays what it is, and what is absent stays absent.
import { encode } from 'cborg'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compactCbor, compactJson } from '../../shared/proof/bundle/compact.ts'
import { readBundleCbor, readBundleJson, readBundleObject } from '../../shared/proof/bundle/read_bundle.ts'
import { type CborMap, type CborValue, readCbor } from '../../shared/proof/bundle/read_cbor.ts'
import { bundleCbor, bundleJson } from '../../shared/proof/bundle/write_bundle.ts'
import { fromBase64Url, fromHex } from '../../shared/proof/bytes.ts'
import { verifyBundle } from '../../shared/proof/verify/verify_bundle.ts'
import { knownForm, knownKeyring } from './known_bundles.ts'
import { vectors } from './vectors.ts'

const names = Object.keys(vectors.bundles)
const known = (name: string) => {
  const found = vectors.bundles[name]
  if (found === undefined) throw new Error(`no known bundle ${name}`)
  return structuredClone(found)
}

const COLUMN = [
  'transaction_hash',
  'network',
  'timestamp',
  'ledger',
  'block_height',
  'raw_transaction',
  'txoutproof',
  'block_merkle_root',
]

/** Every member that a reader can do without, as a pointer into the published form. */
const optional = (name: string): string[] => {
  const { published } = known(name)
  const columns = (place: string, entries: readonly object[] = []) =>
    entries.flatMap((entry, at) =>
      COLUMN.filter((member) => member in entry).map((member) => `${place}/${at}/${member}`),
    )
  const details = Object.keys(published.subject?.witnesses ?? {})
  return [
    ...columns('/commitments', published.commitments),
    ...columns('/signing_key_event/commitments', published.signing_key_event?.commitments),
    ...details.map((detail) => `/subject/witnesses/${detail}`),
    ...(details.length > 0 ? ['/subject/witnesses'] : []),
    ...(published.block_path === undefined ? [] : ['/block_path']),
    ...(published.signing_key_event === undefined
      ? []
      : ['/signing_key_event/commitments', '/signing_key_event']),
  ]
}

/** The bundle without these members: with null or undefined in their place, or with nothing at all. */
function without(name: string, pointers: readonly string[], absent: null | undefined | 'gone') {
  const { published } = known(name)
  for (const pointer of pointers.toSorted((a, b) => b.length - a.length)) {
    const path = pointer.split('/').slice(1)
    const last = path.pop() ?? ''
    const place = path.reduce<unknown>((at, step) => Reflect.get(Object(at), step), published)
    if (absent === 'gone') Reflect.deleteProperty(Object(place), last)
    else Reflect.set(Object(place), last, absent)
  }
  return published
}

const lacking = fc
  .constantFrom(...names)
  .chain((name) =>
    fc.tuple(
      fc.constant(name),
      fc.subarray(optional(name)),
      fc.constantFrom<null | undefined | 'gone'>(null, undefined, 'gone'),
    ),
  )

describe('a bundle that lacks members', () => {
  it('is written without them, the same in JSON and in CBOR', () => {
    fc.assert(
      fc.property(lacking, ([name, pointers, absent]) => {
        const bundle = without(name, pointers, absent)
        const gone = without(name, pointers, 'gone')
        expect(bundleJson(bundle)).toBe(bundleJson(gone))
        expect(JSON.parse(bundleJson(bundle))).toEqual(withoutEmpty(gone))
        const read = readBundleObject(JSON.parse(bundleJson(gone)))
        expect(readBundleJson(bundleJson(bundle))).toEqual(read)
        expect(readBundleCbor(bundleCbor(bundle))).toEqual(read)
      }),
      { numRuns: 300 },
    )
  })

  it('is written compactly without them, and what is left is the same', () => {
    fc.assert(
      fc.property(lacking, ([name, pointers, absent]) => {
        const bundle = without(name, pointers, absent)
        const compact = readBundleJson(compactJson(bundle))
        expect(readBundleCbor(compactCbor(bundle))).toEqual(compact)
        const { commitments, subject, inclusionProof, signature } = readBundleJson(bundleJson(bundle))
        expect(compact.commitments).toEqual(commitments)
        expect(compact).toMatchObject({ inclusionProof, signature })
        expect(compact.subject?.data).toEqual(subject?.data)
      }),
      { numRuns: 300 },
    )
  })

  it('has the same report in either form', async () => {
    const bare = without('item', optional('item'), 'gone')
    const report = await verifyBundle(readBundleJson(bundleJson(bare)), { keyrings: [knownKeyring] })
    expect(report.passed).toBe(true)
    const again = await verifyBundle(readBundleCbor(bundleCbor(bare)), { keyrings: [knownKeyring] })
    expect(again).toEqual(report)
  })
})

describe('compact CBOR of older tools', () => {
  it.each(names)('has its paths and raw bytes as byte strings, and reads as ever: %s', async (name) => {
    const { bytes } = knownForm(name, 'compact', 'cbor')
    const ours = readCbor(bytes)
    if (!isMap(ours)) throw new Error('a known bundle is no map')
    const older = {
      ...ours,
      ...(typeof ours.ip === 'string' && { ip: fromBase64Url(ours.ip) }),
      cx: listOf(ours.cx).map((entry) => ({
        ...entry,
        ep: fromBase64Url(String(entry.ep)),
        ...(typeof entry.rtx === 'string' && { rtx: fromHex(entry.rtx) }),
        ...(typeof entry.txp === 'string' && { txp: fromHex(entry.txp) }),
      })),
    }
    const read = readBundleCbor(encode(older))
    expect(read).toEqual(readBundleCbor(bytes))
    expect((await verifyBundle(read, { keyrings: [knownKeyring] })).passed).toBe(true)
  })
})

const isMap = (value: CborValue | undefined): value is CborMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array)

const listOf = (value: CborValue | undefined): CborMap[] => (Array.isArray(value) ? value.filter(isMap) : [])

/** No list of blocks and no map of witnesses is written that has nothing in it. */
function withoutEmpty(bundle: ReturnType<typeof without>): unknown {
  const { subject, ...rest } = bundle
  if (subject === undefined) return rest
  const { witnesses, ...others } = subject
  const hasSome = witnesses !== undefined && Object.keys(witnesses).length > 0
  return { ...rest, subject: hasSome ? subject : others }
}
