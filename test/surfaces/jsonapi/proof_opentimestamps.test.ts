// POST /proof/opentimestamps: an .ots file that leads from the file's digest to a Bitcoin header, or why there is none.
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { BITCOIN, commitBlocks, STELLAR } from '../../domain/proofs/seed_commitment.ts'
import { AMPLE, openTestApp, type TestAccount } from '../../support/app.ts'
import { ask } from '../../support/http.ts'
import { readOts } from '../../support/ots_reader.ts'
import { redactItem } from '../../support/redaction.ts'
import { testApp } from '../../support/test_app.ts'
import { errorsOf, refusals } from './documents.ts'
import { claimsOf, itemBody } from './item_documents.ts'

const app = testApp()
let grace: TestAccount
beforeAll(async () => {
  grace = await app.account('grace')
})

const send = (data: object, { key = app.owner.key, port = app.port, path = 'opentimestamps' } = {}) =>
  ask(port, `/api/json/proof/${path}`, { key, body: { json: { data } } })
const answered = z.strictObject({
  result: z.strictObject({
    filename: z.string(),
    ots: z.base64(),
    content_type: z.literal('application/vnd.opentimestamps.ots'),
    network: z.string(),
  }),
})
const exported = async (id: string) => {
  const answer = await send({ id })
  expect(answer.status, answer.text).toBe(201)
  const { ots, ...result } = answered.parse(answer.json()).result
  return { ...result, read: readOts(Buffer.from(ots, 'base64')) }
}
const made = z.looseObject({ data: z.looseObject({ id: z.string() }) })
const item = async (claims: object = claimsOf('a file')) =>
  made.parse(
    (await ask(app.port, '/api/json/items', { key: app.owner.key, body: itemBody({ claims }) })).json(),
  ).data.id
const committed = async (claims?: object, series = [BITCOIN]) => {
  const id = await item(claims)
  await app.finalize()
  for (const one of series) await commitBlocks({ em: app.store.em() }, one)
  return id
}
const headersRoot = async () => {
  const [found] = await app.query<{ root: Buffer }>(
    `SELECT v.block_merkle_root AS root FROM commitments c JOIN commitment_evidence v ON v.commitment_id = c.id
      WHERE c.chain = 'bitcoin' ORDER BY c.epoch_id DESC LIMIT 1`,
  )
  return Buffer.from(found?.root ?? []).reverse()
}

describe('POST /proof/opentimestamps', () => {
  it('answers 201 with a file that leads from the digest to the Merkle root of the header', async () => {
    const id = await committed()
    const { read, ...rest } = await exported(id.toLowerCase())
    expect(rest).toEqual({
      filename: `pharos-item-${id}.regtest.ots`,
      content_type: 'application/vnd.opentimestamps.ots',
      network: 'regtest',
    })
    expect(read).toMatchObject({ hashType: 'sha256', digest: Buffer.alloc(32, 0xab) })
    expect(read.attestations).toEqual([{ height: 1_201, message: await headersRoot() }])
  })

  it('takes any place of an item in its block, and of the block in its epoch; sha1 too', async () => {
    const hash = 'cd'.repeat(20)
    const ids: string[] = []
    for (let block = 0; block < 3; block++) {
      for (let leaf = 0; leaf < 5; leaf++) ids.push(await item({ name: `${leaf}`, hash, hash_type: 'sha1' }))
      await app.finalize()
    }
    await commitBlocks({ em: app.store.em() })
    const root = await headersRoot()
    for (const id of ids) {
      const { read } = await exported(id)
      expect(read).toMatchObject({ hashType: 'sha1', digest: Buffer.alloc(20, 0xcd) })
      expect(read.attestations).toEqual([{ height: 1_201, message: root }])
    }
  })

  it('attests to no network whose work its header lacks', async () => {
    for (const network of ['testnet', 'mainnet']) {
      const pretended = await committed(undefined, [{ chain: 'bitcoin', network }])
      expect(refusals(await send({ id: pretended }))).toEqual(['500 generation_failed'])
    }
  })

  it('answers 422 with the reason, and no wait, for what waiting would not change, committed or not', async () => {
    const telling = 'as long as a description without a hash has to be'
    const redacted = await item()
    const cases = [
      ['no_file_digest', await item({ name: 'a', description: telling })],
      ['hash_type', await item({ name: 'a', hash: 'ab'.repeat(32), hash_type: 'sha3_256' })],
      ['too_long', await item({ ...claimsOf('a'), metadata: { text: 'x'.repeat(4_096) } })],
      ['redacted', redacted],
    ] as const
    await redactItem(app.store.em(), { id: redacted, userId: app.owner.userId })
    const stellar = await committed(undefined, [STELLAR])
    for (const [reason, id] of [...cases, ['no_bitcoin_commitment', stellar] as const]) {
      const answer = await send({ id })
      expect(refusals(answer), reason).toEqual(['422 not_expressible'])
      const [entry] = errorsOf(answer)
      expect(entry?.meta).toEqual({ code: 'not_expressible', reason })
      expect(entry?.detail).toMatch(/\.$/)
      expect(answer.headers['retry-after']).toBeUndefined()
    }
    const early = await item(claimsOf('early'))
    expect(refusals(await send({ id: early }))).toEqual(['409 subject_not_ready'])
    await app.finalize()
    expect(refusals(await send({ id: early }))).toEqual(['409 no_external_commitments'])
  })

  it('answers somebody else’s item like one that does not exist', async () => {
    const theirs = await send({ id: await committed() }, { key: grace.key })
    const nothing = await send({ id: '01MB78W7FGY7TZHKNWE7WA3Z57' }, { key: grace.key })
    const withoutId = (text: string) => text.replace(/"id":"[0-9a-f-]{36}"/, '')
    expect(refusals(theirs)).toEqual(['404 not_found'])
    expect(withoutId(theirs.text)).toBe(withoutId(nothing.text))
  })

  it('takes the id of an item alone', async () => {
    expect(refusals(await send({}))).toEqual(['400 required /data/id'])
    expect(refusals(await send({ id: 'x', type: 'item' }))).toEqual([
      '400 invalid_argument /data/id',
      '400 invalid_body /data/type',
    ])
  })

  it('is charged as a generation is', async () => {
    const poor = await openTestApp({ beside: app, limits: { ...AMPLE, LIMIT_PROOF_GENERATE_PER_MINUTE: 1 } })
    const { key } = await app.account('ida')
    try {
      const at = { key, port: poor.port }
      const id = '01MB78W7FGY7TZHKNWE7WA3Z57'
      expect(refusals(await send({ id }, at))).toEqual(['404 not_found'])
      expect(refusals(await send({ id, type: 'item' }, { ...at, path: 'generate' }))).toEqual([
        '429 rate_limited',
      ])
      expect(refusals(await send({ id }, at))).toEqual(['429 rate_limited'])
    } finally {
      await poor.close()
    }
  })

  it('answers 500, and no file, when the proof does not pass its own verification', async () => {
    const id = await committed()
    await app.query(
      `UPDATE blocks SET merkle_root = sha256('x') WHERE id = (SELECT block_id FROM shown_items WHERE id = $1)`,
      [id],
    )
    expect(refusals(await send({ id }))).toEqual(['500 generation_failed'])
  })
})
