// The command line signs in through a real browser, as RFC 8252 says: the pages of the service, and then the one that the
// program itself shows on this computer.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { logIn } from '../client/log_in.ts'
import { type Desk, openDesk } from '../client/run_pharos.ts'
import { complaintsOf } from '../support/browser.ts'
import { TEST_PASSWORD } from '../support/oauth.ts'
import { testApp } from '../support/test_app.ts'
import { workerBrowser } from '../support/worker_browser.ts'

const app = testApp()
const browser = workerBrowser()
let desk: Desk
beforeAll(async () => {
  desk = await openDesk()
})
afterAll(() => desk.clear())

it('signs in with a click, is listed in the console, and is over when the person takes it back there', async () => {
  const page = await browser().newPage()
  const complaints = complaintsOf(page.context())
  let asked = ''
  let shown = ''
  const { code, err } = await logIn(desk, app, {
    answer: async (_, url, email) => {
      await page.goto(url.href)
      await page.getByLabel('E-mail address').fill(email)
      await page.getByLabel('Password').fill(TEST_PASSWORD)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('heading', { name: 'Allow access?' }).waitFor()
      asked = await page.locator('main').innerText()
      await page.getByRole('button', { name: 'Allow', exact: true }).click()
      await page.getByRole('heading', { name: 'You are signed in' }).waitFor()
      shown = await page.locator('body').innerText()
      return new URL(app.base)
    },
  })
  expect([code, err]).toEqual([0, expect.stringContaining(`Signed in at ${app.base} as`)])
  expect(asked).toMatch(/Pharos command line[\s\S]*api:read[\s\S]*api:write[\s\S]*127\.0\.0\.1/)
  expect(shown).toContain('You can close this page')
  expect(complaints).toEqual([])
  expect(await desk.pharos(['whoami'])).toMatchObject({ code: 0 })

  await page.goto(`${app.base}/account/applications`)
  await page.getByTestId('sign-in-account').click()
  const row = page.getByTestId('application-row')
  expect(await row.innerText()).toContain('Pharos command line')
  await row.getByTestId('revoke-application').click()
  await page.getByRole('button', { name: 'Take it back' }).click()
  await row.waitFor({ state: 'detached' })
  await expect
    .poll(async () => (await desk.pharos(['whoami'])).err)
    .toContain(`The sign-in at ${app.base} has ended.`)
})
