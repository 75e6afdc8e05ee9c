// An action may come without a body: it goes well when nothing is required, and what is missing is told by name.
import { describe, expect, it } from 'vitest'
import { type Ask, ask } from '../../support/http.ts'
import { testApp } from '../../support/test_app.ts'
import { errorsOf, refusals } from './documents.ts'

const app = testApp()

const post = (path: string, parts: Ask = {}) =>
  ask(app.port, `/api/json${path}`, { method: 'POST', key: app.owner.key, ...parts })

/** As clients write it: without a length, with a length of nothing, and chunked without a chunk. */
const WITHOUT: readonly (readonly [string, Ask])[] = [
  ['no body', {}],
  ['a length of 0', { headers: { 'Content-Length': '0' } }],
  ['no chunk', { headers: { 'Transfer-Encoding': 'chunked' } }],
]

describe('an action that comes with', () => {
  it.each(WITHOUT)('%s is told every argument that is missing, in its place', async (_, parts) => {
    const answer = await post('/proof/generate', parts)
    expect(refusals(answer)).toEqual(['400 required /data/id', '400 required /data/type'])
  })

  it.each(WITHOUT)('%s goes well when no argument is required', async (_, parts) => {
    const answer = await post('/utilities/server-time', parts)
    expect([answer.status, Object.keys(answer.json() as object)]).toEqual([201, ['result']])
  })

  it('an empty body of a type that is read is judged alike', async () => {
    for (const type of ['application/json', 'application/vnd.api+json']) {
      const headers = { 'Content-Type': type }
      expect((await post('/utilities/server-time', { headers, body: '' })).status).toBe(201)
      expect(errorsOf(await post('/utilities/hash', { headers, body: '' }))[0]).toMatchObject({
        code: 'required',
        source: { pointer: expect.stringMatching(/^\/data\/\w+$/) },
      })
    }
  })

  it('a body of no type, or of another one, stays 415', async () => {
    for (const parts of [
      { body: '{"data":{}}' },
      { body: '{"data":{}}', headers: { 'Content-Type': 'text/plain' } },
      { headers: { 'Content-Type': 'text/plain' } },
    ])
      expect(refusals(await post('/utilities/server-time', parts))).toEqual(['415 unsupported_media_type'])
  })

  it('no body where a resource is created stays 415', async () => {
    expect(refusals(await post('/items'))).toEqual(['415 unsupported_media_type'])
  })
})
