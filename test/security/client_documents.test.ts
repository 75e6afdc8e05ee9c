// Clients that bring a document of their own: where the service reads it, and what it does not believe (OAuth Client ID
// Metadata Document, section 6).
import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addressRanges } from '../../server/kernel/addresses.ts'
import { createGuard } from '../../server/outgoing/guard.ts'
import { getPinned } from '../../server/outgoing/vetted_request.ts'
import { ask } from '../support/http.ts'
import { authorizationRequest, REDIRECT_URI } from '../support/oauth.ts'
import { openReceiver, type Receiver, TEST_AUTHORITY } from '../support/receiver.ts'
import { askToken, authorize, codeExchange, openScene, type Scene } from './scene.ts'

let scene: Scene
let host: Receiver
let plainHost: Receiver
beforeAll(async () => {
  host = await openReceiver()
  plainHost = await openReceiver({ host: '127.0.0.2' })
  scene = await openScene({
    webhooks: { allow: addressRanges('127.0.0.1/32'), ca: TEST_AUTHORITY.cert },
    trustedProxies: addressRanges('127.0.0.1'),
  })
})
afterAll(async () => {
  await scene.app.close()
  await Promise.all([host.close(), plainHost.close()])
})

let made = 0
/** Each test has a document of its own, because answers are remembered. */
const newId = (): string => {
  made += 1
  return host.url('127.0.0.1', `/client-${made}`)
}

const documentOf = (client_id: string, more: object = {}) => ({
  client_id,
  client_name: 'A client with a document',
  redirect_uris: [REDIRECT_URI],
  token_endpoint_auth_method: 'none',
  ...more,
})

const sendJson = (response: ServerResponse, body: unknown, type = 'application/json') =>
  void response
    .writeHead(200, { 'content-type': type })
    .end(typeof body === 'string' ? body : JSON.stringify(body))

/** Each from an address of its own, because an address may have only so many documents read a minute. */
const open = async (client_id: string, from = `192.0.2.${made % 250}`) => {
  const { url } = await authorizationRequest(scene.server, { client_id })
  return ask(scene.app.port, `${url.pathname}${url.search}`, { headers: { 'X-Forwarded-For': from } })
}

const withoutIds = (text: string) => text.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '')

let refusal: string | undefined
/** Whatever is wrong, the answer is that of a client that nobody registered: it tells nothing about our network. */
async function expectUnknown(client_id: string): Promise<void> {
  refusal ??= withoutIds((await open('nobody')).text)
  const { status, headers, text } = await open(client_id)
  expect([client_id, status, headers.location]).toEqual([client_id, 400, undefined])
  expect(withoutIds(text)).toBe(refusal)
}

it('a client with a document gets a code without being registered, and its host is read once for many requests', async () => {
  const id = newId()
  host.respond((response) => sendJson(response, documentOf(id)))
  const before = host.begun()
  const client = { client_id: id }
  const authorized = await authorize({ ...scene, client })
  expect(await askToken(scene.app, codeExchange({ client }, authorized))).toMatchObject({ status: 200 })
  await Promise.all(Array.from({ length: 5 }, () => open(id)))
  expect(host.begun() - before).toBe(1)
  expect(host.heard.at(-1)).toMatchObject({ method: 'GET', headers: { accept: 'application/json' } })
  expect(host.heard.at(-1)?.headers).not.toHaveProperty('cookie')
  expect(host.heard.at(-1)?.headers).not.toHaveProperty('authorization')
})

