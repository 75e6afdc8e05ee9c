// The console's pages about the account in a real browser, against the real service: keys, teams and members.
import { mkdirSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../support/app.ts'
import { complaintsOf, openBrowser } from '../support/browser.ts'
import { allowClient, TEST_PASSWORD } from '../support/oauth.ts'

let browser: Browser
let app: TestApp
let page: Page
let complaints: readonly string[]

beforeAll(async () => {
  browser = await openBrowser()
  app = await openTestApp()
}, 180_000)
afterAll(async () => {
  await browser?.close()
  await app?.close()
})
beforeEach(async () => {
  page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  complaints = complaintsOf(page)
})
afterEach(async () => {
  await page?.close()
  expect(complaints).toEqual([])
})

/** Machines are slow when they are busy; what is waited for comes at once when they are not. */
const soon = { timeout: 60_000 }

const rows = (id: string) => () => page.getByTestId(id).allInnerTexts()
const text = (id: string) => () => page.getByTestId(id).first().innerText()

const open = async (path: string, key = app.owner.key) => {
  await page.goto(`${app.base}${path}#key=${key}`)
}

const works = async (key: string) =>
  (await fetch(`${app.base}/api/json/users/me`, { headers: { authorization: `Bearer ${key}` } })).status

/** Pictures for people in both lights and two widths, when CONSOLE_PICTURES names a folder. */
const picture = async (name: string) => {
  const pictures = process.env.CONSOLE_PICTURES
  if (pictures === undefined) return
  mkdirSync(pictures, { recursive: true })
  const take = async (light: string, width: number) => {
    await page.setViewportSize({ width, height: 900 })
    await page.evaluate((one) => document.documentElement.setAttribute('data-theme', one), light)
    await page.screenshot({
      path: `${pictures}/${name}_${light}_${width}.png`,
      animations: 'disabled',
      fullPage: true,
    })
  }
  await take('dark', 320)
  await take('light', 320)
  await take('dark', 1440)
  await take('light', 1440)
}

describe('the pages about the account', () => {
  it('make a key whose secret is shown once, and revoke it', async () => {
    await open('/account/keys')
    await expect.poll(rows('key-row'), soon).toEqual([expect.stringMatching(/test\nsigned in with it here/)])
    await page.getByTestId('make-key').click()
    await expect.poll(text('field-problem'), soon).toMatch(/what it is for/)
    await page.getByTestId('key-name').fill('Nightly job')
    await page.getByTestId('key-life').selectOption('month')
    await picture('keys')
    await page.getByTestId('make-key').click()
    const secret = await page.getByTestId('secret-once').innerText()
    await expect.poll(rows('key-row'), soon).toHaveLength(2)
    await picture('key_made')
    expect(await works(secret)).toBe(200)
    await page.getByTestId('secret-done').click()
    expect(await page.content()).not.toContain(secret)
    expect((await rows('key-row')())[0]).toMatch(
      /^Nightly job\nphk_\w+…\n\nNot used yet.*Expires in (29 d 23|30 d 0) h/s,
    )

    await page.getByRole('button', { name: 'Revoke Nightly job' }).click()
    await page.getByTestId('revoke-key-sure').waitFor()
    await picture('key_revoke')
    await page.getByTestId('revoke-key-sure').click()
    await expect.poll(async () => (await rows('key-row')())[0], soon).toMatch(/revoked.*Revoked just now/s)
    expect(await works(secret)).toBe(401)
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN')
    await picture('keys_revoked')
  })

  it('make a team, invite, change roles, and let members go', async () => {
    const grace = await app.account('grace')
    await open('/account/teams')
    await expect.poll(rows('team-row'), soon).toHaveLength(1)
    await page.getByTestId('team-name').fill('Analytical engines')
    await picture('teams')
    await page.getByTestId('save-team').click()
    await page.getByTestId('invite-email').fill('not an address')
    await page.getByTestId('invite').click()
    await expect.poll(text('field-problem'), soon).toMatch(/not an e-mail address/)
    await page.getByTestId('invite-email').fill('grace@example.com')
    await page.getByTestId('invite').click()
    const first = await page.getByTestId('secret-once').innerText()
    await expect.poll(rows('member-row'), soon).toHaveLength(2)
    await picture('team_invited')
    await page.getByTestId('secret-done').click()
    await page.getByTestId('reissue').click()
    await expect.poll(text('secret-once'), soon).not.toBe(first)
    const link = await page.getByTestId('secret-once').innerText()
    expect(link).toContain('#token=')
    await page.getByTestId('secret-done').click()

    const accepted = await fetch(`${app.base}/api/json/memberships/accept`, {
      method: 'POST',
      headers: { authorization: `Bearer ${grace.key}`, 'content-type': 'application/vnd.api+json' },
      body: JSON.stringify({ data: { token: new URL(link).hash.slice('#token='.length) } }),
    })
    expect(accepted.status).toBeLessThan(300)
    await page.reload()
    const graces = page.getByTestId('member-row').filter({ hasText: 'grace' })
    await graces.getByTestId('member-role').selectOption('viewer')
    await graces.getByTestId('save-role').click()
    await expect
      .poll(
        () =>
          app.query('SELECT role FROM memberships WHERE user_id = $1 AND role = $2', [
            grace.userId,
            'viewer',
          ]),
        soon,
      )
      .toHaveLength(1)
    await expect.poll(() => graces.getByTestId('save-role').count(), soon).toBe(0)
    await picture('team')

    // The only owner stays.
    const adas = page.getByTestId('member-row').filter({ hasText: 'you' })
    await adas.getByTestId('end-membership').click()
    await page.getByTestId('end-membership-sure').click()
    await expect.poll(() => page.getByTestId('confirm').innerText(), soon).toMatch(/always keeps one owner/)
    await page.getByRole('button', { name: 'Stay' }).click()

    const address = new URL(page.url()).pathname
    const hers = await browser.newPage()
    await hers.goto(`${app.base}${address}#key=${grace.key}`)
    await expect.poll(() => hers.getByTestId('member-row').allInnerTexts(), soon).toHaveLength(2)
    expect(await hers.getByTestId('invite').count()).toBe(0)
    await hers.getByTestId('end-membership').click()
    await hers.getByTestId('end-membership-sure').click()
    await expect.poll(() => new URL(hers.url()).pathname, soon).toBe('/account/teams')
    await hers.close()
    await page.reload()
    await expect.poll(rows('member-row'), soon).toHaveLength(1)
  })

  it('end sessions and what applications may do, and change the password', async () => {
    const { tokens } = await allowClient(app, { account: app.owner })
    expect(await works(tokens.access_token)).toBe(200)
    await open('/account/applications')
    await expect
      .poll(rows('application-row'), soon)
      .toEqual([expect.stringMatching(/A test client\s+client\.example\s+May read what you may read/)])
    await picture('applications')
    await page.getByTestId('revoke-application').click()
    await page.getByTestId('revoke-application-sure').click()
    await page.getByTestId('no-applications').waitFor(soon)
    expect(await works(tokens.access_token)).toBe(401)

    await page.goto(`${app.base}/account/sessions`)
    await expect.poll(rows('session-row'), soon).toHaveLength(1)
    await picture('sessions')
    await page.getByTestId('end-others').click()
    await page.getByTestId('end-others-sure').click()
    await page.getByTestId('no-sessions').waitFor(soon)

    await page.getByRole('link', { name: 'Password' }).click()
    await page.getByTestId('current-password').fill('not the password')
    await page.getByTestId('new-password').fill('staple lantern harbour')
    await page.getByTestId('change-password').click()
    await expect.poll(text('field-problem'), soon).toMatch(/not the current password/)
    expect(await page.evaluate(() => document.activeElement?.getAttribute('data-testid'))).toBe(
      'current-password',
    )
    await picture('password_refused')
    await page.getByTestId('current-password').fill(TEST_PASSWORD)
    await page.getByTestId('change-password').click()
    await expect.poll(text('form-outcome'), soon).toMatch(/Changed/)
  })
})
