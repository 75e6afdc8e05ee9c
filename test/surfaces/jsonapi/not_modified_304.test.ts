// Validators: a strong ETag over the body of every single read, 304 to whoever has it, caching that always asks.
import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { ask, eventually } from '../../support/http.ts'
import { testApp } from '../../support/test_app.ts'
import { openDocument, operationsOf } from '../openapi/open_document.ts'
import { refusals, resourceOf } from './documents.ts'
import { changeBody, itemBody } from './item_documents.ts'

const app = testApp()
const paths: string[] = []
beforeAll(async () => {
  await app.finalize(1)
  const [head] = await app.query<{ id: string; hash: string }>(
    `SELECT id, encode(block_hash, 'hex') AS hash FROM blocks ORDER BY height DESC LIMIT 1`,
  )
  paths.push(
    '/beacons/latest',
    `/beacons/${head?.id}`,
    `/beacons/by-hash/${head?.hash}`,
    `/blocks/${head?.id}`,
  )
})

const get = (path: string, known?: string | string[], method = 'GET') =>
  ask(app.port, `/api/json${path}`, {
    key: app.owner.key,
    method,
    headers: known === undefined ? {} : { 'If-None-Match': known },
  })

describe('304 not modified', () => {
  it('is answered to the ETag alone, weak, in a list, repeated, and to *', async () => {
    for (const path of paths) {
      const { headers, text } = await get(path)
      const etag = headers.etag ?? ''
      expect(etag).toMatch(/^"[^"]+"$/)
      expect(etag).toBe(`"${createHash('sha256').update(text).digest('base64url')}"`)
      expect(headers['cache-control']).toBe('private, no-cache')
      for (const known of [etag, `W/${etag}`, `"x", ${etag}`, `"x",W/"y",${etag} , "z"`, '*', ['"x"', etag]])
        for (const method of ['GET', 'HEAD']) {
          const answer = await get(path, known, method)
          expect([answer.status, answer.text]).toEqual([304, ''])
          expect(answer.headers).toMatchObject({
            etag,
            'cache-control': 'private, no-cache',
            vary: expect.stringMatching(/^Accept/),
          })
          expect(answer.headers['content-type']).toBeUndefined()
        }
    }
  })

  it('is not answered to anything else', async () => {
    for (const path of paths)
      for (const known of [
        '"x"',
        'x',
        '',
        '""',
        'W/"x"',
        '"*"',
        `${(await get(path)).headers.etag?.slice(0, -2)}"`,
      ])
        expect((await get(path, known)).status).toBe(200)
  })

  it('takes as many characters as the document states, and refuses more', async () => {
    const [path = ''] = paths
    const [known] = operationsOf(openDocument()).flatMap(({ parameters }) =>
      parameters.filter(({ name }) => name === 'If-None-Match'),
    )
    const most = Number(known?.schema.maxLength)
    const etag = (await get(path)).headers.etag ?? ''
    expect((await get(path, `${etag},`.padEnd(most, 'x'))).status).toBe(304)
    expect(refusals(await get(path, 'x'.repeat(most + 1)))).toEqual(['400 invalid_argument If-None-Match'])
    expect((await get('/beacons', 'x'.repeat(most + 1))).status).toBe(200)
  })

  it('is not answered on lists and errors, which carry no ETag', async () => {
    for (const path of ['/beacons', '/items', '/beacons/x', '/blocks/x', '/nothing']) {
      const answer = await get(path, '*')
      expect([answer.status === 304, answer.headers.etag]).toEqual([false, undefined])
    }
  })

  it('comes after the credential', async () => {
    const answer = await ask(app.port, '/api/json/beacons/latest', { headers: { 'If-None-Match': '*' } })
    expect(answer.status).toBe(401)
  })

  it('ends with a change: latest has a new ETag with a new block, an item with new labels', async () => {
    const { etag = '' } = (await get('/beacons/latest')).headers
    const before = (await app.query('SELECT 1 FROM blocks')).length
    await app.finalize()
    expect((await app.query('SELECT 1 FROM blocks')).length).toBe(before + 1)
    await eventually(async () => ((await get('/beacons/latest', etag)).status === 200 ? true : undefined))
    const { id } = resourceOf(
      await ask(app.port, '/api/json/items', { key: app.owner.key, body: itemBody() }),
      201,
    )
    const item = (await get(`/items/${id}`)).headers.etag ?? ''
    expect((await get(`/items/${id}`, item)).status).toBe(304)
    await ask(app.port, `/api/json/items/${id}`, {
      key: app.owner.key,
      method: 'PATCH',
      body: changeBody({ tags: ['x'] }),
    })
    expect((await get(`/items/${id}`, item)).status).toBe(200)
  })
})
