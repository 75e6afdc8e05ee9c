// The console's own addresses all get its page, unknown ones with 404; what belongs to other surfaces, and what is no file, never does.
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Koa from 'koa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { consoleFiles } from '../../../server/surfaces/http/console_files.ts'
import { CONSOLE_ROUTES } from '../../../shared/wire/console_routes.ts'
import { ask } from '../../support/http.ts'

const PAGE = '<!doctype html><title>console</title>'
let folder: string
let server: Server
let port = 0
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pharos-pages-'))
  await mkdir(join(folder, 'dist/assets'), { recursive: true })
  await writeFile(join(folder, 'dist/index.html'), PAGE)
  await writeFile(join(folder, 'dist/assets/app-1a2b.js'), 'let a')
  await writeFile(join(folder, 'dist/kept.secret'), 'no such kind of file')
  await writeFile(join(folder, 'outside.json'), '{}')
  const koa = new Koa()
  koa.use(await consoleFiles(join(folder, 'dist'), { logIsPublic: false }))
  server = createServer(koa.callback())
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await rm(folder, { recursive: true, force: true })
})

describe('the console', () => {
  it.each([...CONSOLE_ROUTES.map((route) => route.replaceAll(/:\w+/g, 'x.y')), '/items/', '/index.html'])(
    'has its page at %s, for HEAD too',
    async (path) => {
      const answer = await ask(port, path)
      expect([answer.status, answer.text]).toEqual([200, PAGE])
      expect(answer.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache',
      })
      const head = await ask(port, path, { method: 'HEAD' })
      expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', String(PAGE.length)])
    },
  )

  it('allows inline styles by the nonce of one answer alone, which stands in its page', async () => {
    const nonces: string[] = []
    for (const path of ['/noncing', '/', '/index.html']) {
      await writeFile(join(folder, 'dist/index.html'), '<meta property="csp-nonce" nonce="{nonce}">')
      const { text, headers } = await ask(port, path)
      const nonce = /nonce="([\w+/=]{24})"/.exec(text)?.[1] ?? 'none'
      expect(headers['content-security-policy']).toContain(`; style-src 'self' 'nonce-${nonce}';`)
      expect(headers).not.toHaveProperty('etag')
      nonces.push(nonce)
    }
    await writeFile(join(folder, 'dist/index.html'), PAGE)
    expect(new Set(nonces).size).toBe(3)
  })

  it('allows the inline scripts of its page by their content, and no others', async () => {
    await writeFile(join(folder, 'dist/index.html'), '<script>one()</script><script src="/two.js"></script>')
    const { headers } = await ask(port, '/')
    await writeFile(join(folder, 'dist/index.html'), PAGE)
    const hash = createHash('sha256').update('one()').digest('base64')
    expect(headers['content-security-policy']).toContain(`; script-src 'self' 'sha256-${hash}';`)
  })

  it.each(['/anything', '/anything/else', '/items/x/y', '/Items', '/%zz', '/verify/item'])(
    'shows its page with 404 at %s, which is none of its addresses',
    async (path) => {
      const answer = await ask(port, path)
      expect([answer.status, answer.text]).toEqual([404, PAGE])
      expect((await ask(port, path, { method: 'HEAD' })).status).toBe(404)
    },
  )

  it.each(['/favicon.ico', '/app.js', '/wp-login.php', '/items/x/y.png', '/assets/', '/assets/app-0000.css'])(
    'has no page at %s, where a file is asked for that is not there',
    async (path) => {
      const answer = await ask(port, path)
      expect([answer.status, answer.text]).toEqual([404, 'Not Found'])
      expect(answer.headers['content-type']).toMatch(/^text\/plain/)
    },
  )

  it('tells robots what they may read', async () => {
    const { status, text, headers } = await ask(port, '/robots.txt')
    expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
    expect(text).toMatch(/^User-agent: \*\n(Allow: \/\S+\n)+Disallow: \/\n$/)
  })

  it('has its files for good under their hashed names', async () => {
    const { status, text, headers } = await ask(port, '/assets/app-1a2b.js')
    expect([status, text]).toEqual([200, 'let a'])
    expect(headers['cache-control']).toContain('immutable')
  })

  it.each([
    '/assets/app-0000.js',
    '/api/json/nothing',
    '/gql',
    '/mcp',
    '/oauth/token',
    '/.well-known/nothing',
    '/health/live',
    '/metrics',
    '/socket.io/',
  ])('leaves %s to others', async (path) => {
    expect((await ask(port, path)).status).toBe(404)
  })

  it('answers no other method, and no path out of its folder', async () => {
    expect((await ask(port, '/', { method: 'POST' })).status).toBe(404)
    for (const path of [
      '/../outside.json',
      '/..%2foutside.json',
      '/assets/../../outside.json',
      '/kept.secret',
    ])
      expect((await ask(port, path)).text, path).not.toMatch(/\{\}|no such kind/)
  })
})
