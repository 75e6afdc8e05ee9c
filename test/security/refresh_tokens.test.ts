// Refresh tokens that somebody else has, too: whoever uses one a second time ends the whole family (RFC 9700 section
// 4.14.2), but for the seconds in which a client may repeat itself.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../support/app.ts'
import { registerTestClient } from '../support/oauth.ts'
import {
  allow,
  askToken,
  authorize,
  CONSOLE,
  codeExchange,
  consoleTokens,
  form,
  openScene,
  otherPerson,
  postForm,
  refreshing,
  type Scene,
  statusWith,
  type TokenAnswer,
} from './scene.ts'

let scene: Scene
let beside: TestApp
beforeAll(async () => {
  scene = await openScene()
  beside = await openTestApp({ beside: scene.app, baseUrl: scene.app.base })
})
afterAll(async () => {
  await beside.close()
  await scene.app.close()
})

const refresh = (refresh_token: string, at: Pick<TestApp, 'port'> = scene.app) =>
  askToken(at, refreshing(scene, refresh_token))

/** As if the token had been used longer ago than a client may repeat itself. */
const usedBefore = ({ refresh_token }: TokenAnswer, seconds = 11) =>
  scene.app.query(
    `UPDATE oauth_tickets SET consumed_at = consumed_at - $2 * interval '1 second'
      WHERE kind = 'refresh_token' AND id_hash = sha256($1::text::bytea) RETURNING 1`,
    [refresh_token, seconds],
  )

/** Nothing that came from the sign-in is worth anything, at any server. */
async function expectFamilyEnded(family: readonly TokenAnswer[]): Promise<void> {
  for (const { access_token, refresh_token } of family) {
    for (const at of [scene.app, beside])
      if (access_token !== '') await expect.poll(() => statusWith(at, access_token)).toBe(401)
    if (refresh_token !== '') expect((await refresh(refresh_token)).error).toBe('invalid_grant')
  }
}

describe('a stolen refresh token', () => {
  it('that its thief uses first ends with the owner’s next use', async () => {
    const owner = await allow(scene)
    const thief = await refresh(owner.refresh_token, beside)
    expect(await statusWith(beside, thief.access_token)).toBe(200)
    await usedBefore(owner)
    expect(await refresh(owner.refresh_token)).toMatchObject({ status: 400, error: 'invalid_grant' })
    await expectFamilyEnded([owner, thief])
  })

  it('that its owner used already ends with the thief’s use, and so does what the owner has', async () => {
    const owner = await allow(scene)
    const renewed = await refresh(owner.refresh_token)
    const again = await refresh(renewed.refresh_token)
    expect(again.refresh_token).not.toBe(renewed.refresh_token)
    expect(again.access_token).not.toBe(renewed.access_token)
    await usedBefore(owner)
    expect(await refresh(owner.refresh_token, beside)).toMatchObject({ error: 'invalid_grant' })
    await expectFamilyEnded([owner, renewed, again])
  })

  it('is noticed however often its thief has refreshed since, and a client that does it all the time is ended', async () => {
    const owner = await allow(scene)
    const thief = await refresh(owner.refresh_token)
    await rotateOften(owner, 150)
    const later = await refresh(thief.refresh_token)
    expect(later.status).toBe(200)
    await usedBefore(owner)
    expect((await refresh(owner.refresh_token)).error).toBe('invalid_grant')
    await expectFamilyEnded([owner, thief, later])
    const busy = await allow(scene)
    await rotateOften(busy, 5_001)
    expect((await refresh(busy.refresh_token)).error).toBe('invalid_grant')
    await expectFamilyEnded([busy])
  })

  it('that both use at the same time, on two servers, has one next token, whose second use ends it all', async () => {
    for (let round = 0; round < 3; round += 1) {
      const owner = await allow(scene)
      const answers = await Promise.all([
        refresh(owner.refresh_token),
        refresh(owner.refresh_token, beside),
        refresh(owner.refresh_token),
      ])
      const [next, ...others] = answers
      if (next === undefined) throw new Error('no answer')
      for (const { refresh_token } of others) expect(refresh_token).toBe(next.refresh_token)
      for (const { access_token } of answers) expect(await statusWith(beside, access_token)).toBe(200)
      const last = await refresh(next.refresh_token, beside)
      await usedBefore(next)
      expect((await refresh(next.refresh_token)).error).toBe('invalid_grant')
      await expectFamilyEnded([owner, ...answers, last])
    }
  })

  it('cannot be repeated for longer by repeating it, nor after the clock was set back by an hour', async () => {
    const owner = await allow(scene)
    const next = await refresh(owner.refresh_token)
    await usedBefore(owner, 6)
    expect((await refresh(owner.refresh_token)).refresh_token).toBe(next.refresh_token)
    await usedBefore(owner, 6)
    expect((await refresh(owner.refresh_token)).error).toBe('invalid_grant')
    const other = await allow(scene)
    await refresh(other.refresh_token)
    await usedBefore(other, -3_600)
    expect((await refresh(other.refresh_token)).error).toBe('invalid_grant')
  })

  it('is useless to another client, and is not ended by its tries', async () => {
    const owner = await allow(scene)
    const other = await registerTestClient(scene.server)
    for (const client_id of [other.client_id, 'console'])
      expect(
        await askToken(scene.app, { ...refreshing(scene, owner.refresh_token), client_id }),
      ).toMatchObject({
        status: 400,
        error: 'invalid_grant',
      })
    const revoked = await postForm(
      scene.app.port,
      '/oauth/revoke',
      form({ token: owner.refresh_token, client_id: other.client_id }),
    )
    // Whether or not there is such a token, as RFC 7009 section 2.2 says.
    expect([200, 400]).toContain(revoked.status)
    expect(await statusWith(scene.app, owner.access_token)).toBe(200)
    expect((await refresh(owner.refresh_token)).status).toBe(200)
  })

  it('is no access token, and an access token no refresh token', async () => {
    const tokens = await allow(scene)
    expect(await statusWith(scene.app, tokens.refresh_token)).toBe(401)
    expect((await refresh(tokens.access_token)).error).toBe('invalid_grant')
    expect((await refresh(tokens.refresh_token)).status).toBe(200)
  })
})

