// The console's pages about the account in a real browser, against the real service: keys, teams and members.
import { describe, expect, it } from 'vitest'
import { consoleTab } from '../support/console_tab.ts'
import { ask } from '../support/http.ts'
import { allowClient, TEST_PASSWORD } from '../support/oauth.ts'
import { testApp } from '../support/test_app.ts'

const app = testApp()
const { page, openTab, picture } = consoleTab(app, { keyOf: 'owner' })

const rows = (id: string) => () => page().getByTestId(id).allInnerTexts()
const text = (id: string) => () => page().getByTestId(id).first().innerText()

const works = async (key: string) => (await ask(app.port, '/api/json/users/me', { key })).status

describe('the pages about the account', () => {
  it('make a key whose secret is shown once, and revoke it', async () => {
    await page().goto('/account/keys')
    await expect.poll(rows('key-row')).toEqual([expect.stringMatching(/test\nsigned in with it here/)])
    await page().getByTestId('make-key').click()
    await expect.poll(text('field-problem')).toMatch(/what it is for/)
    await page().getByTestId('key-name').fill('Nightly job')
    await page().getByTestId('key-life').selectOption('30')
    await picture('keys')
    await page().getByTestId('make-key').click()
    const secret = await page().getByTestId('secret-once').innerText()
    await expect.poll(rows('key-row')).toHaveLength(2)
    await picture('key_made')
    // On a phone it stands before the keys that there are.
    const size = page().viewportSize()
    await page().setViewportSize({ width: 320, height: 700 })
    const top = (id: string) =>
      page()
        .getByTestId(id)
        .first()
        .evaluate((one) => one.getBoundingClientRect().top)
    expect(await top('secret-once')).toBeLessThan(await top('key-row'))
    if (size !== null) await page().setViewportSize(size)
    expect(await works(secret)).toBe(200)
    await page().getByTestId('secret-done').click()
    expect(await page().content()).not.toContain(secret)
    expect((await rows('key-row')())[0]).toMatch(
      /^Nightly job\nphk_\w+…\n\nNot used yet.*Expires in (29 d 23|30 d 0) h/s,
    )

    await page().getByRole('button', { name: 'Revoke Nightly job' }).click()
    await page().getByTestId('revoke-key-sure').waitFor()
    await picture('key_revoke')
    await page().getByTestId('revoke-key-sure').click()
    await expect.poll(async () => (await rows('key-row')())[0]).toMatch(/revoked.*Revoked just now/s)
    expect(await works(secret)).toBe(401)
    expect(await page().evaluate(() => document.activeElement?.tagName)).toBe('MAIN')
    await picture('keys_revoked')
  })

  it('make a team, invite, change roles, and let members go', async () => {
    const grace = await app.account('grace')
    await page().goto('/account/teams')
    await expect.poll(rows('team-row')).toHaveLength(1)
    await page().getByTestId('team-name').fill('Analytical engines')
    await picture('teams')
    await page().getByTestId('save-team').click()
    await page().getByTestId('invite-email').fill('not an address')
    await page().getByTestId('invite').click()
    await expect.poll(text('field-problem')).toMatch(/not an e-mail address/)
    await page().getByTestId('invite-email').fill('grace@example.com')
    await page().getByTestId('invite').click()
    const first = await page().getByTestId('secret-once').innerText()
    await expect
      .poll(rows('member-row'))
      .toContainEqual(expect.stringMatching(/^grace@example\.com\s*invited/))
    await picture('team_invited')
    await page().getByTestId('secret-done').click()
    await page().getByTestId('reissue').click()
    await expect.poll(text('secret-once')).not.toBe(first)
    const link = await page().getByTestId('secret-once').innerText()
    expect(link).toContain('#token=')
    await page().getByTestId('secret-done').click()

    const token = new URL(link).hash.slice('#token='.length)
    const accepted = await ask(app.port, '/api/json/memberships/accept', {
      key: grace.key,
      body: { json: { data: { token } } },
    })
    expect(accepted.status).toBeLessThan(300)
    await page().reload()
    const graces = page().getByTestId('member-row').filter({ hasText: 'grace' })
    await graces.getByTestId('member-role').selectOption('viewer')
    await graces.getByTestId('save-role').click()
    await expect
      .poll(() =>
        app.query('SELECT role FROM memberships WHERE user_id = $1 AND role = $2', [grace.userId, 'viewer']),
      )
      .toHaveLength(1)
    await expect.poll(() => graces.getByTestId('save-role').count()).toBe(0)
    await picture('team')

    // Without a name it is its id.
    await app.query(`UPDATE users SET first_name = '', last_name = '' WHERE id = $1`, [grace.userId])
    await page().reload()
    const nameless = page().getByTestId('member-row').filter({ hasText: grace.userId })
    expect(await nameless.innerText()).toMatch(/^No name given/)
    expect(await nameless.getByTestId('member-role').getAttribute('aria-label')).toBe(
      `Role of ${grace.userId}`,
    )
    await nameless.getByRole('button', { name: `Remove ${grace.userId}` }).click()
    await expect.poll(() => page().getByTestId('confirm').innerText()).toContain(grace.userId)
    await page().getByRole('button', { name: 'Keep' }).click()

    // The only owner stays.
    const adas = page().getByTestId('member-row').filter({ hasText: 'you' })
    await adas.getByTestId('end-membership').click()
    await page().getByTestId('end-membership-sure').click()
    await expect.poll(() => page().getByTestId('confirm').innerText()).toMatch(/always keeps one owner/)
    await page().getByRole('button', { name: 'Stay' }).click()

    const address = new URL(page().url()).pathname
    const hers = await openTab({ account: grace })
    await hers.goto(address)
    await expect.poll(() => hers.getByTestId('member-row').allInnerTexts()).toHaveLength(2)
    expect(await hers.getByTestId('invite').count()).toBe(0)
    await hers.getByTestId('end-membership').click()
    await hers.getByTestId('end-membership-sure').click()
    await expect.poll(() => new URL(hers.url()).pathname).toBe('/account/teams')
    await page().reload()
    await expect.poll(rows('member-row')).toHaveLength(1)
  })

  it('end sessions and what applications may do, and change the password', async () => {
    const { tokens } = await allowClient(app, { account: app.owner })
    expect(await works(tokens.access_token)).toBe(200)
    await page().goto('/account/applications')
    await expect
      .poll(rows('application-row'))
      .toEqual([expect.stringMatching(/A test client\s+client\.example\s+May read what you may read/)])
    await picture('applications')
    await page().getByTestId('revoke-application').click()
    await page().getByTestId('revoke-application-sure').click()
    await page().getByTestId('no-applications').waitFor()
    expect(await works(tokens.access_token)).toBe(401)

    await page().goto('/account/sessions')
    await expect.poll(rows('session-row')).toHaveLength(1)
    await picture('sessions')
    await page().getByTestId('end-others').click()
    await page().getByTestId('end-others-sure').click()
    await page().getByTestId('no-sessions').waitFor()

    await page().getByRole('link', { name: 'Password' }).click()
    await page().getByTestId('current-password').fill('not the password')
    await page().getByTestId('new-password').fill('staple lantern harbour')
    await page().getByTestId('change-password').click()
    await expect.poll(text('field-problem')).toMatch(/not the current password/)
    expect(await page().evaluate(() => document.activeElement?.getAttribute('data-testid'))).toBe(
      'current-password',
    )
    await picture('password_refused')
    await page().getByTestId('current-password').fill(TEST_PASSWORD)
    await page().getByTestId('change-password').click()
    await expect.poll(text('form-outcome')).toMatch(/Changed/)
  })
})
