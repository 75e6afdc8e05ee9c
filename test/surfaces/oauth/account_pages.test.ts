// The pages of one-time links: whoever holds a link learns what it is for, and uses it once.
import { describe, expect, it } from 'vitest'
import { inviteMember } from '../../../server/domain/accounts/invite_member.ts'
import { makePasswordReset, withdrawPasswordReset } from '../../../server/domain/accounts/new_password.ts'
import { oneTimeLink } from '../../../server/domain/accounts/one_time_link.ts'
import { newUuid7 } from '../../../server/kernel/identifiers.ts'
import { accessToken } from '../../support/access_token.ts'
import { type BrowserJar, openBrowserJar, type Page } from '../../support/browser_jar.ts'
import { ask } from '../../support/http.ts'
import { testApp } from '../../support/test_app.ts'

const PASSWORD = 'correct horse battery'
const ANOTHER = 'staple lantern harbour'

const app = testApp()

const em = () => app.store.em()
const newAddress = () => `${newUuid7()}@example.com`

/** Opens a link as a person does, with a script or without one. */
const openLink = async (link: string, browser: BrowserJar = openBrowserJar()) => {
  const [address = '', token = ''] = link.split('#token=')
  const page = await browser.submit(await browser.get(address), new URL(address).pathname, { token })
  return { browser, page, token }
}

const resetLink = async (userId: string) =>
  oneTimeLink(app.base, 'password_reset', await makePasswordReset(em(), userId))

const choose = async (link: string, new_password: string) => {
  const { browser, page } = await openLink(link)
  return browser.submit(page, '/choose', { new_password })
}

const invite = async (email = newAddress(), role: 'member' | 'owner' = 'member') => {
  const teamId = await app.team(app.owner)
  await app.query(`UPDATE teams SET name = '<Keepers>' WHERE id = $1`, [teamId])
  const { token } = await inviteMember(em(), app.owner.userId, { teamId, email, role })
  return { teamId, email, link: oneTimeLink(app.base, 'invitation', token) }
}

const membersOf = async (teamId: string) =>
  (
    await app.query<{ email: string }>(
      `SELECT u.email FROM memberships m JOIN users u ON u.id = m.user_id
        WHERE m.team_id = $1 AND u.id <> $2`,
      [teamId, app.owner.userId],
    )
  ).map(({ email }) => email)

const withPassword = async (name: string) => {
  const account = await app.account(name)
  expect((await choose(await resetLink(account.userId), PASSWORD)).status).toBe(200)
  return { ...account, email: `${name}@example.com` }
}

const expectSpent = (page: Page) => {
  expect(page.status).toBe(404)
  expect(page.text).toContain('This link does not work')
}

describe('every answer', () => {
  it('is never cached, loads nothing but our own files, and tells other sites nothing', async () => {
    const { headers } = await openBrowserJar().get(`${app.base}/oauth/invitation`)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('referrer-policy')).toBe('same-origin')
    expect(headers.get('content-security-policy')?.split('; ').sort()).toEqual([
      "base-uri 'none'",
      "connect-src 'none'",
      "default-src 'none'",
      "font-src 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "img-src 'self'",
      "manifest-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
    ])
  })

  it('of another method names those that there are', async () => {
    const answer = await ask(app.port, '/oauth/sign-out')
    expect([answer.status, answer.headers.allow]).toEqual([405, 'POST'])
  })
})

describe('a link for a password', () => {
  it('names the account, sets its password once, and ends what was signed in', async () => {
    const account = await app.account('reset-once')
    const { grantId } = await accessToken(app, { userId: account.userId, scopes: ['api:read'] })
    const link = await resetLink(account.userId)
    const { browser, page } = await openLink(link)
    expect(page.text).toContain('reset-once@example.com')
    expect((await browser.submit(page, '/choose', { new_password: PASSWORD })).text).toContain('is set')
    expectSpent(await browser.submit(page, '/choose', { new_password: ANOTHER }))
    expectSpent((await openLink(link)).page)
    expect(await app.query('SELECT 1 FROM oauth_grants WHERE id = $1', [grantId])).toEqual([])
    expect((await ask(app.port, '/api/json/users/me', { key: account.key })).status).toBe(200)
  })

  it('stays good after a password that is refused, and says why', async () => {
    const { userId } = await app.account('reset-twice')
    const { browser, page } = await openLink(await resetLink(userId))
    const refused = await browser.submit(page, '/choose', { new_password: 'too short' })
    expect(refused.status).toBe(400)
    expect(refused.text).toContain('The new password has at least 12 characters.')
    expect(refused.text).not.toContain('too short')
    expect((await browser.submit(refused, '/choose', { new_password: PASSWORD })).status).toBe(200)
  })

  it('is no use once it is withdrawn, replaced, expired, or its account disabled', async () => {
    const { userId } = await app.account('reset-ends')
    const withdrawn = await resetLink(userId)
    await withdrawPasswordReset(em(), userId)
    const replaced = await resetLink(userId)
    const expired = await resetLink(userId)
    await app.query('UPDATE password_resets SET expires_at = pharos_now() WHERE user_id = $1', [userId])
    for (const link of [withdrawn, replaced, expired]) expectSpent((await openLink(link)).page)
    const link = await resetLink(userId)
    const { browser, page } = await openLink(link)
    await app.query('UPDATE users SET disabled_at = pharos_now() WHERE id = $1', [userId])
    expectSpent(await browser.submit(page, '/choose', { new_password: PASSWORD }))
  })
})

