// POST /api/json/items: what is answered, what was hashed, where it is found again.
import { describe, expect, it } from 'vitest'
import { item } from '../../../server/catalog/item.ts'
import { itemChange, submission } from '../../../server/catalog/item_writes.ts'
import { exampleAttributes } from '../../../server/surfaces/openapi/bodies.ts'
import { canonicalTextHash } from '../../../shared/proof/composites.ts'
import { canonicalJson } from '../../../shared/proof/json_value.ts'
import { type Ask, ask } from '../../support/http.ts'
import { testApp } from '../../support/test_app.ts'
import { resourceOf } from './documents.ts'
import { claimsOf, itemBody } from './item_documents.ts'

const app = testApp()

const create = (body: Ask['body'], headers: Ask['headers'] = {}) =>
  ask(app.port, '/api/json/items', { key: app.owner.key, method: 'POST', headers, ...(body && { body }) })

const hashOf = (claims: Parameters<typeof canonicalJson>[0]) =>
  Buffer.from(canonicalTextHash('items_claims', canonicalJson(claims))).toString('hex')

/** As written, so that spellings that `JSON.stringify` would repair reach the service. */
const written = (claims: string) =>
  create(`{"data":{"type":"item","attributes":{"claims":${claims}}}}`, {
    'Content-Type': 'application/json',
  })

