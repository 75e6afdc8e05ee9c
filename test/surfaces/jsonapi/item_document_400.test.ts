// POST /api/json/items: documents that are none, members nobody accepts, JSON that reads in two ways.
import { afterAll, describe, expect, it } from 'vitest'
import { ask } from '../../support/http.ts'
import { testApp } from '../../support/test_app.ts'
import { errorsOf, refusals } from './documents.ts'
import { itemBody } from './item_documents.ts'

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

describe('400 of creating an item: the document', () => {
  it.each([
    ['no body', '', ['400 required /data']],
    ['no data', '{}', ['400 required /data']],
    ['a list', '[]', ['400 required /data']],
    ['null', 'null', ['400 required /data']],
    ['null data', '{"data":null}', ['400 invalid_body /data']],
    ['data that is a list', '{"data":[]}', ['400 invalid_body /data']],
    [
      'attributes that are a list',
      '{"data":{"type":"item","attributes":[]}}',
      ['400 invalid_body /data/attributes'],
    ],
    ['no attributes', '{"data":{"type":"item"}}', ['400 required /data/attributes/claims']],
    [
      'no type and attributes that are text, both told',
      '{"data":{"attributes":"x"}}',
      ['400 invalid_body /data/attributes', '400 missing_type /data/type'],
    ],
    [
      'an unknown member beside data',
      `{"data":${JSON.stringify(itemBody().json.data)},"colour":1}`,
      ['400 invalid_body /colour'],
    ],
  ])('refuses %s', async (_, body, expected) => {
    expect(refusals(await post(body))).toEqual(expected)
  })

  it('refuses a missing type, an id of the client, unknown members and relationships', async () => {
    expect(refusals(await create({}, { type: undefined }))).toEqual(['400 missing_type /data/type'])
    expect(refusals(await create({}, { type: null }))).toEqual(['400 missing_type /data/type'])
    expect(refusals(await create({}, { id: '01MB78W7FGY7TZHKNWE7WA3Z57' }))).toEqual([
      '400 invalid_body /data/id',
    ])
    expect(refusals(await create({}, { colour: 1 }))).toEqual(['400 invalid_body /data/colour'])
    expect(refusals(await create({}, { relationships: { team: { data: null } } }))).toEqual([
      '400 invalid_body /data/relationships/team',
    ])
  })

  it('answers 409 conflict to another type, which outranks the 400s told with it', async () => {
    expect(refusals(await create({}, { type: 'block' }))).toEqual(['409 conflict /data/type'])
    expect(refusals(await create({}, { type: 7 }))).toEqual(['409 conflict /data/type'])
    expect(refusals(await create({ colour: 1 }, { type: 'items' }))).toEqual([
      '400 invalid_body /data/attributes/colour',
      '409 conflict /data/type',
    ])
  })

  const inClaims = (text: string) => `{"data":{"type":"item","attributes":{"claims":${text}}}}`
  it.each([
    ['syntax', '{'],
    ['syntax', '{"data":}'],
    ['syntax', "{'data':1}"],
    ['syntax', '{"data":01}'],
    ['syntax', '{"data":NaN}'],
    ['syntax', '{} {}'],
    ['duplicate_member', '{"data":1,"data":2}'],
    ['duplicate_member', inClaims('{"name":"a","name":"a"}')],
    ['duplicate_member', inClaims('{"name":"a","n\\u0061me":"a"}')],
    ['unpaired_surrogate', inClaims('{"name":"\\ud800"}')],
    ['unpaired_surrogate', inClaims('{"\\udc00":"x"}')],
    ['too_deep', `${'['.repeat(65)}${']'.repeat(65)}`],
    ['too_deep', '['.repeat(400_000)],
    ['number_out_of_range', inClaims('{"metadata":{"n":1e999}}')],
    ['number_out_of_range', `{"data":${'9'.repeat(400_000)}}`],
  ])('refuses %s as invalid_json: %.60s', async (reason, body) => {
    const answer = await post(body)
    expect(refusals(answer)).toEqual(['400 invalid_json'])
    expect(errorsOf(answer)[0]?.meta).toEqual({ reason })
  })

  it.each([
    [[0x22, 0xff, 0x22]],
    [[0x22, 0xed, 0xa0, 0x80, 0x22]],
    [[0x22, 0xc0, 0xaf, 0x22]],
    [[0xef, 0xbb, 0xbf, 0x7b, 0x7d]],
    [[0xfe, 0xff, 0x00, 0x7b]],
  ])('refuses bytes that are not plain UTF-8: %j', async (bytes) => {
    const answer = await post(Buffer.from(bytes))
    expect(refusals(answer)).toEqual(['400 invalid_json'])
    expect(errorsOf(answer)[0]?.meta).toEqual({ reason: 'invalid_utf8' })
  })
})
