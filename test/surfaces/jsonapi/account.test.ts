// Users and API keys: what each person sees of the others, and a secret that is shown once.
import { beforeAll, describe, expect, it } from 'vitest'
import { makePasswordReset } from '../../../server/domain/accounts/new_password.ts'
import { accessToken } from '../../support/access_token.ts'
import { openTestApp, type TestAccount } from '../../support/app.ts'
import { openBrowserJar } from '../../support/browser_jar.ts'
import { ask, eventually } from '../../support/http.ts'
import { testApp } from '../../support/test_app.ts'
import { pageOf, refusals, resourceOf, withoutIds } from './documents.ts'
import { itemBody } from './item_documents.ts'

const app = testApp()
let colleague: TestAccount
let stranger: TestAccount
let team = ''
beforeAll(async () => {
  colleague = await app.account('grace')
  stranger = await app.account('mallory')
  team = await app.team(app.owner)
  await app.join(team, colleague.userId, 'viewer')
})

const call = (by: { key: string }, method: string, path: string, body?: object, port = app.port) =>
  ask(port, `/api/json/${path}`, {
    key: by.key,
    method,
    ...(body === undefined ? {} : { body: { json: body } }),
  })
const change = (by: TestAccount, id: string, attributes: object) =>
  call(by, 'PATCH', `users/${id}`, { data: { type: 'user', attributes } })

describe('users', () => {
  it('show themselves everything, colleagues a name, and strangers nothing', async () => {
    expect(
      Object.keys(resourceOf(await call(app.owner, 'GET', `users/${app.owner.userId}`)).attributes),
    ).toEqual([
      'first_name',
      'last_name',
      'full_name',
      'email',
      'plan',
      'default_team_id',
      'inserted_at',
      'updated_at',
    ])
    expect(resourceOf(await call(app.owner, 'GET', `users/${colleague.userId}`)).attributes).toEqual({
      first_name: 'grace',
      last_name: '',
      full_name: 'grace',
      inserted_at: expect.any(String),
      updated_at: expect.any(String),
    })
    const foreign = await call(app.owner, 'GET', `users/${stranger.userId}`)
    expect(refusals(foreign)).toEqual(['404 not_found'])
    for (const id of ['01a2ce8e-9320-7630-bb7f-73edc8868b1d', 'x', team])
      expect(withoutIds(await call(app.owner, 'GET', `users/${id}`))).toEqual(withoutIds(foreign))
    const listed = pageOf(await call(app.owner, 'GET', 'users?page[count]=true'))
    expect([listed.data.map(({ id }) => id).toSorted(), listed.meta.page.total]).toEqual([
      [app.owner.userId, colleague.userId].toSorted(),
      2,
    ])
    expect(pageOf(await call(stranger, 'GET', 'users')).data.map(({ id }) => id)).toEqual([stranger.userId])
  })

  it('change themselves alone', async () => {
    const last_name = 'Lovelace'
    expect(resourceOf(await change(app.owner, app.owner.userId, { last_name })).attributes).toMatchObject({
      first_name: 'ada',
      last_name,
      full_name: 'ada Lovelace',
    })
    expect(refusals(await change(app.owner, colleague.userId, { last_name }))).toEqual(['403 forbidden'])
    expect(refusals(await change(app.owner, stranger.userId, { last_name }))).toEqual(['404 not_found'])
    expect(refusals(await change(app.owner, 'me', { last_name }))).toEqual(['405 method_not_allowed'])
    const wrong = { email: 'x@y', plan: 'enterprise', full_name: 'x', first_name: 'x'.repeat(101) }
    expect(refusals(await change(app.owner, app.owner.userId, wrong))).toEqual([
      '400 invalid_attribute /data/attributes/first_name',
      '400 invalid_body /data/attributes/email',
      '400 invalid_body /data/attributes/full_name',
      '400 invalid_body /data/attributes/plan',
    ])
  })

  it('are called by the names they have; without any, by the name in their address, which others do not see', async () => {
    const nameOf = async (by: TestAccount) =>
      resourceOf(await call(by, 'GET', `users/${colleague.userId}`)).attributes.full_name
    const name = (first_name: string, last_name: string) =>
      change(colleague, colleague.userId, { first_name, last_name })
    for (const [first, last, toOthers, toThemselves] of [
      ['Grace', 'Hopper', 'Grace Hopper', 'Grace Hopper'],
      ['Grace', '', 'Grace', 'Grace'],
      ['', ' Hopper ', 'Hopper', 'Hopper'],
      ['', ' ', '', 'grace'],
    ] as const) {
      resourceOf(await name(first, last))
      expect([await nameOf(app.owner), await nameOf(colleague)]).toEqual([toOthers, toThemselves])
    }
  })

  it('choose a default team among their own; requests without a tenant use it while they may write there', async () => {
    const teamOf = async (by: TestAccount) =>
      resourceOf(await ask(app.port, '/api/json/items', { key: by.key, body: itemBody() }), 201).attributes
        .team_id
    for (const id of [stranger.teamId, '01a2ce8e-9320-7630-bb7f-73edc8868b1d'])
      expect(
        refusals(await change(app.owner, app.owner.userId, { default_team_id: id, first_name: 'not' })),
      ).toEqual(['400 invalid_attribute /data/attributes/default_team_id'])
    expect(resourceOf(await call(app.owner, 'GET', 'users/me')).attributes.first_name).not.toBe('not')
    resourceOf(await change(app.owner, app.owner.userId, { default_team_id: team }))
    expect(await teamOf(app.owner)).toBe(team)
    resourceOf(await change(colleague, colleague.userId, { default_team_id: team }))
    expect(await teamOf(colleague)).toBe(colleague.teamId)
    const back = resourceOf(await change(app.owner, app.owner.userId, { default_team_id: null }))
    expect(back.attributes.default_team_id).toBeNull()
    expect(await teamOf(app.owner)).toBe(app.owner.teamId)
  })
})