describe('201 of creating an item', () => {
  it('answers the item, its Location, and the very same document at that address', async () => {
    const answer = await create(itemBody({ visibility: 'team', tags: ['a', 'ü 🏁'] }))
    const item = resourceOf(answer, 201)
    expect(answer.headers.location).toBe(`${app.base}/api/json/items/${item.id}`)
    expect(answer.headers.etag).toBeUndefined()
    const again = await ask(app.port, `/api/json/items/${item.id}`, { key: app.owner.key })
    expect(again.text).toBe(answer.text)
    expect(item).toMatchObject({
      type: 'item',
      id: expect.stringMatching(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/),
      attributes: {
        claims: claimsOf('a file'),
        claims_hash: hashOf(claimsOf('a file')),
        hash: 'ab'.repeat(32),
        state: 'created',
        visibility: 'team',
        tags: ['a', 'ü 🏁'],
        display_name: 'a file',
        display_description: null,
        team_id: app.owner.teamId,
        creator_id: app.owner.userId,
        block_id: null,
        committed_at: null,
        proof_available_at: null,
        redacted_at: null,
        expires_at: null,
      },
    })
  })

  it('is private and without tags unless said otherwise', async () => {
    expect(resourceOf(await create(itemBody()), 201).attributes).toMatchObject({
      visibility: 'private',
      tags: [],
    })
  })

  it('shows every field of its definition, and no other', async () => {
    expect(Object.keys(resourceOf(await create(itemBody()), 201).attributes)).toEqual(
      Object.keys(item.fields),
    )
  })

  it('reads back as it was sent, whatever can be sent, also after it was changed', async () => {
    const sent = { ...exampleAttributes(submission), claims: claimsOf('a file') }
    const { id, attributes } = resourceOf(
      await create({ json: { data: { type: 'item', attributes: sent } } }),
      201,
    )
    expect(attributes).toMatchObject(sent)
    const kept = resourceOf(await ask(app.port, `/api/json/items/${id}`, { key: app.owner.key }))
    expect(kept.attributes, 'what server/domain/ledger/submit_items.ts inserts').toMatchObject(sent)
    const path = `/api/json/items/${resourceOf(await create(itemBody()), 201).id}`
    const wanted = exampleAttributes(itemChange)
    expect(Object.keys(wanted)).not.toEqual([])
    for (const [name, value] of Object.entries(wanted)) {
      const body = { json: { data: { type: 'item', attributes: { [name]: value } } } }
      await ask(app.port, path, { key: app.owner.key, method: 'PATCH', body })
      const { attributes } = resourceOf(await ask(app.port, path, { key: app.owner.key }))
      expect(attributes[name], `${name}, as server/domain/ledger/change_item.ts updates it`).toEqual(value)
    }
  })

  it('is committed in the next block, with the time of that block', async () => {
    const { id } = resourceOf(await create(itemBody()), 201)
    await app.finalize()
    const [block] = await app.query<{ id: string }>('SELECT id FROM blocks ORDER BY height DESC LIMIT 1')
    const { attributes } = resourceOf(await ask(app.port, `/api/json/items/${id}`, { key: app.owner.key }))
    expect(attributes).toMatchObject({ state: 'committed', block_id: block?.id })
    const told = await ask(app.port, `/api/json/blocks/${block?.id}`, { key: app.owner.key })
    expect(resourceOf(told).attributes.finalized_at).toBe(attributes.committed_at)
  })

  it('drops null members of the claims and of location before hashing; nulls in metadata stay', async () => {
    const item = resourceOf(
      await written(
        '{"name":"n","url":null,"location":{"latitude":1,"longitude":2,"altitude":null},"metadata":{"a":null}}',
      ),
      201,
    )
    const kept = { name: 'n', location: { latitude: 1, longitude: 2 }, metadata: { a: null } }
    expect(item.attributes.claims).toEqual(kept)
    expect(item.attributes.claims_hash).toBe(hashOf(kept))
  })

  it('keeps members named __proto__ and constructor inside metadata as data', async () => {
    const metadata =
      '{"__proto__":{"polluted":1},"constructor":{"prototype":2},"toString":"x","hasOwnProperty":3}'
    const answer = await written(`{"name":"n","metadata":${metadata}}`)
    expect(answer.status).toBe(201)
    expect(answer.text).toContain('"__proto__":{"polluted":1}')
    expect(JSON.stringify({}.constructor)).toBeUndefined()
    expect('polluted' in {}).toBe(false)
    const item = resourceOf(answer, 201)
    expect(item.attributes.claims_hash).toBe(hashOf({ name: 'n', metadata: JSON.parse(metadata) }))
  })

  it('keeps U+0000 and every spelling of a number inside metadata, hashed in canonical form', async () => {
    const answer = await written(
      '{"name":"n","metadata":{"nul":"a\\u0000b","n":[-0,1e21,1E-7,1.0,9007199254740991,0.1e1]}}',
    )
    const item = resourceOf(answer, 201)
    expect(answer.text).toContain('"n":[0,1e+21,1e-7,1,9007199254740991,1],"nul":"a\\u0000b"')
    expect(item.attributes.claims_hash).toBe(
      hashOf({ name: 'n', metadata: { nul: 'a\0b', n: [-0, 1e21, 1e-7, 1, 9007199254740991, 1] } }),
    )
  })

  it('takes both JSON media types, a profile, and a charset on application/json', async () => {
    for (const type of [
      'application/vnd.api+json',
      'APPLICATION/VND.API+JSON',
      'application/vnd.api+json; profile="https://example.com/a;b,c https://example.com/d"',
      'application/vnd.api+json ; PROFILE=x',
      'application/json',
      'application/json; charset=utf-8',
    ])
      resourceOf(await create(JSON.stringify(itemBody().json), { 'Content-Type': type }), 201)
  })

  it('takes claims of exactly 65,536 bytes in canonical form, however they are spelled', async () => {
    const bare = Buffer.byteLength(canonicalJson({ metadata: { t: '' }, name: 'n' }))
    const text = 'ü'.repeat((65_536 - bare) / 2) + 'x'.repeat((65_536 - bare) % 2)
    resourceOf(await create(itemBody({ claims: { name: 'n', metadata: { t: text } } })), 201)
    const escaped = `{"name":"n","metadata":{"t":"${'\\u00fc'.repeat((65_536 - bare) / 2)}"}}`
    resourceOf(await written(escaped), 201)
  })

  it('takes every hash type with its length, and claims without a hash that say enough', async () => {
    for (const [type, length] of [
      ['md5', 32],
      ['sha1', 40],
      ['sha224', 56],
      ['sha256', 64],
      ['sha384', 96],
      ['sha512', 128],
      ['sha3_224', 56],
      ['sha3_256', 64],
      ['sha3_384', 96],
      ['sha3_512', 128],
      ['blake2s', 64],
      ['blake2b', 128],
    ] as const)
      resourceOf(
        await create(itemBody({ claims: { name: 'n', hash: '0'.repeat(length), hash_type: type } })),
        201,
      )
    for (const claims of [
      { name: '🏁'.repeat(64), description: 'd'.repeat(32) },
      { name: 'n', description: '🏁'.repeat(256) },
      { name: 'n', metadata: { a: 1 }, url: 'https://example.com', timestamp: '2026-01-01T00:00:00+02:00' },
      { name: 'n', metadata: { a: 1 }, location: { latitude: -90, longitude: 180 } },
    ])
      resourceOf(await create(itemBody({ claims })), 201)
  })

  it('takes 20 tags of 64 code points', async () => {
    const tags = Array.from({ length: 20 }, (_, index) => '🏷'.repeat(62) + String(index).padStart(2, '0'))
    expect(resourceOf(await create(itemBody({ tags })), 201).attributes.tags).toEqual(tags)
  })

  it('ignores document members that carry nothing: lid, links, meta, empty relationships', async () => {
    resourceOf(await create(itemBody({}, { lid: 'x', links: {}, meta: {}, relationships: {} })), 201)
  })
})
