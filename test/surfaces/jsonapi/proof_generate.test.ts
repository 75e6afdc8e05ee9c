// POST /proof/generate: the bundle in the form asked for, and every refusal with its status, its meta and its wait.
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { WITNESS_NAMES } from '../../../server/domain/proofs/proof_request.ts'
import { readProof } from '../../../server/domain/proofs/verify_proof.ts'
import { commitBlocks } from '../../domain/proofs/seed_commitment.ts'
import { openTestApp, type TestAccount } from '../../support/app.ts'
import { ask } from '../../support/http.ts'
import { redactItem } from '../../support/redaction.ts'
import { testApp } from '../../support/test_app.ts'
import { errorsOf, refusals } from './documents.ts'
import { itemBody } from './item_documents.ts'

const app = testApp()
let grace: TestAccount
beforeAll(async () => {
  grace = await app.account('grace')
})

const generate = (data: object, key = app.owner.key) =>
  ask(app.port, '/api/json/proof/generate', { key, body: { json: { data } } })
const answered = z.strictObject({ result: z.unknown() })
const resultOf = async (data: object) => {
  const answer = await generate(data)
  expect(answer.status, answer.text).toBe(201)
  expect(answer.headers['content-type']).toBe('application/vnd.api+json')
  return answered.parse(answer.json()).result
}
const made = z.looseObject({ data: z.looseObject({ id: z.string() }) })
const item = async () =>
  made.parse((await ask(app.port, '/api/json/items', { key: app.owner.key, body: itemBody() })).json()).data
    .id
const committed = async () => {
  const id = await item()
  await app.finalize()
  await commitBlocks({ em: app.store.em() })
  return id
}
const waitOf = ({ headers }: { headers: Readonly<Record<string, string>> }) => headers['retry-after']

