// The keyring is public, always as it is now, and holds every key that ever signed.
import { describe, expect, it } from 'vitest'
import { rotateKey } from '../../../server/domain/ledger/signing_key.ts'
import { readKeyring } from '../../../shared/proof/verify/keyring.ts'
import { ask } from '../../support/http.ts'
import { testApp } from '../../support/test_app.ts'

const PATH = '/.well-known/keyring.json'

const app = testApp()

const read = () => ask(app.port, PATH)

describe('GET /.well-known/keyring.json', () => {
  it('needs no credential and answers any origin', async () => {
    const answer = await read()
    expect(answer.status).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'access-control-allow-origin': '*',
      'cache-control': 'public, no-cache',
      'x-content-type-options': 'nosniff',
    })
    expect(answer.json()).toEqual({
      version: '1.0',
      keys: [
        {
          key_id: expect.stringMatching(/^[0-9a-f]{8}$/),
          public_key: expect.stringMatching(/^[A-Za-z0-9+/]{43}=$/),
          sequence: 0,
          active: true,
        },
      ],
    })
    expect(readKeyring(answer.text)).toHaveLength(1)
    const bad = await ask(app.port, PATH, { headers: { Authorization: 'Bearer nonsense' } })
    expect(bad.status).toBe(200)
  })

  it('answers HEAD, a copy that is still good with 304, and another method with 405', async () => {
    const { headers, text } = await read()
    const head = await ask(app.port, PATH, { method: 'HEAD' })
    expect([head.status, head.text, head.headers['content-length']]).toEqual([
      200,
      '',
      String(Buffer.byteLength(text)),
    ])
    const again = await ask(app.port, PATH, { headers: { 'If-None-Match': headers.etag ?? '' } })
    expect([again.status, again.text, again.headers.etag]).toEqual([304, '', headers.etag])
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const refused = await ask(app.port, PATH, { method })
      expect([refused.status, refused.headers.allow]).toEqual([405, 'GET, HEAD'])
      expect(refused.json()).toMatchObject({ errors: [{ status: '405', code: 'method_not_allowed' }] })
    }
    const preflight = await ask(app.port, PATH, {
      method: 'OPTIONS',
      headers: { Origin: 'https://example.com', 'Access-Control-Request-Method': 'GET' },
    })
    expect(preflight.status).toBe(204)
  })

  it('shows a rotation with the block that makes it, not before, and keeps the old key', async () => {
    for (const emergency of [false, true]) {
      const before = await read()
      await rotateKey({ em: app.store.em(), masterKey: app.masterKey }, { emergency })
      expect((await read()).text).toBe(before.text)
      await app.finalize()
      expect((await read()).headers.etag).not.toBe(before.headers.etag)
    }
    const { keys } = (await read()).json() as {
      keys: { sequence: number; active: boolean; key_id: string }[]
    }
    expect(keys.map(({ sequence, active }) => [sequence, active])).toEqual([
      [0, false],
      [1, false],
      [2, true],
    ])
    expect(new Set(keys.map(({ key_id }) => key_id)).size).toBe(3)
  })

  it('answers many at once', async () => {
    const answers = await Promise.all(Array.from({ length: 60 }, read))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  })
})