describe('an invitation', () => {
  it('says nothing before its token was posted, and then who invites to which team', async () => {
    const { link, email } = await invite()
    const browser = openBrowserJar()
    expect((await browser.get(link)).text).not.toContain('Keepers')
    const { page } = await openLink(link, browser)
    expect(page.text).toContain(
      '<strong>ada</strong> invites you to the team <strong>&lt;Keepers&gt;</strong>',
    )
    expect(page.text).toContain(email)
  })

  it('makes an account for the invited address where sign-up is closed, and signs in', async () => {
    const { link, email, teamId } = await invite()
    const { browser, page } = await openLink(link)
    const names = { first_name: 'Grace', last_name: '' }
    const refused = await browser.submit(page, '/sign-up', { ...names, new_password: 'short' })
    expect(refused.status).toBe(400)
    expect(refused.text).toContain('value="Grace"')
    const done = await browser.submit(refused, '/sign-up', { ...names, new_password: PASSWORD })
    expect(done.text).toContain('You belong to &lt;Keepers&gt; now')
    expect(await membersOf(teamId)).toEqual([email])
    const next = await openLink((await invite()).link, browser)
    expect(next.page.text).toContain(`You are signed in as <strong>${email}</strong>`)
  })

  it('is accepted by signing in, whatever address the account has', async () => {
    const { email } = await withPassword('joins-by-password')
    const { link, teamId } = await invite()
    const { browser, page } = await openLink(link)
    const wrong = await browser.submit(page, '/sign-in', { email, password: ANOTHER })
    expect(wrong.status).toBe(401)
    expect(wrong.text).toContain('The e-mail address or the password is wrong.')
    await browser.submit(wrong, '/sign-in', { email, password: PASSWORD })
    expect(await membersOf(teamId)).toEqual([email])
  })

  it('is accepted by who is signed in, or by another account', async () => {
    const one = await withPassword('joins-signed-in')
    const other = await withPassword('joins-instead')
    const first = await invite()
    const { browser, page } = await openLink(first.link)
    await browser.submit(page, '/sign-in', { email: one.email, password: PASSWORD })
    const second = await invite()
    const accepted = await openLink(second.link, browser)
    await browser.submit(accepted.page, '/accept')
    expect(await membersOf(second.teamId)).toEqual([one.email])
    const third = await invite()
    const again = await openLink(third.link, browser)
    const signedOut = await browser.submit(again.page, '/other-account')
    await browser.submit(signedOut, '/sign-in', { email: other.email, password: PASSWORD })
    expect(await membersOf(third.teamId)).toEqual([other.email])
    expectSpent((await openLink(third.link)).page)
  })

  it('makes no account when it was withdrawn in the meantime, or its inviter is disabled', async () => {
    const withdrawn = await invite()
    const opened = await openLink(withdrawn.link)
    await app.query('DELETE FROM memberships WHERE team_id = $1 AND user_id IS NULL', [withdrawn.teamId])
    expectSpent(await opened.browser.submit(opened.page, '/sign-up', { new_password: PASSWORD }))
    const inviter = await app.account('inviter')
    const teamId = await app.team(inviter)
    const asked = { teamId, email: newAddress(), role: 'member' } as const
    const { token } = await inviteMember(em(), inviter.userId, asked)
    await app.query('UPDATE users SET disabled_at = pharos_now() WHERE id = $1', [inviter.userId])
    expectSpent((await openLink(oneTimeLink(app.base, 'invitation', token))).page)
    for (const email of [withdrawn.email, asked.email])
      expect(await app.query('SELECT 1 FROM users WHERE email = $1', [email])).toEqual([])
  })
})

describe('signing out', () => {
  it('ends the session in the database, and is done by our own pages only', async () => {
    const { email, userId } = await withPassword('signs-out')
    const { browser, page } = await openLink((await invite()).link)
    await browser.submit(page, '/sign-in', { email, password: PASSWORD })
    const sessions = () => app.query('SELECT id FROM oauth_sessions WHERE user_id = $1', [userId])
    const cookie = browser
      .cookies()
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ')
    const foreign = await ask(app.port, '/oauth/sign-out', {
      method: 'POST',
      headers: { cookie, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    })
    expect(foreign.status).toBe(403)
    expect(await sessions()).toHaveLength(1)
    expect((await browser.post(`${app.base}/oauth/sign-out`, {})).status).toBe(204)
    expect(await sessions()).toEqual([])
    expect(browser.cookies().map(({ name }) => name)).not.toContain('pharos_session')
  })
})

describe('the log', () => {
  it('tells who used a link, and holds no token and no password', async () => {
    const told = app.logged.map(({ msg }) => msg)
    expect(told).toContain('account.password_reset')
    expect(told).toContain('account.invitation_accepted')
    expect(told).toContain('account.created')
    const all = JSON.stringify(app.logged)
    const links = await app.query<{ hash: string }>(
      `SELECT encode(token_hash, 'hex') AS hash FROM invitations`,
    )
    for (const secret of [PASSWORD, ANOTHER, 'token=', ...links.map(({ hash }) => hash)])
      expect(all).not.toContain(secret)
  })
})
