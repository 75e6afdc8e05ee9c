// POST /api/json/items: what breaks a rule of claims or of the other attributes is told, each with its code and its
// place. The rules of claims are in test/proof/claims.test.ts.
import { afterAll, describe, expect, it } from 'vitest'
import { ask } from '../../support/http.ts'
import { testApp } from '../../support/test_app.ts'
import { errorsOf, refusals } from './documents.ts'
import { claimsOf, itemBody } from './item_documents.ts'

const app = testApp()
afterAll(async () => {
  // Nothing refused has left a trace.
  expect(await app.query('SELECT id FROM items')).toEqual([])
})

const post = (body: string | Uint8Array) =>
  ask(app.port, '/api/json/items', {
    key: app.owner.key,
    body,
    headers: { 'Content-Type': 'application/vnd.api+json' },
  })
const create = (attributes: object, parts: object = {}) =>
  post(JSON.stringify(itemBody(attributes, parts).json))
const CLAIMS = '/data/attributes/claims'
const invalid = (place: string) => `400 invalid_attribute ${CLAIMS}${place}`
const required = (place: string) => `400 required ${CLAIMS}${place}`

describe('400 of creating an item: claims', () => {
  const good = claimsOf('n')
  it.each([
    ['no name', { ...good, name: undefined }, [required('/name')]],
    ['a null name', { ...good, name: null }, [required('/name')]],
    ['half a location', { ...good, location: { latitude: 1 } }, [required('/location/longitude')]],
    [
      'a location out of range',
      { ...good, location: { latitude: 91, longitude: -181 } },
      [invalid('/location/latitude'), invalid('/location/longitude')],
    ],
    [
      'an unknown member of location',
      { ...good, location: { latitude: 1, longitude: 1, 'a/b~c': 1 } },
      [invalid('/location/a~1b~0c')],
    ],
    ['an empty member name', { name: 'n', metadata: { a: { '': 1 } } }, [invalid('/metadata/a/')]],
    [
      'several mistakes, all told',
      { name: '', hash: 'zz', hash_type: 'crc32', url: 1, colour: 1 },
      [
        invalid('/colour'),
        invalid('/hash'),
        invalid('/hash'),
        invalid('/hash_type'),
        invalid('/name'),
        invalid('/url'),
      ],
    ],
  ])('refuses %s', async (_, claims, expected) => {
    expect(refusals(await create({ claims }))).toEqual(expected)
  })

  it('says of an uppercase hash that uppercase is refused', async () => {
    const answer = await create({ claims: { ...good, hash: 'AB'.repeat(32) } })
    expect(refusals(answer)).toEqual([invalid('/hash')])
    const [entry] = errorsOf(answer)
    expect(entry?.detail).toMatch(/uppercase/)
    expect(entry?.meta).toEqual({ reason: 'uppercase_hex' })
  })

  it('refuses claims of 65,537 bytes in canonical form, with the limit in meta', async () => {
    const answer = await create({ claims: { name: 'n', metadata: { t: 'x'.repeat(65_536 - 29) } } })
    expect(refusals(answer)).toEqual([invalid('')])
    expect(errorsOf(answer)[0]?.meta).toEqual({ maximum: 65_536 })
  })

  it('refuses integers beyond 2^53 - 1 and nesting deeper than 16', async () => {
    const claims = (metadata: string) =>
      post(`{"data":{"type":"item","attributes":{"claims":{"name":"n","metadata":${metadata}}}}}`)
    for (const number of ['9007199254740992', '-9007199254740992', '1e20', '123456789012345678901234567890'])
      expect(refusals(await claims(`{"a":[0,${number}]}`))).toEqual([invalid('/metadata/a/1')])
    const nested = (depth: number) => `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`
    expect((await claims(nested(15))).status).toBe(400)
    expect(errorsOf(await claims(nested(15)))[0]?.meta).toEqual({ reason: 'too_deep' })
  })
})

describe('400 of creating an item: the other attributes', () => {
  const AT = '/data/attributes'
  it.each([
    ['no claims', { claims: undefined }, [`400 required ${AT}/claims`]],
    ['null claims', { claims: null }, [`400 required ${AT}/claims`]],
    ['claims that are a list', { claims: [] }, [`400 invalid_attribute ${AT}/claims`]],
    ['claims that are text', { claims: '{}' }, [`400 invalid_attribute ${AT}/claims`]],
    ['an unknown visibility', { visibility: 'secret' }, [`400 invalid_attribute ${AT}/visibility`]],
    ['a null visibility', { visibility: null }, [`400 invalid_attribute ${AT}/visibility`]],
    ['tags that are text', { tags: 'a' }, [`400 invalid_attribute ${AT}/tags`]],
    ['a tag that is a number', { tags: ['a', 1] }, [`400 invalid_attribute ${AT}/tags/1`]],
    ['an empty tag', { tags: [''] }, [`400 invalid_attribute ${AT}/tags/0`]],
    ['a tag of 65 characters', { tags: ['🏷'.repeat(65)] }, [`400 invalid_attribute ${AT}/tags/0`]],
    ['a tag twice', { tags: ['a', 'b', 'a'] }, [`400 invalid_attribute ${AT}/tags/2`]],
    ['U+0000 in a tag', { tags: ['a\0'] }, [`400 invalid_attribute ${AT}/tags/0`]],
    [
      '21 tags',
      { tags: Array.from({ length: 21 }, (_, index) => `${index}`) },
      [`400 invalid_attribute ${AT}/tags`],
    ],
    ['an attribute the service writes', { state: 'committed' }, [`400 invalid_body ${AT}/state`]],
    ['an unknown attribute', { colour: 'blue' }, [`400 invalid_body ${AT}/colour`]],
    [
      'everything at once',
      { claims: { name: 'n' }, visibility: 1, tags: [''], colour: 1 },
      [
        `400 invalid_attribute ${AT}/tags/0`,
        `400 invalid_attribute ${AT}/visibility`,
        `400 invalid_body ${AT}/colour`,
        `400 required ${AT}/claims/hash`,
      ],
    ],
  ])('refuses %s', async (_, attributes, expected) => {
    expect(refusals(await create(attributes))).toEqual(expected)
  })

  it('refuses __proto__ among the attributes as the unknown member it is', async () => {
    const claims = JSON.stringify(claimsOf('n'))
    const answer = await post(
      `{"data":{"type":"item","attributes":{"claims":${claims},"__proto__":{"visibility":"public"}}}}`,
    )
    expect(refusals(answer)).toEqual(['400 invalid_body /data/attributes/__proto__'])
  })
})