describe('the password', () => {
  const password = (by: { key: string }, data: object) => call(by, 'POST', 'users/me/password', { data })
  const current_password = 'correct horse battery'
  const new_password = 'staple lantern harbour'

  it('is changed by its person, who stays signed in while every other sign-in ends', async () => {
    const person = await app.account('changes')
    const token = await makePasswordReset(app.store.em(), person.userId)
    const page = openBrowserJar()
    const link = await page.get(`${app.base}/oauth/password-reset`)
    const opened = await page.submit(link, '/password-reset', { token })
    await page.submit(opened, '/choose', { new_password: current_password })
    const given = { userId: person.userId, scopes: ['account', 'api:read'], clientId: 'console' } as const
    const [here, elsewhere] = [await accessToken(app, given), await accessToken(app, given)]
    const changed = await password({ key: here.token }, { current_password, new_password })
    expect(changed.json()).toEqual({ result: { password_changed_at: expect.any(String) } })
    await expect.poll(async () => (await call({ key: elsewhere.token }, 'GET', 'users/me')).status).toBe(401)
    expect((await call({ key: here.token }, 'GET', 'users/me')).status).toBe(200)
    expect((await call(person, 'GET', 'users/me')).status).toBe(200)
  })

  it('is asked for, so that whoever finds a credential cannot lock its person out', async () => {
    const wrong = await password(app.owner, { current_password, new_password })
    expect(wrong.status).toBe(400)
    expect(refusals(wrong)).toEqual(['400 invalid_argument /data/current_password'])
    expect(wrong.text).not.toContain(current_password)
  })
})

describe('api keys', () => {
  const make = async (by: TestAccount, attributes: object = { name: 'ci' }) => {
    const answer = await call(by, 'POST', 'api-keys', { data: { type: 'api_key', attributes } })
    expect(answer.status, answer.text).toBe(201)
    const { data, meta } = answer.json() as {
      data: { id: string; attributes: Record<string, unknown> }
      meta: { secret: string }
    }
    return { answer, data, secret: meta.secret }
  }

  it('show their secret once, in meta, and nowhere else', async () => {
    const { answer, data, secret } = await make(app.owner)
    expect(secret).toMatch(/^phk_[0-9A-Za-z]{49}$/)
    expect(answer.text.split(secret)).toHaveLength(2)
    expect(data.attributes).toMatchObject({ name: 'ci', prefix: secret.slice(0, 12), revoked_at: null })
    for (const path of [`api-keys/${data.id}`, 'api-keys', `api-keys/${data.id}?fields[api_key]=prefix`])
      expect((await call(app.owner, 'GET', path)).text).not.toContain(secret.slice(12))
    expect(
      await app.query('SELECT 1 FROM api_keys k WHERE k::text LIKE $1', [`%${secret.slice(12)}%`]),
    ).toEqual([])
    expect(JSON.stringify(app.logged)).not.toContain(secret.slice(12))
    expect(resourceOf(await call({ key: secret }, 'GET', 'users/me')).id).toBe(app.owner.userId)
  })

  it('are refused once revoked: here at once, on another server promptly; and stay listed', async () => {
    const beside = await openTestApp({ beside: app })
    try {
      const { data, secret } = await make(app.owner)
      const here = () => call({ key: secret }, 'GET', 'users/me')
      const there = () => call({ key: secret }, 'GET', 'users/me', undefined, beside.port)
      for (let n = 0; n < 3; n += 1)
        expect([(await here()).status, (await there()).status]).toEqual([200, 200])
      const revoked = resourceOf(await call(app.owner, 'DELETE', `api-keys/${data.id}`))
      expect(revoked.attributes.revoked_at).toEqual(expect.any(String))
      expect((await here()).status).toBe(401)
      await eventually(async () => ((await there()).status === 401 ? true : undefined), 4_500)
      expect(resourceOf(await call(app.owner, 'DELETE', `api-keys/${data.id}`))).toEqual(revoked)
      expect(pageOf(await call(app.owner, 'GET', 'api-keys')).data.map(({ id }) => id)).toContain(data.id)
    } finally {
      await beside.close()
    }
  })

  it('may revoke themselves', async () => {
    const { data, secret } = await make(app.owner)
    resourceOf(await call({ key: secret }, 'DELETE', `api-keys/${data.id}`))
    expect((await call({ key: secret }, 'GET', 'users/me')).status).toBe(401)
  })

  it('are each account’s own', async () => {
    const { data } = await make(app.owner)
    const answers = [
      await call(colleague, 'GET', `api-keys/${data.id}`),
      await call(colleague, 'DELETE', `api-keys/${data.id}`),
      await call(colleague, 'DELETE', 'api-keys/x'),
    ]
    for (const answer of answers) expect(refusals(answer)).toEqual(['404 not_found'])
    expect(pageOf(await call(colleague, 'GET', 'api-keys')).data.map(({ id }) => id)).not.toContain(data.id)
  })

  it('expire by themselves, in the future only', async () => {
    const { data } = await make(app.owner, { name: 'x', expires_at: '2040-01-01T00:00:00Z' })
    expect(data.attributes.expires_at).toBe('2040-01-01T00:00:00.000Z')
    for (const expires_at of ['2001-01-01T00:00:00Z', 'soon', '9999-12-31T23:59:59-23:59', null])
      expect(
        refusals(
          await call(app.owner, 'POST', 'api-keys', {
            data: { type: 'api_key', attributes: { name: 'x', expires_at } },
          }),
        ),
      ).toEqual(['400 invalid_attribute /data/attributes/expires_at'])
  })
})
