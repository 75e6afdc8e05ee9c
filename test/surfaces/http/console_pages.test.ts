// The console's own addresses all get its page; what belongs to other surfaces, and what is no file, never does.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Koa from 'koa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { consoleFiles } from '../../../server/surfaces/http/console_files.ts'
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
  koa.use(await consoleFiles(join(folder, 'dist')))
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
  it.each([
    '/',
    '/items/x',
    '/blocks/x',
    '/beacons/x',
    '/entropy/x',
    '/verify',
    '/graphiql',
    '/anything/else',
  ])('has its page at %s, for HEAD too', async (path) => {
    const answer = await ask(port, path)
    expect([answer.status, answer.text]).toEqual([200, PAGE])
    expect(answer.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
    })
    const head = await ask(port, path, { method: 'HEAD' })
    expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', String(PAGE.length)])
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
