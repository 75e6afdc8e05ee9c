// One-time links in a real browser, on a narrow screen, with a script and without.
import type { BrowserContextOptions, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { inviteMember } from '../../server/domain/accounts/invite_member.ts'
import { makePasswordReset } from '../../server/domain/accounts/new_password.ts'
import { oneTimeLink } from '../../server/domain/accounts/one_time_link.ts'
import { testApp } from '../support/test_app.ts'
import { workerBrowser } from '../support/worker_browser.ts'

const PASSWORD = 'correct horse battery'

const app = testApp()
const complaints: string[] = []
const browser = workerBrowser()

/** A browser of its own, whose complaints and requests to elsewhere are kept. */
async function openPage(options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser().newContext({ viewport: { width: 320, height: 640 }, ...options })
  const page = await context.newPage()
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== app.base) complaints.push(request.url())
  })
  return page
}

const fits = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)

const invitation = async (email: string) => {
  const teamId = await app.team(app.owner)
  const { token } = await inviteMember(app.store.em(), app.owner.userId, {
    teamId,
    email,
    role: 'member',
  })
  return { teamId, link: oneTimeLink(app.base, 'invitation', token) }
}

const isMember = async (teamId: string, email: string) =>
  (
    await app.query(
      'SELECT 1 FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.team_id = $1 AND u.email = $2',
      [teamId, email],
    )
  ).length === 1

describe('a one-time link', () => {
  it('leaves no token in the address, and its password signs in to accept an invitation', async () => {
    const page = await openPage()
    const token = await makePasswordReset(app.store.em(), app.owner.userId)
    await page.goto(oneTimeLink(app.base, 'password_reset', token))
    await page.getByLabel('New password').fill(PASSWORD)
    expect(page.url()).toBe(`${app.base}/oauth/password-reset`)
    expect(await fits(page)).toBe(true)
    await page.getByRole('button', { name: 'Set the password' }).click()
    await page.getByRole('heading', { name: 'The password is set' }).waitFor()
    const { link } = await invitation('grace@example.com')
    await page.goto(link)
    await page.getByLabel('E-mail address').fill('ada@example.com')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    expect(await fits(page)).toBe(true)
    await page.getByRole('button', { name: 'Sign in and join' }).click()
    await page.getByRole('heading', { name: 'Welcome' }).waitFor()
    expect((await page.context().cookies()).find(({ name }) => name === 'pharos_session')).toMatchObject({
      httpOnly: true,
      sameSite: 'Lax',
    })
    expect(complaints).toEqual([])
  })

  it('works without a script, when the link is typed in, and a mistake is announced at its field', async () => {
    const page = await openPage({ javaScriptEnabled: false, colorScheme: 'dark' })
    const { teamId, link } = await invitation('linus@example.com')
    await page.goto(link)
    await page.getByLabel('The link').fill(link)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByLabel('New password').fill('short')
    await page.getByRole('button', { name: 'Make the account and join' }).click()
    expect(await page.getByRole('alert').innerText()).toBe('The new password has at least 12 characters.')
    const field = page.getByLabel('New password')
    expect(await field.getAttribute('aria-invalid')).toBe('true')
    await field.fill(PASSWORD)
    await page.getByRole('button', { name: 'Make the account and join' }).click()
    await page.getByRole('heading', { name: 'Welcome' }).waitFor()
    expect(await isMember(teamId, 'linus@example.com')).toBe(true)
  })
})
