// What anybody can work out with the utilities alone: the hash of claims before they are sent, and the time of an item.
import { expect, it } from 'vitest'
import { z } from 'zod'
import { verifySignature } from '../../../shared/proof/ed25519.ts'
import { openTestApp } from '../../support/app.ts'
import { ask } from '../../support/http.ts'
import { testApp } from '../../support/test_app.ts'
import { resourceOf } from './documents.ts'

const app = testApp()

const post = (path: string, json: object) =>
  ask(app.port, `/api/json/${path}`, { key: app.owner.key, body: { json } })
const utility = async <T extends z.ZodType>(name: string, data: object, result: T): Promise<z.infer<T>> => {
  const answer = await post(`utilities/${name}`, { data })
  expect(answer.status, answer.text).toBe(201)
  return result.parse(z.object({ result: z.unknown() }).parse(answer.json()).result)
}

const CLAIMS = {
  name: 'contract.pdf',
  description: null,
  metadata: { pages: 12, kept: null, 'a/b': [1.5, 'ü'] },
  hash: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  hash_type: 'sha256',
}
const create = async (claims: object) =>
  resourceOf(await post('items', { data: { type: 'item', attributes: { claims } } }), 201)

it('the claims hash: null members left out, canonicalized, hashed under items_claims', async () => {
  const { description: _, ...kept } = CLAIMS
  const canonical = z.object({ canonical: z.string(), byte_length: z.number() })
  const { canonical: text } = await utility('jcs-canonicalize', { json: kept }, canonical)
  const hashed = z.object({ hex: z.string(), prefix: z.literal('0x11'), domain: z.literal('items_claims') })
  const { hex } = await utility('hash', { text, domain: 'items_claims' }, hashed)
  expect((await create(CLAIMS)).attributes.claims_hash).toBe(hex)
})

it('the time of submission, which is the time in the id', async () => {
  const { id, attributes } = await create(CLAIMS)
  const { iso8601 } = await utility('ulid-timestamp', { ulid: id }, z.object({ iso8601: z.string() }))
  expect(iso8601).toBe(attributes.inserted_at)
})

it('the signature: Ed25519 over the raw item hash', async () => {
  const { attributes } = await create(CLAIMS)
  const [key] = await app.query<{ public_key: Buffer }>(
    'SELECT public_key FROM signing_keys WHERE key_id = $1',
    [Buffer.from(String(attributes.signing_key_id), 'hex')],
  )
  const digest = Buffer.from(String(attributes.item_hash), 'hex')
  const signature = Buffer.from(String(attributes.signature), 'base64')
  expect(verifySignature(key?.public_key ?? Buffer.alloc(32), digest, signature)).toBe(true)
  expect(verifySignature(key?.public_key ?? Buffer.alloc(32), Buffer.alloc(32), signature)).toBe(false)
})

it('a batch of items is one request to the budget', async () => {
  const small = await openTestApp({ limits: { LIMIT_CALLER_PER_MINUTE: 2, LIMIT_ADDRESS_PER_MINUTE: 1_000 } })
  try {
    const items = Array.from({ length: 50 }, () => ({ claims: CLAIMS }))
    const batch = () =>
      ask(small.port, '/api/json/items/batch', { key: small.owner.key, body: { json: { data: { items } } } })
    expect([(await batch()).status, (await batch()).status, (await batch()).status]).toEqual([201, 201, 429])
  } finally {
    await small.close()
  }
})
