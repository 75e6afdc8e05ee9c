// Proofs have budgets of their own, enforced on the operation: the same body as at the door, without Retry-After.
import { afterEach, describe, expect, it } from 'vitest'
import { commitBlocks } from '../../domain/proofs/seed_commitment.ts'
import { bundleNamed } from '../../domain/proofs/vector_bundles.ts'
import { AMPLE, openTestApp, type TestApp } from '../../support/app.ts'
import { type Answer, ask } from '../../support/http.ts'
import { errorsOf, refusals } from './documents.ts'

let app: TestApp
afterEach(() => app.close())

const post = (path: string, data: object, key = app.owner.key) =>
  ask(app.port, `/api/json/proof/${path}`, { key, body: { json: { data } } })

function expectRefused(answer: Answer | undefined, limit: number): void {
  if (answer === undefined) throw new Error('no answer')
  expect(refusals(answer)).toEqual(['429 rate_limited'])
  expect(errorsOf(answer)[0]?.meta).toEqual({ retry_after_ms: expect.any(Number), limit })
  expect(answer.headers).not.toHaveProperty('retry-after')
}

describe('generating', () => {
  const open = async (limits: object) => {
    app = await openTestApp({ limits: { ...AMPLE, ...limits } })
    await commitBlocks({ em: app.store.em() })
    const [genesis] = await app.query<{ id: string }>('SELECT id FROM blocks')
    return { id: genesis?.id, type: 'beacon' }
  }

  it('is charged per account; what is refused for its arguments costs nothing', async () => {
    const asked = await open({ LIMIT_PROOF_GENERATE_PER_MINUTE: 2 })
    for (const wrong of [{}, { ...asked, type: 'item' }, { ...asked, witnesses: ['moon'] }])
      expect((await post('generate', wrong)).status).toBe(400)
    const answers = []
    for (let sent = 0; sent < 3; sent += 1) answers.push(await post('generate', asked))
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 429])
    expectRefused(answers[2], 2)
    const other = await app.account('grace')
    expect((await post('generate', asked, other.key)).status).toBe(201)
  })

  it('is charged for what is not found or not ready too', async () => {
    await open({ LIMIT_PROOF_GENERATE_PER_MINUTE: 1 })
    const unknown = { id: '01a2ce8e-9320-7630-bb7f-73edc8868b1d', type: 'block' }
    expect([(await post('generate', unknown)).status, (await post('generate', unknown)).status]).toEqual([
      404, 429,
    ])
  })

  it('is charged to all accounts together as well', async () => {
    const asked = await open({ LIMIT_PROOF_GENERATE_FLEET_PER_MINUTE: 2 })
    const other = await app.account('grace')
    expect((await post('generate', asked)).status).toBe(201)
    expect((await post('generate', asked, other.key)).status).toBe(201)
    expectRefused(await post('generate', asked), 2)
    expectRefused(await post('generate', asked, other.key), 2)
  })
})

describe('verifying', () => {
  const item = bundleNamed('item').published
  const asked = { proof: item, skip_external: true }

  it('is charged per account, also for what turns out to be no proof; wrong arguments cost nothing', async () => {
    app = await openTestApp({ limits: { ...AMPLE, LIMIT_PROOF_VERIFY_PER_MINUTE: 2 } })
    expect((await post('verify', { proof: 5 })).status).toBe(400)
    expect((await post('verify', { proof: {} })).status).toBe(400)
    expect((await post('verify', asked)).status).toBe(201)
    expectRefused(await post('verify', asked), 2)
    const other = await app.account('grace')
    expect((await post('verify', asked, other.key)).status).toBe(201)
  })

  it('is charged to all accounts together only when it does ask a public chain', async () => {
    app = await openTestApp({ limits: { ...AMPLE, LIMIT_PROOF_VERIFY_EXTERNAL_FLEET_PER_MINUTE: 1 } })
    const [bitcoin] = Array.isArray(item.commitments) ? item.commitments : []
    const regtest = { ...bundleNamed('beacon').published, commitments: [bitcoin] }
    const outside = { proof: item, skip_external: false }
    for (const inside of [asked, { proof: regtest }, { proof: {} }, { ...outside, type: 'block' }])
      expect([201, 400, 422]).toContain((await post('verify', inside)).status)
    expect((await post('verify', outside)).status).toBe(201)
    const other = await app.account('grace')
    expectRefused(await post('verify', outside, other.key), 1)
    expect((await post('verify', asked, other.key)).status).toBe(201)
    expect((await post('verify', { proof: regtest }, other.key)).status).toBe(201)
  })
})
