// Bundles made to hurt: a report or a rejection, never another error, and little work whatever they declare.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BundleRejected } from '../../shared/proof/bundle/bundle_parts.ts'
import {
  MOST_PARTS,
  type ReadBundle,
  readBundleCbor,
  readBundleJson,
  readBundleObject,
} from '../../shared/proof/bundle/read_bundle.ts'
import { plainCborOf } from '../../shared/proof/bundle/write_bundle.ts'
import { fromHex, toBase64Url, toHex, utf8 } from '../../shared/proof/bytes.ts'
import {
  canonicalJson,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../shared/proof/json_value.ts'
import type { Report } from '../../shared/proof/verify/report.ts'
import { verifyBundle } from '../../shared/proof/verify/verify_bundle.ts'
import { anyJson } from './any_json.ts'
import { knownDocument, knownForms, knownKeyring, layouts, setAt } from './known_bundles.ts'
import { vectors } from './vectors.ts'

const MOST_BYTES = 262_144
/** Clients read no more. */
const MOST_REPORT_BYTES = 1_048_576

/** Undefined when rejected. No lookups, and a signature check that costs nothing. */
async function outcome(read: () => ReadBundle): Promise<Report | undefined> {
  let bundle: ReadBundle
  try {
    bundle = read()
  } catch (error) {
    if (error instanceof BundleRejected) return undefined
    throw error
  }
  return verifyBundle(bundle, { keyrings: [knownKeyring], verifySignature: () => false })
}

describe('any mutation of a known bundle is rejected or reported', () => {
  const forms = fc.constantFrom(...knownForms)

  it('bytes changed, taken out and put in', async () => {
    const edit = fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      remove: fc.nat(40),
      insert: fc.uint8Array({ maxLength: 12 }),
    })
    await fc.assert(
      fc.asyncProperty(forms, fc.array(edit, { minLength: 1, maxLength: 5 }), async (form, edits) => {
        let bytes = [...form.bytes]
        for (const { at, remove, insert } of edits) {
          const start = Math.floor(at * bytes.length)
          bytes = [...bytes.slice(0, start), ...insert, ...bytes.slice(start + remove)]
        }
        const report = await outcome(() => form.read(Uint8Array.from(bytes)))
        if (report !== undefined) expect(report.steps.length).toBeGreaterThan(0)
      }),
      { numRuns: 1_500 },
    )
  })

  it('values of any kind in any place, as JSON and as CBOR', async () => {
    const places = layouts.flatMap((layout) =>
      Object.keys(vectors.bundles).flatMap((bundle) =>
        pointersOf(knownDocument(bundle, layout)).map((pointer) => ({ bundle, layout, pointer })),
      ),
    )
    const value = fc.oneof(
      anyJson,
      fc.constantFrom<JsonValue | undefined>(undefined, 2n ** 80n, -(2n ** 63n), 1e308, -1, '', {}, [], [[]]),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom(...places), value), { minLength: 1, maxLength: 3 }),
        async (changes) => {
          const [first] = changes
          if (first === undefined) return
          const { bundle, layout } = first[0]
          const document = knownDocument(bundle, layout)
          for (const [place, changed] of changes)
            if (place.bundle === bundle && place.layout === layout)
              setAtIfThere(document, place.pointer, structuredClone(changed))
          const report = await outcome(() => readBundleObject(document))
          const again = await outcome(() => readBundleJson(canonicalJson(document)))
          expect(JSON.stringify(again)).toBe(JSON.stringify(report))
          const cbor = cborIfAny(document)
          if (cbor !== undefined) await outcome(() => readBundleCbor(cbor))
        },
      ),
      { numRuns: 1_500 },
    )
  })

  it('any bytes at all', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 80 }), async (bytes) => {
        await outcome(() => readBundleCbor(bytes))
        await outcome(() => readBundleJson(bytes))
      }),
      { numRuns: 1_000 },
    )
  })
})

