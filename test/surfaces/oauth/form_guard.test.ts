// The guard of our forms: only our own pages can post them, and only so much of them is read.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Koa from 'koa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Refusal } from '../../../server/kernel/refusal.ts'
import { createFormTokens } from '../../../server/surfaces/oauth/form_guard.ts'

const BASE = 'https://pharos.example'
const tokens = createFormTokens({ key: Buffer.alloc(32, 7), base: () => BASE })

const koa = new Koa()
koa.keys = ['as in the service, where other cookies are signed']
koa.use(async (ctx, next) => {
  try {
    await next()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    ctx.status = error.status
    ctx.body = error.code
  }
})
koa.use(async (ctx) => {
  if (ctx.method === 'GET') {
    ctx.body = tokens.issue(ctx, ctx.path)
    return
  }
  ctx.body = Object.fromEntries(await tokens.posted(ctx, ctx.path))
})
const server = createServer(koa.callback())
let address = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())

const open = async (path: string, cookie = '') => {
  const answer = await fetch(`${address}${path}`, { headers: { cookie } })
  return { token: await answer.text(), set: answer.headers.get('set-cookie') }
}

const post = (path: string, headers: Record<string, string>, body: string) =>
  fetch(`${address}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body,
  })

describe('the origin of a form', () => {
  it.each<[string, Record<string, string>, boolean]>([
    ['our own origin', { origin: BASE }, true],
    ['our own origin, said twice', { origin: BASE, 'sec-fetch-site': 'same-origin' }, true],
    ['an origin that our own page hides', { origin: 'null', 'sec-fetch-site': 'same-origin' }, true],
    ['another origin', { origin: 'https://evil.example' }, false],
    ['our origin from another port', { origin: `${BASE}:8443` }, false],
    [
      'a neighbour below the same domain',
      { origin: 'https://x.pharos.example', 'sec-fetch-site': 'same-site' },
      false,
    ],
    ['a sandboxed page', { origin: 'null' }, false],
    ['another site that hides its origin', { origin: 'null', 'sec-fetch-site': 'cross-site' }, false],
    ['no page at all', {}, false],
  ])('%s: accepted is what our own pages send', async (_, headers, accepted) => {
    const { token, set } = await open('/a')
    const cookie = set?.split(';')[0] ?? ''
    const { status } = await post('/a', { cookie, ...headers }, `form_token=${token}`)
    expect(status).toBe(accepted ? 200 : 403)
  })
})

describe('the form token', () => {
  it('works again in the same browser, for any page open there', async () => {
    const { token, set } = await open('/a')
    const cookie = set?.split(';')[0] ?? ''
    expect(set).toBe(`${cookie}; Path=/; HttpOnly; SameSite=Lax; Secure`)
    const other = await open('/b', cookie)
    expect(other.set).toBeNull()
    for (const [path, value] of [
      ['/a', token],
      ['/b', other.token],
    ] as const)
      expect((await post(path, { cookie, origin: BASE }, `form_token=${value}`)).status).toBe(200)
  })

  it('is no use in another browser, for another purpose, or when it is missing', async () => {
    const { token, set } = await open('/a')
    const cookie = set?.split(';')[0] ?? ''
    const another = (await open('/a')).set?.split(';')[0] ?? ''
    for (const [path, sent, body] of [
      ['/a', another, `form_token=${token}`],
      ['/b', cookie, `form_token=${token}`],
      ['/a', '', `form_token=${token}`],
      ['/a', cookie, ''],
    ] as const)
      expect((await post(path, { cookie: sent, origin: BASE }, body)).status).toBe(403)
  })
})

describe('what is read of a form', () => {
  it.each<[string, string, Record<string, string>, number]>([
    ['another type of content', '{}', { 'content-type': 'application/json' }, 415],
    ['more than 16 KiB', `a=${'x'.repeat(16_384)}`, {}, 413],
    ['more than 20 fields', Array.from({ length: 21 }, (_, n) => `f${n}=1`).join('&'), {}, 400],
    ['a field twice', 'email=a&email=b', {}, 400],
  ])('%s is refused', async (_, body, headers, status) => {
    expect((await post('/a', { origin: BASE, ...headers }, body)).status).toBe(status)
  })
})
