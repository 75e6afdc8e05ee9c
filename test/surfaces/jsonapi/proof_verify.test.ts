// POST /proof/verify: a report for every bundle, good or bad; a refusal for what is none; never a fault, whatever is sent.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { canonicalJson } from '../../../shared/proof/json_value.ts'
import { lookupAddresses } from '../../../shared/proof/lookups/lookup.ts'
import {
  bundleNamed,
  bundles,
  keyring,
  rejected_cbor,
  rejected_texts,
  tampered,
  tamperedBundle,
} from '../../domain/proofs/vector_bundles.ts'
import { type AnsweringServer, openAnsweringServer } from '../../support/answering_server.ts'
import { openTestApp, type TestApp } from '../../support/app.ts'
import { ask } from '../../support/http.ts'
import { errorsOf, refusals } from './documents.ts'

const MAX_PROOF_BYTES = 262_144

let app: TestApp
let outside: AnsweringServer
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pharos-keyring-'))
  const file = join(folder, 'keyring.json')
  await writeFile(file, JSON.stringify(keyring))
  outside = await openAnsweringServer()
  const { address } = outside
  app = await openTestApp({
    trustedKeyrings: [file],
    lookups: {
      ...lookupAddresses(() => address),
      horizonPublic: `${address}/public`,
      horizonTestnet: `${address}/testnet`,
      esploraMainnet: `${address}/mainnet`,
      esploraTestnet: `${address}/bitcoin`,
      nist: `${address}/nist`,
    },
  })
})
afterAll(async () => {
  await app?.close()
  await outside?.close()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(() => {
  outside.asked.length = 0
  outside.answers.clear()
})

const report = z.strictObject({
  id: z.string().nullable(),
  source: z.string(),
  subject_id: z.string().nullable(),
  subject_type: z.string(),
  proof_version: z.number().nullable(),
  generated_at: z.string().nullable(),
  passed: z.boolean(),
  skipped_external: z.boolean(),
  hash_provided: z.string().nullable(),
  expected_hash_provided: z.boolean(),
  hash_matched: z.boolean(),
  temporal: z.record(z.string(), z.string()),
  steps: z.array(
    z.strictObject({
      group: z.string(),
      category: z.enum(['data_integrity', 'structural', 'cryptographic', 'blockchain', 'timing']),
      status: z.enum(['pass', 'fail', 'warn', 'skip', 'info']),
      message: z.string().min(1),
    }),
  ),
  pass_count: z.number(),
  failed_count: z.number(),
  warn_count: z.number(),
  skip_count: z.number(),
  info_count: z.number(),
})

const send = (data: object) =>
  ask(app.port, '/api/json/proof/verify', { key: app.owner.key, body: { json: { data } } })
const sendText = (text: string) =>
  ask(app.port, '/api/json/proof/verify', {
    key: app.owner.key,
    headers: { 'Content-Type': 'application/vnd.api+json' },
    body: text,
  })
const reportOf = async (data: object) => {
  const answer = await send({ skip_external: true, ...data })
  expect(answer.status, answer.text).toBe(201)
  return z.strictObject({ result: report }).parse(answer.json()).result
}
const failing = ({ steps }: z.infer<typeof report>) => [
  ...new Set(steps.filter(({ status }) => status === 'fail').map(({ group }) => group)),
]

describe('a bundle', () => {
  it.each(Object.keys(bundles))('%s has the same report in all four ways of sending it', async (name) => {
    const { published, published_cbor_b64, compact, compact_cbor_b64, rows, compact_rows } = bundleNamed(name)
    const rowsOf = async (proof: unknown) => {
      const { steps, passed } = await reportOf({ proof })
      expect(passed).toBe(true)
      return steps.map(({ group, status }) => `${group}: ${status}`)
    }
    for (const proof of [published, ` \n${JSON.stringify(published)} `, published_cbor_b64])
      expect(await rowsOf(proof)).toEqual(rows)
    for (const proof of [compact, JSON.stringify(compact), compact_cbor_b64])
      expect(await rowsOf(proof)).toEqual(compact_rows)
  })

  it('may be the whole answer of its generation, as an object and as text', async () => {
    const { published, published_cbor_b64 } = bundleNamed('item')
    const plain = await reportOf({ proof: published })
    for (const answer of [{ result: published }, { result: published_cbor_b64 }])
      for (const proof of [answer, ` \n${JSON.stringify(answer)}`]) {
        const { steps, passed } = await reportOf({ proof })
        expect({ steps, passed }).toEqual({ steps: plain.steps, passed: true })
      }
    for (const proof of [
      { result: 5 },
      { result: {} },
      { result: published, more: 1 },
      '{"result":{}',
      '{"result":',
    ])
      expect(refusals(await send({ proof }))).toEqual(['400 invalid_proof'])
  })

  it.each(tampered.map((one) => [one.name, one] as const))('tampered with is told: %s', async (_, one) => {
    const proof = tamperedBundle(one)
    if ('rejected' in one.expect) {
      const answer = await send({ proof, skip_external: true })
      expect(refusals(answer)).toEqual(['400 invalid_proof'])
      expect(errorsOf(answer)[0]?.meta).toEqual({ code: 'invalid_proof', reason: one.expect.rejected })
    } else {
      const judged = await reportOf({ proof })
      expect(failing(judged).toSorted()).toEqual(one.expect.failing_groups.toSorted())
      expect(judged.passed).toBe(one.expect.passed)
    }
  })

  it('counts its rows, and passes when none fails', async () => {
    for (const name of ['item', 'beacon']) {
      const { steps, passed, ...counts } = await reportOf({ proof: bundleNamed(name).published })
      const count = (status: string) => steps.filter((step) => step.status === status).length
      expect(counts).toMatchObject({
        pass_count: count('pass'),
        failed_count: 0,
        warn_count: count('warn'),
        skip_count: count('skip'),
        info_count: count('info'),
      })
      expect(passed).toBe(true)
    }
  })

  it('names the keyring that knows its key, and fails under one that does not', async () => {
    const keyRow = async (port: number) => {
      const body = { json: { data: { proof: bundleNamed('block').published, skip_external: true } } }
      const answer = await ask(port, '/api/json/proof/verify', { key: app.owner.key, body })
      const { steps } = z.object({ result: report }).parse(answer.json()).result
      return steps.find(({ group }) => group === 'Key Binding')
    }
    expect(await keyRow(app.port)).toMatchObject({
      status: 'pass',
      message: expect.stringMatching(/ keyring\.json/),
    })
    const other = await openTestApp({ beside: app, trustedKeyrings: [join(folder, 'missing.json')] })
    try {
      expect(await keyRow(other.port)).toMatchObject({
        status: 'fail',
        message: expect.stringMatching(/ missing\.json/),
      })
    } finally {
      await other.close()
    }
  })
})

describe('arguments', () => {
  it('expected_hash is compared without blanks and case', async () => {
    const { published } = bundleNamed('item')
    const hash = '1a19868d3b6b3f57f523b3202b9ae40155dc1491b3727c608f573acc615d9a0c'
    expect(await reportOf({ proof: published, expected_hash: `  ${hash.toUpperCase()}\n` })).toMatchObject({
      hash_provided: hash,
      expected_hash_provided: true,
      hash_matched: true,
      passed: true,
    })
    expect(await reportOf({ proof: published, expected_hash: 'ab' })).toMatchObject({
      hash_provided: 'ab',
      hash_matched: false,
      passed: false,
    })
    expect(await reportOf({ proof: published, expected_hash: null })).toMatchObject({
      hash_provided: null,
      expected_hash_provided: false,
    })
  })

  it('type is what the bundle must be of: otherwise 422, and no report', async () => {
    const { published } = bundleNamed('beacon')
    expect(await reportOf({ proof: published, type: 'beacon' })).toMatchObject({ source: 'beacon' })
    const answer = await send({ proof: published, type: 'block', skip_external: true })
    expect(refusals(answer)).toEqual(['422 subject_type_mismatch'])
    expect(errorsOf(answer)[0]?.meta).toMatchObject({ code: 'subject_type_mismatch' })
  })

  it('are refused together when they are of another kind', async () => {
    expect(refusals(await send({}))).toEqual(['400 required /data/proof'])
    for (const proof of [5, true, ['x']])
      expect(refusals(await send({ proof }))).toEqual(['400 invalid_argument /data/proof'])
    expect(
      refusals(await send({ proof: {}, type: 'team', expected_hash: 5, skip_external: 'yes', colour: 1 })),
    ).toEqual([
      '400 invalid_argument /data/expected_hash',
      '400 invalid_argument /data/skip_external',
      '400 invalid_argument /data/type',
      '400 invalid_body /data/colour',
    ])
    expect(refusals(await send({ proof: {}, expected_hash: 'a'.repeat(1_025) }))).toEqual([
      '400 invalid_argument /data/expected_hash',
    ])
  })
})

describe('what is no bundle', () => {
  it.each(rejected_texts.map((one) => [one.name, one] as const))('text is refused: %s', async (_, one) => {
    const answer = await send({ proof: one.text })
    expect(refusals(answer)).toEqual(['400 invalid_proof'])
    expect(errorsOf(answer)[0]?.meta).toEqual({ code: 'invalid_proof', reason: one.reason })
  })

  it.each(rejected_cbor.map((one) => [one.name, one] as const))('CBOR is refused: %s', async (_, one) => {
    const answer = await send({ proof: one.b64 })
    expect(errorsOf(answer)[0]?.meta).toEqual({ code: 'invalid_proof', reason: one.reason })
  })

  it('is told in words, with what to do about a layout that is none', async () => {
    const [refused] = errorsOf(await send({ proof: { version: 1, v: 1 } }))
    expect(refused).toMatchObject({ code: 'invalid_proof', meta: { reason: 'unsupported_layout' } })
    expect(refused?.detail).toMatch(/two layouts.*Generate it again.*published.*compact/)
  })

  it('tells how an older client gets the layout that it reads, when it wrote what it did not understand', async () => {
    const unread = { v: 0, t: 0, ts: '', pk: '', sig: '', s: {}, ip: '', b: {}, cx: [] }
    const [refused] = errorsOf(await send({ proof: unread }))
    expect(refused).toMatchObject({ code: 'invalid_proof', meta: { reason: 'invalid_subject_type' } })
    expect(refused?.detail).toMatch(/older client.*ask for the layout “compact”/)
  })

  it('is what is larger than a proof may be, by its text or its decoded bytes', async () => {
    const text = JSON.stringify(bundleNamed('beacon').published)
    const padded = (bytes: number) => text + ' '.repeat(bytes - Buffer.byteLength(text))
    expect((await send({ proof: padded(MAX_PROOF_BYTES), skip_external: true })).status).toBe(201)
    const refusedFor = async (proof: unknown) => {
      const answer = await send({ proof, skip_external: true })
      expect(refusals(answer)).toEqual(['400 invalid_argument /data/proof'])
      expect(errorsOf(answer)[0]?.meta).toEqual({ maximum: MAX_PROOF_BYTES })
    }
    await refusedFor(padded(MAX_PROOF_BYTES + 1))
    await refusedFor({ ...bundleNamed('beacon').published, padding: 'x'.repeat(MAX_PROOF_BYTES) })
    await refusedFor(Buffer.alloc(MAX_PROOF_BYTES + 1).toString('base64'))
    const largest = await send({ proof: Buffer.alloc(MAX_PROOF_BYTES).toString('base64') })
    expect(refusals(largest)).toEqual(['400 invalid_proof'])
  })

  it('a largest proof fits the body even when every character of it is escaped', async () => {
    const quotes = `{"a":"${'\\"'.repeat((MAX_PROOF_BYTES - 8) / 2)}"}`
    expect(Buffer.byteLength(quotes)).toBe(MAX_PROOF_BYTES)
    expect(refusals(await send({ proof: quotes }))).toEqual(['400 invalid_proof'])
  })
})

describe('numbers', () => {
  it('keep every digit, also in a bundle that is sent as an object', async () => {
    const withInteger = (digits: string) =>
      canonicalJson(JSON.parse(JSON.stringify(bundleNamed('item').published))).replace(
        '"pages":12',
        `"pages":${digits}`,
      )
    const judged = async (text: string) => {
      const answer = await sendText(`{"data":{"skip_external":true,"proof":${text}}}`)
      expect(answer.status).toBe(201)
      const asText = await reportOf({ proof: text })
      expect(z.object({ result: report }).parse(answer.json()).result).toEqual(asText)
      return asText.steps
        .filter(({ group }) => group === 'Subject Data')
        .map(({ message }) => message)
        .join()
    }
    expect(await judged(withInteger('9007199254740993'))).not.toBe(
      await judged(withInteger('9007199254740992')),
    )
  })
})

describe('public chains', () => {
  const { published } = bundleNamed('item')
  const [bitcoin, stellar] = z
    .array(z.looseObject({ transaction_hash: z.string(), epoch_merkle_root: z.string() }))
    .parse(published.commitments)

  it('are asked when the bundle has something to look up, and what they confirm is a pass', async () => {
    outside.answers.set(
      `/testnet/transactions/${stellar?.transaction_hash}`,
      JSON.stringify({
        hash: stellar?.transaction_hash,
        successful: true,
        created_at: '2027-01-01T00:03:20Z',
        memo_type: 'hash',
        memo: Buffer.from(stellar?.epoch_merkle_root ?? '', 'hex').toString('base64'),
        ledger: 70_000_026,
      }),
    )
    const judged = await reportOf({ proof: published, skip_external: false })
    const rows = judged.steps.filter(({ group }) => group === 'Stellar Commitment')
    expect(rows.map(({ status }) => status)).toEqual(['pass', 'pass'])
    expect(judged).toMatchObject({ skipped_external: false })
    expect(outside.asked).toContain(`/testnet/transactions/${stellar?.transaction_hash}`)
    expect(outside.asked.some((path) => path.startsWith('/nist/'))).toBe(true)
    expect(new Set(outside.asked).size).toBe(outside.asked.length)
  })

  it('that contradict make it fail; that do not answer make it neither', async () => {
    const path = `/testnet/transactions/${stellar?.transaction_hash}`
    const stellarRows = async () => {
      const judged = await reportOf({ proof: published, skip_external: false })
      const rows = judged.steps.filter(({ group }) => group === 'Stellar Commitment')
      return rows.map(({ status }) => status)
    }
    outside.answers.set(path, JSON.stringify({ memo_type: 'text', memo: 'hello', ledger: 70_000_026 }))
    expect(await stellarRows()).toEqual(['fail'])
    for (const answer of [{ status: 500 }, { status: 302 }, 'no JSON', '[]'])
      expect([outside.answers.set(path, answer).size > 0, await stellarRows()]).toEqual([true, ['skip']])
  })

  it('are not asked with skip_external, nor for a proof of regtest alone', async () => {
    expect(await reportOf({ proof: published, skip_external: true })).toMatchObject({
      skipped_external: true,
    })
    const alone = { ...bundleNamed('beacon').published, commitments: [bitcoin] }
    expect(await reportOf({ proof: alone, skip_external: false })).toMatchObject({ skipped_external: false })
    expect(outside.asked).toEqual([])
  })

  it('are not asked without end by a bundle that is made for it', async () => {
    const entry = {
      chain: 'stellar',
      network: 'testnet',
      epoch_proof: 'AA',
      epoch_merkle_root: 'ab'.repeat(32),
    }
    const commitments = Array.from({ length: 900 }, (_, index) => ({
      ...entry,
      transaction_hash: index.toString(16).padStart(64, '0'),
    }))
    const judged = await reportOf({ proof: { ...published, commitments }, skip_external: false })
    expect(judged.passed).toBe(false)
    expect(outside.asked.length).toBeLessThanOrEqual(32)
  })
})

describe('a hostile bundle', () => {
  const anywhere = fc.tuple(
    fc.nat(1_000),
    fc.jsonValue({ maxDepth: 3 }),
    fc.constantFrom('set', 'remove', 'add'),
  )

  it('is judged or refused, never a fault', { timeout: 120_000 }, async () => {
    const good = Object.values(bundles).flatMap(({ published, compact }) => [published, compact])
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...good),
        fc.array(anywhere, { minLength: 1, maxLength: 4 }),
        async (bundle, changes) => {
          const proof = changes.reduce(spoil, structuredClone(bundle))
          const answer = await send({ proof, skip_external: true })
          expect([201, 400]).toContain(answer.status)
        },
      ),
      { numRuns: 300 },
    )
  })

  it('in bytes is judged or refused, never a fault', { timeout: 120_000 }, async () => {
    const good = Object.values(bundles).flatMap((one) => [one.published_cbor_b64, one.compact_cbor_b64])
    const flips = fc.array(fc.tuple(fc.nat(10_000), fc.nat(255)), { minLength: 1, maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...good), flips, async (base64, changes) => {
        const bytes = Buffer.from(base64, 'base64')
        for (const [at, value] of changes) bytes[at % bytes.length] = value
        const answer = await send({ proof: bytes.toString('base64'), skip_external: true })
        expect([201, 400]).toContain(answer.status)
      }),
      { numRuns: 200 },
    )
  })

  it.each([
    ['nested as deep as a body may be', `${'{"a":'.repeat(60)}1${'}'.repeat(60)}`],
    ['with a prototype for a member', '{"__proto__":{"type":"item"},"constructor":1,"type":"__proto__"}'],
    [
      'of numbers that no double holds',
      `{"version":${'9'.repeat(300)},"type":"item","block":{},"subject":{}}`,
    ],
  ])('%s is refused', async (_, text) => {
    const answer = await sendText(`{"data":{"proof":${text}}}`)
    expect(refusals(answer)).toEqual(['400 invalid_proof'])
  })
})

/** Changes one place of a bundle, whichever the number leads to. */
function spoil<T>(value: T, [at, other, how]: [number, unknown, string]): T {
  const places: [object, string][] = []
  const visit = (inside: unknown): void => {
    if (typeof inside !== 'object' || inside === null) return
    for (const name of Object.keys(inside)) {
      places.push([inside, name])
      visit(Reflect.get(inside, name))
    }
  }
  visit(value)
  const [owner, name] = places[at % Math.max(places.length, 1)] ?? [Object(value), 'x']
  if (how === 'remove') Reflect.deleteProperty(owner, name)
  else Reflect.set(owner, how === 'add' ? `${name}x` : name, other)
  return value
}
