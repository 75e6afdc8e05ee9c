// Files are compressed for those who take that: every form has the same content, a validator of its own, and says what
// it depends on.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, get, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import Koa from 'koa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { consoleFiles } from '../../../server/surfaces/http/console_files.ts'
import { sendFile } from '../../../server/surfaces/http/send_file.ts'

const TEXT = 'let some = 1;\n'.repeat(200)
const HELD = { type: 'text/javascript; charset=utf-8', bytes: Buffer.from(TEXT) }
const SMALL = { type: 'text/css; charset=utf-8', bytes: Buffer.from('a{}') }

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
  const koa = new Koa()
  koa.use(async (ctx, next) => {
    if (ctx.path === '/held') await sendFile(ctx, HELD)
    else if (ctx.path === '/small') await sendFile(ctx, SMALL)
    else await next()
  })
  koa.use(await consoleFiles(folder, { logIsPublic: false }))
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
async function ask(path: string, accepted: string | undefined, headers: Record<string, string> = {}) {
  const { promise, resolve, reject } = Promise.withResolvers<{
    status: number
    coding: 'br' | 'gzip' | 'none'
    bytes: Buffer
    headers: Record<string, unknown>
  }>()
  const sent = { ...headers, ...(accepted === undefined ? {} : { 'Accept-Encoding': accepted }) }
  get(`${base}${path}`, { headers: sent }, (response) => {
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
  }).on('error', reject)
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