describe('an address', () => {
  it('that is not public, or has no host of its own, is not called', async () => {
    const { port } = plainHost
    for (const id of [
      `https://127.0.0.2:${port}/client`,
      `https://127.2:${port}/client`,
      'https://10.0.0.1/client',
      'https://192.168.1.1/client',
      'https://172.16.0.1/client',
      'https://100.64.0.1/client',
      'https://169.254.169.254/latest/meta-data',
      'https://0.0.0.0/client',
      'https://[::1]/client',
      'https://[::ffff:7f00:2]/client',
      'https://[fd00::1]/client',
      'https://localhost/client',
      'https://x.localhost/client',
    ])
      await expectUnknown(id)
    expect(plainHost.connections()).toBe(0)
  })

  it('in any but its usual spelling is no client, so a document has one name', async () => {
    host.respond((response, { path }) => sendJson(response, documentOf(host.url('127.0.0.1', path))))
    const before = host.connections()
    const good = newId()
    for (const id of [
      good.replace('https:', 'HTTPS:'),
      good.replace('https:', 'http:'),
      good.replace('/client', '/x/../client'),
      good.replace('/client', '/%2e%2e/client'),
      good.replace('127.0.0.1', '2130706433'),
      good.replace('127.0.0.1', '127.1'),
      good.replace('//', '//user@'),
      good.replace('//', '//user:password@'),
      `${good}#fragment`,
      `${good}#`,
      host.url('127.0.0.1', '/'),
      host.url('127.0.0.1', ''),
      `${good}/${'x'.repeat(2_100)}`,
    ])
      await expectUnknown(id)
    expect(host.connections()).toBe(before)
  })

  it('that sends elsewhere is not followed', async () => {
    const before = plainHost.connections()
    for (const status of [301, 302, 303, 307, 308]) {
      const id = newId()
      const elsewhere = host.begun()
      host.respond(
        (response) => void response.writeHead(status, { location: host.url('127.0.0.1', '/other') }).end(),
      )
      await expectUnknown(id)
      expect(host.begun() - elsewhere).toBe(1)
    }
    const id = newId()
    host.respond((response) => void response.writeHead(302, { location: plainHost.url('127.0.0.2') }).end())
    await expectUnknown(id)
    expect(plainHost.connections()).toBe(before)
  })
})

describe('a document', () => {
  const huge = (id: string) => JSON.stringify(documentOf(id, { padding: 'x'.repeat(20_000) }))
  it.each<[string, (response: ServerResponse, id: string) => void]>([
    ['names another client', (to, id) => sendJson(to, documentOf(`${id}x`))],
    ['names no client', (to, id) => sendJson(to, { ...documentOf(id), client_id: undefined })],
    ['names the console', (to) => sendJson(to, documentOf('console'))],
    [
      'names a client twice',
      (to, id) => sendJson(to, JSON.stringify(documentOf('x')).replace('}', `,"client_id":"${id}"}`)),
    ],
    ['inherits its name', (to, id) => sendJson(to, `{"__proto__":${JSON.stringify(documentOf(id))}}`)],
    ['is a page', (to, id) => sendJson(to, documentOf(id), 'text/html')],
    [
      'is a file that somebody uploaded',
      (to, id) => sendJson(to, documentOf(id), 'text/plain; charset=utf-8'),
    ],
    ['has no type', (to, id) => void to.writeHead(200).end(JSON.stringify(documentOf(id)))],
    ['is huge', (to, id) => sendJson(to, huge(id))],
    ['is a list', (to, id) => sendJson(to, [documentOf(id)])],
    [
      'is nested without end',
      (to, id) => sendJson(to, `{"client_id":"${id}","x":${'['.repeat(8_000)}${']'.repeat(8_000)}}`),
    ],
    [
      'is missing',
      (to, id) =>
        void to.writeHead(404, { 'content-type': 'application/json' }).end(JSON.stringify(documentOf(id))),
    ],
    [
      'is no success',
      (to, id) =>
        void to.writeHead(206, { 'content-type': 'application/json' }).end(JSON.stringify(documentOf(id))),
    ],
    [
      'is cut off',
      (to, id) => {
        to.writeHead(200, { 'content-type': 'application/json', 'content-length': 9_999 })
        to.write(JSON.stringify(documentOf(id)).slice(0, -1), () => to.destroy())
      },
    ],
    ['has a secret', (to, id) => sendJson(to, documentOf(id, { client_secret: 'public' }))],
    [
      'wants a secret',
      (to, id) => sendJson(to, documentOf(id, { token_endpoint_auth_method: 'client_secret_post' })),
    ],
    [
      'redirects to plain http',
      (to, id) => sendJson(to, documentOf(id, { redirect_uris: ['http://client.example/'] })),
    ],
    ['redirects nowhere', (to, id) => sendJson(to, documentOf(id, { redirect_uris: [] }))],
  ])('that %s makes no client', async (_what, answer) => {
    const id = newId()
    host.respond((response) => answer(response, id))
    const before = host.begun()
    await expectUnknown(id)
    expect(host.begun() - before).toBe(1)
    // The refusal is remembered, so the host cannot be made to work by us.
    await open(id)
    expect(host.begun() - before).toBe(1)
  })

  it('does not make other redirect addresses good', async () => {
    const id = newId()
    host.respond((response) => sendJson(response, documentOf(id)))
    const { url } = await authorizationRequest(
      scene.server,
      { client_id: id },
      { redirect_uri: 'https://evil.example/' },
    )
    const { status, headers } = await ask(scene.app.port, `${url.pathname}${url.search}`)
    expect([status, headers.location]).toEqual([400, undefined])
  })

  it('is read only so often for one address', async () => {
    host.respond(404)
    const before = host.begun()
    const answers = await Promise.all(Array.from({ length: 40 }, () => open(newId(), '203.0.113.9')))
    expect(host.begun() - before).toBeLessThanOrEqual(25)
    const last = answers.filter(({ status }) => status === 429)
    expect(last.length).toBeGreaterThan(0)
    for (const { headers } of last) expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  })
})