describe('a bundle of the largest size', () => {
  const filled = (part: (count: number) => JsonObject): string => {
    const size = (count: number) => JSON.stringify(part(count)).length
    const each = (size(200) - size(100)) / 100
    let count = Math.floor((MOST_BYTES - size(100)) / each) + 100
    while (size(count) > MOST_BYTES) count -= Math.ceil((size(count) - MOST_BYTES) / each)
    return JSON.stringify(part(count))
  }
  const item = JSON.parse(JSON.stringify(vectors.bundles.item?.published))
  const many = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value)
  const names = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 0]))
  const deepest = new Uint8Array(1 + 8 + 64 * 32).fill(64)
  const entry = { chain: 'stellar', epoch_proof: toBase64Url(deepest), epoch_merkle_root: '' }
  const tiny = {
    chain: 'bitcoin',
    epoch_proof: 'AA',
    epoch_merkle_root: '',
    raw_transaction: '00',
    txoutproof: '00',
  }
  const [bitcoin] = item.commitments
  const u32 = (value: number) => Buffer.from(Uint32Array.of(value).buffer).toString('hex')

  const reported: [string, string][] = [
    ['commitments with paths of 64 steps', filled((n) => ({ ...item, commitments: many(n, entry) }))],
    ['the smallest commitments', filled((n) => ({ ...item, commitments: many(n, tiny) }))],
    [
      'commitments of a key event',
      filled((n) => ({
        ...item,
        signing_key_event: { ...item.signing_key_event, commitments: many(n, entry) },
      })),
    ],
    ['a block path', filled((n) => ({ ...item, block_path: many(n, item.block) }))],
    ['claims', filled((n) => ({ ...item, subject: { ...item.subject, claims: names(n) } }))],
    ['carried witnesses', filled((n) => ({ ...item, subject: { ...item.subject, witnesses: names(n) } }))],
    [
      'committed witnesses',
      filled((n) => ({ ...item, subject: { ...item.subject, metadata: { witnesses: names(n) } } })),
    ],
    [
      'outputs',
      filled((n) => ({
        ...item,
        commitments: [{ ...bitcoin, raw_transaction: `0100000000fe${u32(n)}${'00'.repeat(9 * n + 4)}` }],
      })),
    ],
    [
      'flags',
      filled((n) => ({
        ...item,
        commitments: [
          {
            ...bitcoin,
            txoutproof: `${bitcoin.txoutproof.slice(0, 160)}ffffffff00fe${u32(n)}${'ff'.repeat(n)}`,
          },
        ],
      })),
    ],
  ]

  it.each(reported)('full of %s is reported, with one signature check at most', async (_, text) => {
    expect(text.length).toBeLessThanOrEqual(MOST_BYTES)
    expect(text.length).toBeGreaterThan(MOST_BYTES * 0.95)
    let checks = 0
    const verifySignature = () => ++checks < 0
    const report = await verifyBundle(readBundleJson(text), { keyrings: [], verifySignature })
    expect(report.passed).toBe(false)
    expect(checks).toBeLessThanOrEqual(1)
    expect(utf8(JSON.stringify(report)).length).toBeLessThan(MOST_REPORT_BYTES)
  })

  const LOUD = '\u0001'.repeat(80)
  const loudNames = (count: number, value: JsonValue) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`${i}${LOUD}`, value]))
  const broken = { id: 0, previous_block_hash: 0, merkle_root: 0, metadata: {}, signing_key_id: 0 }
  const loudEntry = {
    ...bitcoin,
    network: 'mainnet',
    transaction_hash: LOUD,
    block_merkle_root: LOUD,
    timestamp: LOUD,
  }
  const loudMembers = {
    ...item,
    version: LOUD,
    generated_at: LOUD,
    public_key: LOUD,
    block_path: many(1_024, broken),
    commitments: many(64, loudEntry),
    signing_key_event: {
      block: {
        ...item.block,
        metadata: { key_event: { type: 'genesis', key_id: LOUD, sequence: LOUD, public_key: LOUD } },
      },
      commitments: many(64, loudEntry),
    },
    subject: { ...item.subject, metadata: { witnesses: loudNames(64, 0) }, witnesses: loudNames(64, 0) },
  }

  it('that is loud wherever a report repeats something has a report of bounded size', async () => {
    const document = JSON.parse(JSON.stringify(loudMembers))
    const report = await outcome(() => readBundleCbor(plainCborOf(document)))
    expect(report?.steps.length).toBeGreaterThan(700)
    expect(utf8(JSON.stringify(report)).length).toBeLessThan(MOST_REPORT_BYTES)
  })

  it('that is nothing but an id has a report of bounded size', async () => {
    const long = '\u0001'.repeat(MOST_BYTES - 20_000)
    for (const place of ['/subject/id', '/generated_at', '/public_key', '/subject/claims/hash']) {
      const document = JSON.parse(JSON.stringify(item))
      setAt(document, place, long)
      const report = await outcome(() => readBundleCbor(plainCborOf(document)))
      expect(utf8(JSON.stringify(report)).length, place).toBeLessThan(32_768)
    }
  })

  it('says what it did not look at, and does not pass', async () => {
    const entries = (count: number) => ({ ...item, commitments: many(count, item.commitments[1]) })
    const structure = async (document: JsonValue) => {
      const report = await outcome(() => readBundleObject(document))
      const rows = report?.steps.filter(({ group }) => group === 'Structure') ?? []
      return rows.map(({ status, message }) => `${status} ${message}`).slice(1)
    }
    expect(await structure(entries(MOST_PARTS.commitments))).toEqual([])
    expect(await structure(entries(MOST_PARTS.commitments + 1))).toEqual([
      expect.stringMatching(/^fail .*: commitments\.$/),
    ])
    const event = { ...item.signing_key_event, commitments: many(65, item.commitments[1]) }
    const path = many(1_025, item.block)
    const subject = { ...item.subject, witnesses: { ...item.subject.witnesses, ...names(64) } }
    expect(await structure({ ...item, subject, block_path: path, signing_key_event: event })).toEqual([
      expect.stringMatching(/^fail .*: subject\.witnesses, block_path, signing_key_event\.commitments\.$/),
    ])
  })

  const rejected: [string, Uint8Array][] = [
    ['open brackets', utf8('['.repeat(MOST_BYTES))],
    ['open braces', utf8('{"a":'.repeat(MOST_BYTES / 5))],
    ['blanks', utf8(' '.repeat(MOST_BYTES))],
    ['digits', utf8(`{"a":${'9'.repeat(MOST_BYTES - 6)}}`)],
    ['backslashes', utf8(`"${'\\'.repeat(MOST_BYTES)}`)],
    ['bytes that are no text', new Uint8Array(MOST_BYTES).fill(0xff)],
    ['a name over and over', utf8(`{${'"a":1,'.repeat(MOST_BYTES / 6 - 2)}"a":1}`)],
  ]
  it.each(rejected)('of %s is rejected', async (_, bytes) => {
    expect(await outcome(() => readBundleJson(bytes))).toBeUndefined()
  })

  const bombs: [string, Uint8Array][] = [
    ['arrays in arrays', new Uint8Array(MOST_BYTES).fill(0x81)],
    ['arrays without end', new Uint8Array(MOST_BYTES).fill(0x9f)],
    ['tags of tags', new Uint8Array(MOST_BYTES).fill(0xc0)],
    ['a map as large as there is', fromHex('bbffffffffffffffff')],
    ['an array as large as there is', fromHex('a161619bffffffffffffffff')],
    ['a text as large as there is', fromHex('7bffffffffffffffff')],
    ['a byte string as large as there is', fromHex('a161615bffffffffffffffff')],
    ['empty chunks', around('a161615f', 0x40)],
    ['empty chunks of text', around('a161617f', 0x60)],
    ['empty maps', around('a161619f', 0xa0)],
    [
      'a number of a quarter million bytes',
      around(`a16161c25a${(MOST_BYTES - 10).toString(16).padStart(8, '0')}`, 0xff),
    ],
  ]
  it.each(bombs)('of CBOR with %s is rejected', async (_, bytes) => {
    expect(await outcome(() => readBundleCbor(bytes))).toBeUndefined()
  })

  const DEPTH = 50
  /** Arrays take up to twice as long as numbers. What is done again for each level takes as many times as there are levels. */
  const MOST_TIMES = DEPTH / 10

  it('costs the same whether its claims are long or deep', async () => {
    const [long, deep] = [claimsOf('00'), claimsOf(`${'81'.repeat(DEPTH)}00`)]
    const read = (bytes: Uint8Array) => outcome(() => readBundleCbor(bytes))
    expect((await read(deep))?.steps.length).toBe((await read(long))?.steps.length)
    const costs = { long: Number.POSITIVE_INFINITY, deep: Number.POSITIVE_INFINITY }
    // Other work on the machine may slow one of them down, by chance.
    for (let turn = 0; turn < 20 && !(costs.deep < MOST_TIMES * costs.long); turn++) {
      costs.long = Math.min(costs.long, await cpuOf(() => read(long)))
      costs.deep = Math.min(costs.deep, await cpuOf(() => read(deep)))
    }
    expect(costs.deep).toBeLessThan(MOST_TIMES * costs.long)
  })

  /** An item whose claims are one list, as long as it can be, of the same thing over and over. */
  function claimsOf(hex: string): Uint8Array {
    const [start, end] = toHex(
      plainCborOf({ ...item, subject: { ...item.subject, claims: { a: 'here' } } }),
    ).split('6468657265')
    const times = Math.floor((MOST_BYTES - 8_192) / (hex.length / 2))
    return fromHex(`${start}9f${hex.repeat(times)}ff${end}`)
  }

  async function cpuOf(work: () => Promise<unknown>): Promise<number> {
    const before = process.threadCpuUsage()
    await work()
    const { user, system } = process.threadCpuUsage(before)
    return user + system
  }

  function around(start: string, byte: number): Uint8Array {
    const bytes = new Uint8Array(MOST_BYTES).fill(byte)
    bytes.set(fromHex(start))
    bytes[MOST_BYTES - 1] = 0xff
    return bytes
  }
})

/** To every place of a document but its top. */
function pointersOf(value: JsonValue, pointer = ''): string[] {
  if (!Array.isArray(value) && !isJsonObject(value)) return []
  return Object.entries(value).flatMap(([name, member]) => {
    const place = `${pointer}/${name}`
    return [place, ...pointersOf(member, place)]
  })
}

function setAtIfThere(document: JsonObject, pointer: string, value: JsonValue | undefined): void {
  try {
    setAt(document, pointer, value)
  } catch {
    // An earlier change took the place away.
  }
}

/** Undefined when a place of bytes holds a number beyond what CBOR keeps. */
function cborIfAny(document: JsonObject): Uint8Array | undefined {
  try {
    return plainCborOf(document)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
