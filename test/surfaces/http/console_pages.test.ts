// The console's own addresses all get its page, unknown ones with 404; what belongs to other surfaces, and what is no file, never does.
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Koa from 'koa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { consoleFiles } from '../../../server/surfaces/http/console_files.ts'
import { CONSOLE_ROUTES } from '../../../shared/wire/console_routes.ts'
import { ask } from '../../support/http.ts'

const PAGE = '<!doctype html><title>console</title>'
interface Shown {
  readonly port: number
  readonly close: () => Promise<void>
}

/** A server of a console that was built with this page. Its folder is gone when the server answers. */
async function show(page: string): Promise<Shown> {
  const folder = await mkdtemp(join(tmpdir(), 'pharos-pages-'))
  await mkdir(join(folder, 'dist/assets'), { recursive: true })
  await writeFile(join(folder, 'dist/index.html'), page)
  await writeFile(join(folder, 'dist/assets/app-1a2b.js'), 'let a')
  await writeFile(join(folder, 'dist/kept.secret'), 'no such kind of file')
  await writeFile(join(folder, 'outside.json'), '{}')
  const koa = new Koa()
  koa.use(await consoleFiles(join(folder, 'dist'), { logIsPublic: false, publicDoors: [] }))
  await rm(folder, { recursive: true, force: true })
  const server = createServer(koa.callback())
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
  }
}

let shown: Shown
let port = 0
beforeAll(async () => {
  shown = await show(PAGE)
  port = shown.port
})
afterAll(() => shown.close())

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
    const other = await show('<meta property="csp-nonce" nonce="{nonce}">')
    const nonces: string[] = []
    for (const path of ['/noncing', '/', '/index.html']) {
      const { text, headers } = await ask(other.port, path)
      const nonce = /nonce="([\w+/=]{24})"/.exec(text)?.[1] ?? 'none'
      expect(headers['content-security-policy']).toContain(`; style-src 'self' 'nonce-${nonce}';`)
      expect(headers).not.toHaveProperty('etag')
      nonces.push(nonce)
    }
    await other.close()
    expect(new Set(nonces).size).toBe(3)
  })

  it('allows the inline scripts of its page by their content, and no others', async () => {
    const other = await show('<script>one()</script><script src="/two.js"></script>')
    const { headers } = await ask(other.port, '/')
    await other.close()
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

  it('opens no file for a request: answers that nobody reads would keep it open', async () => {
    expect(
      await Promise.all(['/', '/assets/app-1a2b.js'].map(async (path) => (await ask(port, path)).text)),
    ).toEqual([PAGE, 'let a'])
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
