// What stands around every page of the console: who is signed in, the theme, the bar, the ways from page to page.
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../support/app.ts'
import { openBrowser } from '../support/browser.ts'

let browser: Browser
let app: TestApp
let context: BrowserContext
let page: Page
let complaints: string[]

beforeAll(async () => {
  browser = await openBrowser()
  app = await openTestApp()
  await app.finalize(3)
}, 180_000)
afterAll(async () => {
  await browser?.close()
  await app?.close()
})
beforeEach(async () => {
  complaints = []
  context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  context.on('weberror', (error) => complaints.push(error.error().message))
  context.on('console', (message) => {
    if (/Content Security Policy|Refused to/.test(message.text())) complaints.push(message.text())
  })
  page = await context.newPage()
})
afterEach(async () => {
  await context?.close()
  expect(complaints).toEqual([])
})

const soon = { timeout: 60_000 }
const signedIn = (of: Page) => of.getByTestId('account').waitFor(soon)
const signedOut = (of: Page) => of.getByTestId('key-input').waitFor(soon)
const open = async (path: string, of = page, key = app.owner.key) => {
  await of.goto(`${app.base}${path}#key=${key}`)
  await signedIn(of)
}

describe('a tab', () => {
  it('that a link opens beside another is signed in, and all with one key are signed out together', async () => {
    await open('/items')
    const opening = context.waitForEvent('page', soon)
    await page.getByRole('link', { name: 'Webhooks', exact: true }).click({ modifiers: ['Control'] })
    const beside = await opening
    await signedIn(beside)
    expect(new URL(beside.url()).pathname + new URL(beside.url()).hash).toBe('/webhooks')
    // A typed address has no opener either.
    const typed = await context.newPage()
    await typed.goto(`${app.base}/chain`)
    await signedIn(typed)

    await typed.getByTestId('sign-out').click()
    await signedOut(typed)
    await Promise.all([signedOut(page), signedOut(beside)])
    await beside.reload()
    await signedOut(beside)
    await typed.getByTestId('undo-sign-out').click()
    await signedIn(typed)
    expect(await beside.getByTestId('account').count()).toBe(0)
  })

  it('says so when it shows another account than before', async () => {
    const grace = await app.account('grace')
    await open('/items')
    await page.waitForFunction(() => sessionStorage.getItem('pharos.account') !== null, null, soon)
    // Somebody else has signed in with this browser, and the tab is loaded again.
    await page.evaluate((key) => sessionStorage.setItem('pharos.key', key), grace.key)
    await page.reload()
    const said = page.getByTestId('other-account')
    await expect.poll(() => said.innerText(), soon).toMatch(/grace@example\.com.*ada@example\.com/s)
    await said.getByRole('button', { name: 'Stay' }).click()
    await said.waitFor({ state: 'detached' })
    await page.reload()
    await signedIn(page)
    expect(await said.count()).toBe(0)
  })
})

it('a chosen theme stands before anything else has been loaded', async () => {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto(`${app.base}/verify`)
  await page.evaluate(() => localStorage.setItem('pharos.theme', 'dark'))
  await context.route('**/assets/*.js', () => undefined)
  await page.reload({ waitUntil: 'commit' })
  const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
  await expect.poll(ground, soon).toBe('rgb(10, 17, 28)')
  expect(await page.locator('#root > *').count()).toBe(0)
})
