// Missing, blank, malformed and invalid credentials: 401 with WWW-Authenticate on every route, never a server error.
import { describe, expect, it } from 'vitest'
import { makeApiKeySecret } from '../../../server/domain/accounts/api_key.ts'
import { accessToken, revokeGrant } from '../../support/access_token.ts'
import { type Answer, ask, eventually } from '../../support/http.ts'
import { testApp } from '../../support/test_app.ts'
import { refusals, resourceOf, withoutIds } from './documents.ts'

const app = testApp()

const asked = (authorization: string | undefined, path = '/api/json/users/me', method = 'GET') =>
  ask(app.port, path, {
    method,
    headers: authorization === undefined ? {} : { Authorization: authorization },
  })
const challenge = () => `Bearer resource_metadata="${app.base}/.well-known/oauth-protected-resource"`
const expectUnauthorized = (answer: Answer, sent = true): void => {
  expect(refusals(answer)).toEqual(['401 unauthorized'])
  expect(answer.headers['www-authenticate']).toBe(
    sent ? `${challenge()}, error="invalid_token"` : challenge(),
  )
}

/** A key that was taken and ends soon after that: as soon as a machine that is late allows. */
const keyThatEnds = async (lifeMs = 250): Promise<{ secret: string; expiresAt: Date }> => {
  const expiresAt = new Date(Date.now() + lifeMs)
  const { secret } = await app.apiKey({ userId: app.owner.userId, expiresAt })
  const answer = await asked(`Bearer ${secret}`)
  if (answer.status === 401 && lifeMs < 8_000) return keyThatEnds(2 * lifeMs)
  resourceOf(answer)
  return { secret, expiresAt }
}

/** Signed by nobody. */
const JWT = [{ alg: 'none', typ: 'JWT' }, { sub: 'ada', scope: 'api:write', exp: 4_102_444_800 }, '']
  .map((part) => (part === '' ? '' : Buffer.from(JSON.stringify(part)).toString('base64url')))
  .join('.')

describe('401 unauthorized', () => {
  it('for every malformed header, with one and the same body', async () => {
    const { key } = app.owner
    const first = await asked(undefined)
    for (const header of [
      undefined,
      '',
      ' ',
      'Bearer',
      'Bearer ',
      'Bearer    ',
      'bearer',
      key,
      `Bearer${key}`,
      `Basic ${Buffer.from(`x:${key}`).toString('base64')}`,
      `Digest ${key}`,
      `Token ${key}`,
      `Bearer ${key} ${key}`,
      `Bearer ${key},`,
      `Bearer "${key}"`,
      `Bearer ${key}x`,
      `Bearer ${key.slice(0, -1)}`,
      `Bearer ${key.toLowerCase()}`,
      `Bearer\t${key}`,
      `Bearer ${'x'.repeat(8_000)}`,
      'Bearer \u00e9\u00e8',
      'Bearer null',
      'Bearer %00',
      `Bearer ${JWT}`,
    ]) {
      const answer = await asked(header)
      expectUnauthorized(answer, /^bearer +[^ ]/i.test(header ?? ''))
      expect(withoutIds(answer)).toEqual(withoutIds(first))
    }
  })

  it('for a wrong checksum and for a well-formed key nobody has', async () => {
    const { key } = app.owner
    expectUnauthorized(await asked(`Bearer ${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`))
    expectUnauthorized(await asked(`Bearer ${makeApiKeySecret().secret}`))
  })

  it('for an expired key, and once a key expires', async () => {
    const { userId } = app.owner
    const gone = await app.apiKey({ userId, expiresAt: new Date(Date.now() - 1_000) })
    expectUnauthorized(await asked(`Bearer ${gone.secret}`))
    const { secret, expiresAt } = await keyThatEnds()
    await eventually(async () => ((await asked(`Bearer ${secret}`)).status === 401 ? true : undefined))
    expect(Date.now()).toBeGreaterThanOrEqual(expiresAt.getTime() - 50)
  })

  it('for a key as soon as it is revoked', async () => {
    const { id, secret } = await app.apiKey({ userId: app.owner.userId })
    resourceOf(await asked(`Bearer ${secret}`))
    await app.query('UPDATE api_keys SET revoked_at = pharos_now() WHERE id = $1', [id])
    expectUnauthorized(
      await eventually(async () => {
        const answer = await asked(`Bearer ${secret}`)
        return answer.status === 401 ? answer : undefined
      }),
    )
    resourceOf(await asked(`Bearer ${app.owner.key}`))
  })

  it('for an access token that is revoked or has expired, or whose account is disabled', async () => {
    const { userId } = await app.account('grace')
    const [revoked, expired, disabled] = await Promise.all([
      accessToken(app, { userId, scopes: ['api:read'] }),
      accessToken(app, { userId, scopes: ['api:read'], lifetimeMs: -1 }),
      accessToken(app, { userId, scopes: ['api:read'] }),
    ])
    expectUnauthorized(await asked(`Bearer ${expired.token}`))
    for (const [{ token }, end] of [
      [revoked, () => revokeGrant(app, revoked.grantId)],
      [disabled, () => app.query('UPDATE users SET disabled_at = pharos_now() WHERE id = $1', [userId])],
    ] as const) {
      expect(resourceOf(await asked(`Bearer ${token}`)).id).toBe(userId)
      await end()
      await eventually(async () => ((await asked(`Bearer ${token}`)).status === 401 ? true : undefined))
    }
  })

  it('on every route, also on those that are not there', async () => {
    for (const [method, path] of [
      ['GET', '/api/json'],
      ['GET', '/api/json/'],
      ['GET', '/api/json/nothing'],
      ['GET', '/api/json/beacons'],
      ['GET', '/api/json/beacons/latest'],
      ['GET', '/api/json/beacons/x'],
      ['GET', '/api/json/beacons/by-hash/x'],
      ['GET', '/api/json/items'],
      ['POST', '/api/json/items'],
      ['GET', '/api/json/items/x'],
      ['PATCH', '/api/json/items/x'],
      ['DELETE', '/api/json/items/x'],
      ['GET', '/api/json/blocks'],
      ['GET', '/api/json/teams'],
      ['GET', '/api/json/users/me'],
      ['PUT', '/api/json/users/me'],
    ])
      expectUnauthorized(await asked(undefined, path, method), false)
  })
})

describe('a valid credential', () => {
  it('is taken whatever the case of the scheme and the spaces around it', async () => {
    for (const header of [
      `Bearer ${app.owner.key}`,
      `bearer   ${app.owner.key}  `,
      `BEARER ${app.owner.key}`,
    ])
      expect(resourceOf(await asked(header)).id).toBe(app.owner.userId)
  })
})