describe('POST /proof/generate', () => {
  it('answers 201 with the bundle as an object, or as the base64 of its CBOR', async () => {
    const id = await committed()
    const json = await resultOf({ id, type: 'item' })
    expect(json).toMatchObject({ version: 1, type: 'item', subject: { id } })
    const cbor = z.base64().parse(await resultOf({ id, type: 'item', format: 'cbor' }))
    expect(readProof(cbor)).toMatchObject({ type: 'item', layout: 'published' })
    expect(Buffer.from(cbor, 'base64').subarray(0, 3).toString('hex')).toBe('d9d9f7')
  })

  it('answers in the layout asked for, and in that of the service when none is; null counts as none', async () => {
    const id = await committed()
    expect(await resultOf({ id, type: 'item', layout: 'compact' })).toMatchObject({ v: 1, t: 20, s: { id } })
    const older = await openTestApp({ beside: app, proofLayout: 'compact' })
    try {
      const of = async (layout: unknown) => {
        const body = { json: { data: { id, type: 'item', format: null, witnesses: null, layout } } }
        return (await ask(older.port, '/api/json/proof/generate', { key: app.owner.key, body })).json()
      }
      expect(await of(null)).toMatchObject({ result: { v: 1, t: 20 } })
      expect(await of('published')).toMatchObject({ result: { version: 1, type: 'item' } })
    } finally {
      await older.close()
    }
  })

  it('asks for no type when the id is a ULID, which is always an item; null counts as none', async () => {
    const id = await committed()
    for (const type of [{}, { type: null }, { type: 'item' }])
      expect(await resultOf({ id: id.toLowerCase(), ...type })).toMatchObject({
        type: 'item',
        subject: { id },
      })
    expect(refusals(await generate({ id, type: 'block' }))).toEqual(['400 invalid_argument /data/id'])
    const uuid = '01a2ce8e-9320-7630-bb7f-73edc8868b1d'
    for (const other of [uuid, 'x'])
      expect(refusals(await generate({ id: other }))).toEqual(['400 required /data/type'])
    expect(refusals(await generate({ id: uuid, type: 'team' }))).toEqual(['400 invalid_argument /data/type'])
  })

  it('needs id and type, and refuses what it does not know, all at once', async () => {
    expect(refusals(await generate({}))).toEqual(['400 required /data/id', '400 required /data/type'])
    expect(
      refusals(
        await generate({ id: 5, type: 'team', format: 'xml', layout: '', witnesses: 'block', colour: 1 }),
      ),
    ).toEqual(
      [
        ...['id', 'type', 'format', 'layout', 'witnesses'].map(
          (name) => `400 invalid_argument /data/${name}`,
        ),
        '400 invalid_body /data/colour',
      ].toSorted(),
    )
    expect(refusals(await generate({ id: 'x', type: 'item', witnesses: ['block', 'moon'] }))).toEqual([
      '400 invalid_argument /data/id',
      '400 invalid_witness /data/witnesses/1',
    ])
    const long = ['moon'.repeat(100)]
    const [refused] = errorsOf(await generate({ id: 'x', type: 'beacon', witnesses: long })).slice(-1)
    expect(refused).toMatchObject({
      code: 'invalid_witness',
      meta: { witness: 'moon'.repeat(16), valid: WITNESS_NAMES },
    })
    const many = await generate({ id: 'x', type: 'beacon', witnesses: Array(10_000).fill('moon') })
    expect(refusals(many)).toEqual(['400 invalid_argument /data/id', '400 invalid_argument /data/witnesses'])
  })

  it('answers somebody else’s item like one that does not exist', async () => {
    const theirs = await generate({ id: await committed(), type: 'item' }, grace.key)
    const nothing = await generate({ id: '01MB78W7FGY7TZHKNWE7WA3Z57', type: 'item' }, grace.key)
    expect([theirs.status, nothing.status]).toEqual([404, 404])
    const withoutId = (text: string) => text.replace(/"id":"[0-9a-f-]{36}"/, '')
    expect(withoutId(theirs.text)).toBe(withoutId(nothing.text))
    expect(refusals(nothing)).toEqual(['404 not_found'])
  })

  it('answers 409 and when to ask again while block or commitment are to come', async () => {
    const id = await item()
    const early = await generate({ id, type: 'item' })
    expect(refusals(early)).toEqual(['409 subject_not_ready'])
    expect(errorsOf(early)[0]?.meta).toEqual({ code: 'subject_not_ready' })
    expect(Number(waitOf(early))).toBeGreaterThan(0)
    await app.finalize()
    const uncommitted = await generate({ id, type: 'item' })
    expect(refusals(uncommitted)).toEqual(['409 no_external_commitments'])
    expect(Number(waitOf(uncommitted))).toBeGreaterThan(0)
    const [head] = await app.query<{ id: string }>('SELECT id FROM blocks ORDER BY height DESC LIMIT 1')
    for (const type of ['block', 'beacon'])
      expect(refusals(await generate({ id: head?.id, type }))).toEqual(['409 no_external_commitments'])
  })

  it('answers 422 without a wait for an item that was redacted', async () => {
    const id = await committed()
    await redactItem(app.store.em(), { id, userId: app.owner.userId })
    const answer = await generate({ id, type: 'item' })
    expect(refusals(answer)).toEqual(['422 subject_not_recomputable'])
    expect(errorsOf(answer)[0]?.meta).toEqual({ code: 'subject_not_recomputable', drifted: 'claims' })
    expect(waitOf(answer)).toBeUndefined()
  })

  it('answers 503 and when to ask again while a witness is not found', async () => {
    const id = await committed()
    await app.query(
      `UPDATE blocks SET block_hash = sha256(block_hash)
        WHERE encode(block_hash, 'hex') = (SELECT metadata::jsonb #>> '{witnesses,block}' FROM items WHERE id = $1)`,
      [id],
    )
    const answer = await generate({ id, type: 'item' })
    expect(refusals(answer)).toEqual(['503 witness_unavailable'])
    expect(errorsOf(answer)[0]?.meta).toEqual({ code: 'witness_unavailable', witness: 'block' })
    expect(Number(waitOf(answer))).toBeGreaterThan(0)
  })

  it('answers 503 and when to ask again while a record cannot be read', async () => {
    const [id] = [await item(), await item()]
    await app.finalize()
    await commitBlocks({ em: app.store.em() })
    await app.query('DELETE FROM block_tiles')
    const answer = await generate({ id, type: 'item' })
    expect(refusals(answer)).toEqual(['503 lookup_failed'])
    expect(Number(waitOf(answer))).toBeGreaterThan(0)
  })

  it('answers 500 with the steps that failed, and no proof, when it does not pass its own verification', async () => {
    const id = await committed()
    await app.query(
      `UPDATE blocks SET merkle_root = sha256('x') WHERE id = (SELECT block_id FROM shown_items WHERE id = $1)`,
      [id],
    )
    const answer = await generate({ id, type: 'item' })
    expect(refusals(answer)).toEqual(['500 generation_failed'])
    const [entry] = errorsOf(answer)
    expect(entry?.meta).toEqual({ code: 'generation_failed', failed_steps: expect.stringMatching(/; /) })
    expect(entry?.detail).toContain(String(entry?.meta.failed_steps))
    expect(waitOf(answer)).toBeUndefined()
    expect(app.logged.map(({ msg }) => msg)).toContain('proof.generation_failed')
  })

  it('answers 503 and when to ask again while the signing key does not open', async () => {
    const id = await committed()
    // A server that has not opened the key yet.
    const fresh = await openTestApp({ beside: app })
    await app.query(`UPDATE signing_keys SET sealed_seed = sealed_seed || '\\x00'`)
    try {
      const body = { json: { data: { id, type: 'item', witnesses: [] } } }
      const answer = await ask(fresh.port, '/api/json/proof/generate', { key: app.owner.key, body })
      expect(refusals(answer)).toEqual(['503 signing_unavailable'])
      expect(Number(waitOf(answer))).toBeGreaterThan(0)
    } finally {
      await fresh.close()
    }
  })
})
