// Request targets that are no address are the client's mistake: 400, and no fault in the log.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../../support/app.ts'
import { openWire } from '../../support/http.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

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
