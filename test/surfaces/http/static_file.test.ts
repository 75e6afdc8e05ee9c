// Files are compressed for those who take that: every form has the same content, a validator of its own, and says what
// it depends on.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import Koa from 'koa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { consoleFiles } from '../../../server/surfaces/http/console_files.ts'
import { heldFile, sendStatic } from '../../../server/surfaces/http/static_file.ts'
import { ownFields } from '../../support/http.ts'

const TEXT = 'let some = 1;\n'.repeat(200)
const HELD = heldFile('text/javascript; charset=utf-8', Buffer.from(TEXT))
const SMALL = heldFile('text/css; charset=utf-8', Buffer.from('a{}'))

let folder: string
let server: Server
let base: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pharos-coding-'))
  await mkdir(join(folder, 'assets'))
  await writeFile(join(folder, 'index.html'), '<!doctype html>')
  await writeFile(join(folder, 'assets/both-1.js'), TEXT)
  await writeFile(join(folder, 'assets/both-1.js.br'), brotliCompressSync(TEXT))
  await writeFile(join(folder, 'assets/both-1.js.gz'), gzipSync(TEXT))
  await writeFile(join(folder, 'assets/plain-1.svg'), TEXT)
  await writeFile(join(folder, 'assets/worker-1.js'), TEXT)
  for (const name of ['icon.svg', 'some.json', 'app.webmanifest', 'icon.ico', 'font.woff2'])
    await writeFile(join(folder, name), 'a')
  const koa = new Koa()
  koa.use(async (ctx, next) => {
    ctx.set({ 'X-Request-Id': 'one', RateLimit: '"address";r=1', 'Content-Security-Policy': 'none' })
    if (ctx.path === '/held') await sendStatic(ctx, HELD)
    else if (ctx.path === '/small') await sendStatic(ctx, SMALL)
    else await next()
  })
  koa.use(await consoleFiles(folder, { logIsPublic: false, publicDoors: [] }))
  server = createServer(koa.callback())
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await rm(folder, { recursive: true, force: true })
})

const DECODE = { br: brotliDecompressSync, gzip: gunzipSync, none: (bytes: Buffer) => bytes }

/** Asks without decoding. */
async function ask(
  path: string,
  accepted: string | undefined,
  headers: Record<string, string> = {},
  method = 'GET',
) {
  const { promise, resolve, reject } = Promise.withResolvers<{
    status: number
    coding: 'br' | 'gzip' | 'none'
    bytes: Buffer
    headers: Record<string, unknown>
  }>()
  const sent = { ...headers, ...(accepted === undefined ? {} : { 'Accept-Encoding': accepted }) }
  request(`${base}${path}`, { headers: sent, method }, (response) => {
    const chunks: Buffer[] = []
    response.on('data', (chunk: Buffer) => chunks.push(chunk))
    response.on('end', () => {
      const told = response.headers['content-encoding']
      const coding = told === 'br' || told === 'gzip' ? told : 'none'
      resolve({
        ...{ status: response.statusCode ?? 0, coding, headers: response.headers },
        bytes: Buffer.concat(chunks),
      })
    })
  })
    .on('error', reject)
    .end()
  return promise
}

describe.each(['/assets/both-1.js', '/held'])('%s', (path) => {
  it.each([
    ['br', 'gzip, deflate, br, zstd'],
    ['br', 'br;q=0.5'],
    ['gzip', 'gzip'],
    ['gzip', 'br;q=0, gzip'],
    ['br', '*'],
    ['none', undefined],
    ['none', 'identity'],
    ['none', 'zstd'],
    ['none', 'gzip;q=0'],
  ] as const)('is sent as %s to one who takes %s', async (coding, accepted) => {
    const answer = await ask(path, accepted)
    expect([answer.status, answer.coding]).toEqual([200, coding])
    expect(DECODE[answer.coding](answer.bytes).toString()).toBe(TEXT)
    expect(answer.headers).toMatchObject({
      vary: 'Accept-Encoding',
      'content-length': String(answer.bytes.length),
      'content-type': 'text/javascript; charset=utf-8',
    })
  })
})

it('the page itself is compressed for who takes that', async () => {
  for (const [coding, accepted] of [
    ['br', 'gzip, br'],
    ['gzip', 'gzip'],
    ['none', undefined],
  ] as const) {
    const answer = await ask('/', accepted)
    expect([answer.status, answer.coding, answer.headers.vary]).toEqual([200, coding, 'Accept-Encoding'])
    expect(DECODE[answer.coding](answer.bytes).toString()).toBe('<!doctype html>')
  }
})

it('a file that has no compressed form, or is too small for one, is sent as it is', async () => {
  expect((await ask('/assets/plain-1.svg', 'br, gzip')).coding).toBe('none')
  expect((await ask('/small', 'br, gzip')).coding).toBe('none')
})