describe('reading', () => {
  const signal = () => AbortSignal.timeout(30_000)
  const reader = (resolve: (name: string) => Promise<string[]>) =>
    getPinned({
      guard: createGuard({ resolve, allow: addressRanges('127.0.0.1/32') }),
      ca: TEST_AUTHORITY.cert,
    })

  it('goes to the address that was judged, even when the name has another one a moment later', async () => {
    let asked = 0
    const get = reader(async () => {
      asked += 1
      return asked === 1 ? ['127.0.0.1'] : ['127.0.0.2']
    })
    host.respond(204)
    const url = new URL(host.url('hooks.example.com', '/client'))
    expect((await get(url, { headers: [], signal: signal() })).status).toBe(204)
    expect(asked).toBe(1)
    expect(host.heard.at(-1)?.headers.host).toBe(url.host)
    await expect(get(url, { headers: [], signal: signal() })).rejects.toThrow('private_address')
  })

  it('does not happen when one of the addresses of the name is private', async () => {
    const before = host.connections()
    const get = reader(async () => ['127.0.0.1', '10.0.0.1'])
    const url = new URL(host.url('hooks.example.com', '/client'))
    await expect(get(url, { headers: [], signal: signal() })).rejects.toThrow('private_address')
    expect(host.connections()).toBe(before)
  })

  it('ends when its time is over, whatever the host sends until then', async () => {
    const get = reader(async () => ['127.0.0.1'])
    const url = new URL(host.url('hooks.example.com', '/client'))
    let drops = 0
    const tries = [
      () => undefined,
      (response: ServerResponse) => {
        response.writeHead(200, { 'content-type': 'application/json' })
        const drip = setInterval(() => {
          drops += 1
          response.write(' ')
        }, 10)
        response.once('close', () => clearInterval(drip))
      },
    ]
    for (const how of tries) {
      host.respond(how)
      const began = performance.now()
      const read = get(url, { headers: [], signal: AbortSignal.timeout(2_000) })
      const ended = await read.then(
        ({ body }) => body.length,
        () => -1,
      )
      expect(ended).toBeLessThan(16_384)
      expect(performance.now() - began).toBeLessThan(20_000)
    }
    expect(drops).toBeGreaterThan(0)
  })
})
