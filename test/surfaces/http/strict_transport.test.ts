// Browsers are told to stay with https where the request came by it, and nowhere else.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addressRanges } from '../../../server/kernel/addresses.ts'
import { openTestApp, type TestApp } from '../../support/app.ts'
import { ask } from '../../support/http.ts'

const HSTS = 'strict-transport-security'
const BY_HTTPS = { 'X-Forwarded-Proto': 'https' }

/** What is told on this path, over this protocol as the proxy says. */
const told = async (app: TestApp, path: string, headers: Readonly<Record<string, string>>) =>
  (await ask(app.port, path, { headers })).headers[HSTS]

describe('behind a trusted proxy', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await openTestApp({
      baseUrl: 'https://pharos.example.com',
      trustedProxies: addressRanges('127.0.0.0/8'),
    })
  })
  afterAll(() => app.close())

  it.each(['/', '/nothing', '/api/json/items', '/health/live', '/.well-known/keyring.json', '/robots.txt'])(
    'what came by https is told so: %s',
    async (path) => {
      expect(await told(app, path, BY_HTTPS)).toBe('max-age=31536000')
      expect(await told(app, path, { 'X-Forwarded-Proto': 'HTTPS, http' })).toBe('max-age=31536000')
    },
  )

  it.each([
    {},
    { 'X-Forwarded-Proto': 'http' },
    { 'X-Forwarded-Proto': 'http, https' },
    { 'X-Forwarded-Proto': '' },
  ])('what did not is not: %o', async (headers) => {
    expect(await told(app, '/', headers)).toBeUndefined()
  })
})

it.each([
  ['without a trusted proxy', { baseUrl: 'https://pharos.example.com' }],
  ['where the public address is http', { trustedProxies: addressRanges('127.0.0.0/8') }],
])('%s nobody is told anything', async (_, options) => {
  const app = await openTestApp(options)
  expect(await told(app, '/', BY_HTTPS)).toBeUndefined()
  await app.close()
})