it('the compressed forms have no address of their own', async () => {
  expect((await ask('/assets/both-1.js.br', 'br')).status).toBe(404)
  expect((await ask('/assets/both-1.js.gz', undefined)).status).toBe(404)
})

it('each form has its own validator, which is good for that form alone', async () => {
  const tags = await Promise.all(
    ['br', 'gzip', undefined].map(async (accepted) => String((await ask('/held', accepted)).headers.etag)),
  )
  expect(new Set(tags).size).toBe(3)
  const [br = ''] = tags
  expect((await ask('/held', 'br', { 'If-None-Match': br })).status).toBe(304)
  expect((await ask('/held', 'gzip', { 'If-None-Match': br })).status).toBe(200)
})

const JS = { 'content-type': 'text/javascript; charset=utf-8' }
const SVG = { 'content-type': 'image/svg+xml' }
const HTML = { 'content-type': 'text/html; charset=utf-8' }
const VARIES = { vary: 'Accept-Encoding' }
const CHECKED = { 'cache-control': 'public, no-cache', etag: expect.stringMatching(/^"[\w-]{43}"$/) }
const OURS = { 'content-security-policy': 'none' }
const PER_REQUEST = { 'x-request-id': 'one', ratelimit: '"address";r=1' }
const YEAR = { 'cache-control': 'public, max-age=31536000, immutable' }
const NO_CACHE = { 'cache-control': 'no-cache' }
const BR = { 'content-encoding': 'br' }
const PAGE = {
  ...{ ...PER_REQUEST, ...HTML, ...VARIES, ...NO_CACHE },
  'content-security-policy': expect.stringContaining("script-src 'self'"),
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
}

describe.each(['GET', 'HEAD'])('an answer to %s has these fields and no others', (method) => {
  it.each([
    ['/held', 'br', { ...PER_REQUEST, ...OURS, ...JS, ...VARIES, ...CHECKED, ...BR }],
    ['/held', undefined, { ...PER_REQUEST, ...OURS, ...JS, ...VARIES, ...CHECKED }],
    [
      '/small',
      'br',
      { ...PER_REQUEST, ...OURS, ...VARIES, ...CHECKED, 'content-type': 'text/css; charset=utf-8' },
    ],
    ['/assets/both-1.js', 'br', { ...JS, ...VARIES, ...YEAR, ...BR }],
    ['/assets/both-1.js', undefined, { ...JS, ...VARIES, ...YEAR }],
    ['/assets/plain-1.svg', 'br', { ...SVG, ...YEAR }],
    ['/assets/worker-1.js', 'br', { ...OURS, ...JS, ...YEAR }],
    ['/icon.svg', 'br', { ...PER_REQUEST, ...OURS, ...SVG, ...NO_CACHE }],
    [
      '/some.json',
      'br',
      { ...PER_REQUEST, ...OURS, ...NO_CACHE, 'content-type': 'application/json; charset=utf-8' },
    ],
    [
      '/app.webmanifest',
      'br',
      { ...PER_REQUEST, ...OURS, ...NO_CACHE, 'content-type': 'application/manifest+json; charset=utf-8' },
    ],
    ['/icon.ico', 'br', { ...PER_REQUEST, ...OURS, ...NO_CACHE, 'content-type': 'image/x-icon' }],
    ['/font.woff2', 'br', { ...PER_REQUEST, ...OURS, ...NO_CACHE, 'content-type': 'font/woff2' }],
    ['/', 'br', { ...PAGE, ...BR }],
    ['/nothing', undefined, PAGE],
  ] as const)('%s to one who takes %s', async (path, accepted, fields) => {
    // A range, and a validator of something else, change nothing here.
    for (const asked of [{}, { Range: 'bytes=0-1' }, { 'If-None-Match': '"another"' }]) {
      const { status, headers } = await ask(path, accepted, asked, method)
      expect(status).toBe(path === '/nothing' ? 404 : 200)
      expect(ownFields(headers)).toEqual({ ...fields, 'content-length': expect.any(String) })
    }
  })

  it.each(['br', undefined])('that is still good is not sent again to one who takes %s', async (accepted) => {
    const { etag } = (await ask('/held', accepted)).headers
    const again = await ask('/held', accepted, { 'If-None-Match': String(etag) }, method)
    expect([again.status, again.bytes.length]).toEqual([304, 0])
    expect(ownFields(again.headers)).toEqual({
      ...PER_REQUEST,
      ...OURS,
      ...VARIES,
      ...CHECKED,
      ...(accepted === undefined ? {} : BR),
      etag,
    })
    for (const path of ['/', '/icon.svg', '/assets/both-1.js'])
      expect((await ask(path, accepted, { 'If-None-Match': '*' }, method)).status).toBe(200)
  })
})
