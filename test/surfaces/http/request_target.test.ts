// Request targets that are no address are the client's mistake: 400, and no fault in the log.
import { expect, it } from 'vitest'
import { openWire } from '../../support/http.ts'
import { testApp } from '../../support/test_app.ts'
import { answerOf } from './raw_answer.ts'

const app = testApp()

it.each([
  'http://[/',
  'http://[::1/x',
  'http://a:b/',
  '*',
  '/%',
  '/%00',
  '/%ff',
  '/..%2f..%2fetc/passwd',
  '//',
  '/api/json/%',
  '/gql/',
  '/health/live/',
])('a target %j is answered below 500', async (target) => {
  for (const method of ['GET', 'OPTIONS']) {
    const wire = await openWire(app.port)
    wire.write(`${method} ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    expect(await wire.ended).toMatch(/^HTTP\/1\.1 [234]\d\d /)
  }
  expect(app.logged.filter(({ level }) => level === 'error')).toEqual([])
})

it.each(['http://[/', 'http://[::1/x'])('a target %j is told to be malformed', async (target) => {
  const wire = await openWire(app.port)
  wire.write(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
  const answer = answerOf(await wire.ended)
  expect(answer.json()).toMatchObject({ errors: [{ status: '400', code: 'malformed_request' }] })
  expect(answer.headers).toMatchObject({
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'access-control-allow-origin': '*',
    'x-content-type-options': 'nosniff',
  })
  const line = app.logged.find(({ request_id }) => request_id === answer.headers['x-request-id'])
  expect(line).toMatchObject({ msg: 'request.answered', status: 400, codes: ['malformed_request'] })
})
