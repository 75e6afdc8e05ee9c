// Content negotiation of JSON:API 1.1: 415 for bodies we do not read, 406 for answers we do not make.
import { deflateSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Refusal } from '../../../server/kernel/refusal.ts'
import { checkAccept, checkContentType } from '../../../server/surfaces/jsonapi/media_type.ts'
import { ask } from '../../support/http.ts'
import { testApp } from '../../support/test_app.ts'
import { refusals, resourceOf } from './documents.ts'
import { itemBody } from './item_documents.ts'

const app = testApp()

describe('415 unsupported_media_type', () => {
  const send = (headers: Record<string, string>) =>
    ask(app.port, '/api/json/items', {
      key: app.owner.key,
      headers,
      body: JSON.stringify(itemBody().json),
    })

  it.each([
    'application/vnd.api+json; charset=utf-8',
    'application/vnd.api+json;charset="utf-8"',
    'application/vnd.api+json; ext="https://jsonapi.org/ext/atomic"',
    'application/vnd.api+json; ext=""; profile=x',
    'application/vnd.api+json; profile="a;b"; foo=bar',
    'application/vnd.api+json; foo',
    'text/plain',
    'text/html; application/vnd.api+json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/jsonx',
    'application/vnd.api+jsonx',
    '*/*',
    'garbage',
    ';',
    '"',
  ])('refuses a body of %j', async (type) => {
    expect(refusals(await send({ 'Content-Type': type }))).toEqual(['415 unsupported_media_type'])
  })

  it('refuses a body without a type', async () => {
    expect(refusals(await send({}))).toEqual(['415 unsupported_media_type'])
  })
})

describe('a body that was compressed', () => {
  const body = JSON.stringify(itemBody().json)

  it.each([
    ['gzip', gzipSync(body)],
    ['deflate, gzip', gzipSync(deflateSync(body))],
    ['br', Buffer.from(body)],
    ['GZIP', gzipSync(body)],
  ])('is refused on every surface with a 415 that names Content-Encoding (%s)', async (coding, packed) => {
    for (const path of ['/api/json/items', '/api/json/utilities/server-time', '/gql']) {
      const answer = await fetch(`${app.base}${path}`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${app.owner.key}`,
          'Content-Type': 'application/json',
          'Content-Encoding': coding,
        },
        body: packed,
      })
      expect([answer.status, answer.headers.get('accept-encoding')]).toEqual([415, 'identity'])
      const [error] = JSON.parse(await answer.text()).errors
      expect(error.code ?? error.extensions.code).toBe('unsupported_media_type')
      expect(error.detail ?? error.message).toContain('Content-Encoding')
    }
  })

  it('unless by nothing at all', async () => {
    const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'identity' }
    const answer = await ask(app.port, '/api/json/items', { key: app.owner.key, headers, body })
    expect(answer.status).toBe(201)
  })
})

describe('406 not_acceptable', () => {
  const accept = (value: string) =>
    ask(app.port, '/api/json/users/me', { key: app.owner.key, headers: { Accept: value } })

  it.each([
    'application/vnd.api+json; charset=utf-8',
    'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"',
    'text/html, application/vnd.api+json; foo=bar; q=0.5',
    'application/vnd.api+json;a=1, application/vnd.api+json;b=2',
    'APPLICATION/vnd.API+json;a="x,y;z"',
    '*/*;q=0.1, application/vnd.api+json;version=1',
  ])('when every application/vnd.api+json carries other parameters: %j', async (value) => {
    expect(refusals(await accept(value))).toEqual(['406 not_acceptable'])
  })

  it.each([
    'application/vnd.api+json',
    'application/vnd.api+json; q=0.8',
    'application/vnd.api+json;a=1, application/vnd.api+json',
    'application/vnd.api+json; profile="https://example.com/a,b;c=d"; q=1',
    'application/vnd.api+json;profile="quoted \\" comma , inside", text/html',
    'application/json',
    'text/html',
    '*/*',
    'garbage,,;;"',
    '',
  ])('never else: %j', async (value) => {
    resourceOf(await accept(value))
  })

  it('comes before 415, and both before any look at the body', async () => {
    const answer = await ask(app.port, '/api/json/items', {
      key: app.owner.key,
      headers: { Accept: 'application/vnd.api+json;a=1', 'Content-Type': 'text/plain' },
      body: '{',
    })
    expect(refusals(answer)).toEqual(['406 not_acceptable'])
  })
})

describe('headers nobody would write', () => {
  it('are refused or passed, never a fault', () => {
    const piece = fc.constantFrom(
      'application/vnd.api+json',
      ';',
      ',',
      '"',
      '\\',
      '=',
      'q',
      'ext',
      'profile',
      ' ',
      'x',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        for (const check of [checkAccept, checkContentType]) {
          try {
            check(pieces.join(''))
          } catch (error) {
            expect(error).toBeInstanceOf(Refusal)
          }
        }
      }),
    )
  })
})
