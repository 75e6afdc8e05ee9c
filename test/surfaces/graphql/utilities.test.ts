// Utilities as GraphQL queries: outcomes in `result`, refused requests in `errors`, never an HTTP error.
import { describe, expect, it } from 'vitest'
import { testApp } from '../../support/test_app.ts'
import { ERRORS, fieldValue, outcome, refusalsOf } from './ask_field.ts'

const app = testApp()

const resultOf = async (field: string, variables: object = {}, head = '') => {
  const query = `query ${head} { ${field} { result ${ERRORS} } }`
  const { result, errors } = await fieldValue(app.port, app.owner.key, outcome, query, variables)
  expect(errors).toEqual([])
  const read: unknown = JSON.parse(String(result))
  return read
}

describe('utilities', () => {
  it('report a missing or null required argument in their errors', async () => {
    for (const field of ['hash', 'hash(text: null)', 'jcsCanonicalize', 'verifyHash(text: "x")', 'resolveId'])
      expect(await refusalsOf(app.port, app.owner.key, `{ ${field} { result ${ERRORS} } }`)).toEqual([
        expect.stringMatching(/^required (text|json|hash|id)$/),
      ])
  })

  it('take camelCase arguments, and null for what is left out', async () => {
    expect(await resultOf('hash(text: "", hashType: "md5", domain: null)')).toMatchObject({
      hex: 'd41d8cd98f00b204e9800998ecf8427e',
    })
    expect(await resultOf('serverTime(timeZone: null)')).toMatchObject({ time_zone: 'Etc/UTC' })
  })

  it('answer the failure object for JSON that the strict reader refuses', async () => {
    const json = (text: string) =>
      resultOf('jcsCanonicalize(json: $json)', { json: text }, '($json: JsonString)')
    for (const text of ['{', '', '[]', '5', '{"a":1,"a":2}', '{"a":"\\ud800"}'])
      expect(await json(text)).toMatchObject({ ok: false, code: 'invalid', retryable: false })
    expect(await json('{ "ok": false, "b": 1e0 }')).toEqual({
      canonical: '{"b":1,"ok":false}',
      byte_length: 18,
    })
    expect(await json('{"n":9007199254740993}')).toMatchObject({ canonical: expect.any(String) })
  })
})
