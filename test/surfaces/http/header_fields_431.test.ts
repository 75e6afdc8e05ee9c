// Request targets and header fields have a ceiling that a filter of 250 hashes stays below; beyond it, 431 says so.
import { beforeAll, describe, expect, it } from 'vitest'
import { openTestApp } from '../../support/app.ts'
import { ask, openWire } from '../../support/http.ts'
import { testApp } from '../../support/test_app.ts'
import { errorsOf, refusals } from '../jsonapi/documents.ts'
import { answerOf } from './raw_answer.ts'

const MAX_BYTES = 65_536

const app = testApp()
beforeAll(async () => {
  await app.finalize(2)
})

const spoken = async (request: string) => {
  const wire = await openWire(app.port)
  wire.write(request)
  return answerOf(await wire.ended)
}

describe('a long request target', () => {
  it('of 250 hashes in an `in` filter fits, with its brackets encoded', async () => {
    const [known] = await app.query<{ hash: string }>(
      `SELECT encode(block_hash, 'hex') AS hash FROM blocks ORDER BY height DESC LIMIT 1`,
    )
    const hashes = Array.from({ length: 249 }, (_, at) => at.toString(16).padStart(64, '0'))
    const query = [...hashes, known?.hash ?? '']
      .map((hash) => `filter%5Bblock_hash%5D%5Bin%5D%5B%5D=${hash}`)
      .join('&')
    expect(query.length).toBeGreaterThan(23_000)
    const answer = await ask(app.port, `/api/json/blocks?${query}`, { key: app.owner.key })
    expect(answer.status, answer.text.slice(0, 300)).toBe(200)
    expect(answer.json()).toMatchObject({ data: [{ attributes: { block_hash: known?.hash } }] })
  })

  it.each([
    ['in the target', `GET /api/json/items?x=${'a'.repeat(MAX_BYTES)} HTTP/1.1\r\nHost: x\r\n\r\n`],
    ['in one field', `GET /api/json/items HTTP/1.1\r\nHost: x\r\nCookie: ${'a'.repeat(MAX_BYTES)}\r\n\r\n`],
    [
      'in many fields',
      `GET /gql HTTP/1.1\r\nHost: x\r\n${Array.from({ length: 9_000 }, (_, at) => `x${at}: 1\r\n`).join('')}\r\n`,
    ],
    ['much longer', `POST /api/json/items HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(4_000_000)}\r\n\r\n`],
  ])('beyond the ceiling is answered with the documented 431: %s', async (_, request) => {
    const answer = await spoken(request)
    expect(refusals(answer)).toEqual(['431 request_header_fields_too_large'])
    expect(errorsOf(answer)[0]?.meta).toEqual({ max_bytes: MAX_BYTES })
    expect(answer.headers).toMatchObject({
      'content-type': 'application/vnd.api+json',
      'access-control-allow-origin': '*',
      connection: 'close',
    })
  })
})

it('the ceiling in force is the one that the document tells', async () => {
  const small = await openTestApp({ beside: app, ceilings: { header_bytes: 9_000 } })
  const wire = await openWire(small.port)
  wire.write(`GET /api/json/items?x=${'a'.repeat(9_000)} HTTP/1.1\r\nHost: x\r\n\r\n`)
  const answer = answerOf(await wire.ended)
  expect(errorsOf(answer)[0]?.meta).toEqual({ max_bytes: 9_000 })
  expect((await ask(small.port, '/api/json/open_api')).text).toContain('"max_bytes":9000')
  await small.close()
})