describe('a refresh', () => {
  it('gives no scope that the person did not agree to, and no other resource', async () => {
    const reader = await allow(scene, { scope: 'api:read' })
    const asked = refreshing(scene, reader.refresh_token)
    for (const scope of ['api:read api:write', 'api:write', 'account', 'mcp:read', 'console:read', 'openid'])
      expect(await askToken(scene.app, { ...asked, scope })).toMatchObject({
        status: 400,
        error: 'invalid_scope',
      })
    const other = await askToken(scene.app, { ...asked, resource: `${scene.app.base}/mcp` })
    expect([other.status, other.access_token]).toEqual([400, ''])
    const after = await allow(scene, { scope: 'api:read' })
    expect((await refresh(after.refresh_token)).scope).toBe('api:read')
  })

  it('of a narrow token stays narrow after the same application was allowed more', async () => {
    const narrow = await allow(scene, { scope: 'api:read' })
    const wide = await allow(scene, { scope: 'api:read api:write' })
    expect(wide.scope).toBe('api:read api:write')
    const renewed = await refresh(narrow.refresh_token)
    expect(renewed.scope).toBe('api:read')
    expect(
      (await askToken(scene.app, { ...refreshing(scene, renewed.refresh_token), scope: 'api:write' })).error,
    ).toBe('invalid_scope')
  })

  it('asks for nothing at the code exchange that was not in the request', async () => {
    const authorized = await authorize(scene, { scope: 'api:read' })
    const tokens = await askToken(scene.app, {
      ...codeExchange(scene, authorized),
      scope: 'api:read api:write account',
    })
    expect(tokens.scope).toBe('api:read')
  })

  it('is over when the person is gone, changed the password or took the grant back', async () => {
    const ends = [
      'UPDATE users SET disabled_at = pharos_now() WHERE id = $1',
      'DELETE FROM oauth_grants WHERE user_id = $1',
    ]
    for (const [at, end] of ends.entries()) {
      const person = await otherPerson(scene, `refreshes-no-more-${at}`)
      const tokens = await allow({ ...scene, ...person })
      await scene.app.query(end, [person.account.userId])
      expect(await refresh(tokens.refresh_token)).toMatchObject({ status: 400, error: 'invalid_grant' })
      await expect.poll(() => statusWith(beside, tokens.access_token)).toBe(401)
    }
  })

  it('of the console ends with the session, while applications go on', async () => {
    const person = await otherPerson(scene, 'signs-out-of-the-console')
    const application = await allow({ ...scene, ...person })
    const own = await consoleTokens({ ...scene, ...person }, { scope: 'api:read account' })
    expect(own.scope).toContain('account')
    expect((await person.browser.post(`${scene.app.base}/oauth/sign-out`, {})).status).toBe(204)
    expect((await askToken(scene.app, refreshing({ client: CONSOLE }, own.refresh_token))).error).toBe(
      'invalid_grant',
    )
    await expect.poll(() => statusWith(beside, own.access_token)).toBe(401)
    expect(await statusWith(beside, application.access_token)).toBe(200)
    expect((await refresh(application.refresh_token)).status).toBe(200)
  })
})

/** As if so many refresh tokens of the family had been used by now. */
const rotateOften = async ({ refresh_token }: TokenAnswer, times: number): Promise<void> => {
  await scene.app.query(
    `INSERT INTO oauth_tickets (kind, id_hash, grant_id, payload, consumed_at, expires_at)
     SELECT t.kind, sha256(n::text::bytea || t.id_hash), t.grant_id, t.payload, pharos_now(), t.expires_at
       FROM oauth_tickets t, generate_series(1, $2) AS n
      WHERE t.kind = 'refresh_token' AND t.id_hash = sha256($1::text::bytea)`,
    [refresh_token, times],
  )
}
