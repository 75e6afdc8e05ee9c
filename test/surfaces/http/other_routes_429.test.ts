// Routes that are of no API have an address budget together, and what anybody can cause leaves few lines in the log.
import { afterEach, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../../support/app.ts'
import { amidMinute } from '../../support/clock_minute.ts'
import { ask, openWire } from '../../support/http.ts'

let app: TestApp
afterEach(() => app.close())

const OTHERS = [
  '/',
  '/nothing',
  '/metrics',
  '/.well-known/keyring.json',
  '/.well-known/nothing',
  '/docs',
  '/docs/nothing',
  '/oauth/nothing',
  '/oauth/pages.css',
  '/assets/nothing.js',
  '/robots.txt',
]

it('they are refused together once their budget is spent, and health checks and the APIs never for it', async () => {
  app = await openTestApp({
    limits: { LIMIT_ADDRESS_PER_MINUTE: OTHERS.length },
    metricsToken: 'a token of sixteen',
  })
  await amidMinute()
  for (const path of OTHERS) expect([path, (await ask(app.port, path)).status]).not.toEqual([path, 429])
  for (const path of OTHERS) {
    const refused = await ask(app.port, path)
    expect([path, refused.status]).toEqual([path, 429])
    if (path.startsWith('/docs')) expect(refused.text).toContain('<h1>Too many requests</h1>')
    else
      expect(refused.json()).toMatchObject({
        errors: [{ code: 'rate_limited', meta: { limit: OTHERS.length } }],
      })
    expect(refused.headers['retry-after']).toMatch(/^\d+$/)
  }
  for (const path of ['/health/live', '/health/ready']) expect((await ask(app.port, path)).status).toBe(200)
  for (const path of ['/api/json/beacons/latest', '/log/checkpoint'])
    expect((await ask(app.port, path, { key: app.owner.key })).status).toBe(200)
})

it.each([
  ['what is not there', (port: number) => ask(port, '/nothing')],
  ['refused credentials', (port: number) => ask(port, '/api/json/items', { key: 'nonsense' })],
  [
    'what is no request',
    async (port: number) => {
      const wire = await openWire(port)
      wire.write('hello\r\n\r\n')
      await wire.ended
    },
  ],
])('a flood of %s leaves a few lines a second', async (_, send) => {
  app = await openTestApp()
  const before = app.logged.length
  const began = Date.now()
  const COUNT = 150
  for (let sent = 0; sent < COUNT; sent += 1) await send(app.port)
  const lines = () => app.logged.slice(before).filter(({ msg }) => msg === 'request.answered')
  await expect.poll(() => lines().length).toBe(COUNT)
  const seconds = Math.ceil((Date.now() - began) / 1_000) + 1
  const told = lines().filter(({ level }) => level === 'info')
  expect(told.length).toBeLessThanOrEqual(10 * seconds)
  expect(lines().filter(({ level }) => level === 'debug').length).toBe(COUNT - told.length)
})

it('a flood of looks at a server that is not ready leaves a few lines a second', async () => {
  app = await openTestApp()
  const { port, logged } = app
  await app.query('DROP TABLE blocks CASCADE')
  await expect.poll(async () => (await ask(port, '/health/ready')).status).toBe(503)
  const before = logged.length
  const began = Date.now()
  const COUNT = 150
  for (let sent = 0; sent < COUNT; sent += 1) expect((await ask(port, '/health/ready')).status).toBe(503)
  const lines = () =>
    logged.slice(before).filter(({ msg, status }) => msg === 'request.answered' && status === 503)
  await expect.poll(() => lines().length).toBe(COUNT)
  const seconds = Math.ceil((Date.now() - began) / 1_000) + 1
  expect(lines().filter(({ level }) => level === 'info').length).toBeLessThanOrEqual(10 * seconds)
})

it('answers to callers have a line each', async () => {
  app = await openTestApp()
  const { key } = app.owner
  for (let sent = 0; sent < 40; sent += 1) await ask(app.port, '/api/json/items/nothing', { key })
  const lines = app.logged.filter(({ msg, status }) => msg === 'request.answered' && status === 404)
  expect(lines.filter(({ level }) => level === 'info')).toHaveLength(40)
})
