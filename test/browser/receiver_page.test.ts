// The built-in receiver in a real browser: from an account with nothing to a delivery that is seen to arrive.
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addressRanges } from '../../server/kernel/address_ranges.ts'
import { openTestApp, type TestApp } from '../support/app.ts'
import { complaintsOf, openBrowser, signIn } from '../support/browser.ts'
import { claimsOf } from '../support/ledger.ts'

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
  expect(complaints).toEqual([])
  await page?.close()
})

const soon = { timeout: 60_000 }
const text = (id: string) => () => page.getByTestId(id).first().innerText()
const answered = () =>
  page.getByTestId('arrival').evaluateAll((rows) => rows.map((row) => row.getAttribute('data-answered')))

const open = async (path: string, { at: { base }, by } = { at: app, by: app.owner }) => {
  await signIn(page, by.key)
  await page.goto(`${base}${path}`)
}

describe('the built-in receiver', () => {
  it('takes a newcomer from nothing to a delivery that arrives, is refused, and is tried again', async () => {
    const newcomer = await app.account(`newcomer-${Date.now()}`)
    await open('/webhooks', { at: app, by: newcomer })
    await page.getByTestId('receiver-offer').getByRole('link').click()
    await page.getByTestId('no-addresses').waitFor()
    await page.getByTestId('make-address').click()
    const url = await page.getByTestId('receiver-url').innerText()
    expect(url).toMatch(/^https:\/\/receiver\.pharos\.test\/[\w-]{43}$/)
    await page.getByTestId('nothing-arrived').waitFor()

    await page.getByTestId('make-endpoint').click()
    expect(await page.getByTestId('url').inputValue()).toBe(url)
    await page.getByRole('button', { name: 'Bearer secret' }).click()
    await page.getByTestId('secret').fill('known to both')
    await page.getByTestId('save').click()
    await page.getByRole('link', { name: 'see what arrives' }).click()

    await page.getByTestId('test').click()
    await expect.poll(answered, soon).toEqual(['ok'])
    await expect.poll(text('test-outcome'), soon).toContain('The sample arrived.')
    expect(await page.getByTestId('arrival-secret').getAttribute('data-secret')).toBe('matches')
    const headers = await text('arrival-headers')()
    expect(headers).toMatch(/x-pharos-event\s+item\.created/)
    expect(headers).toMatch(/authorization\s+hidden/)
    expect(await page.content()).not.toContain('known to both')
    expect(JSON.parse(await text('arrival-body')())).toMatchObject({
      type: 'item.created',
      data: { test: true },
    })

    await page.getByRole('button', { name: '500', exact: true }).click()
    await expect
      .poll(() => page.getByRole('button', { name: '500', exact: true }).getAttribute('aria-pressed'))
      .toBe('true')
    const submitted = await fetch(`${app.base}/api/json/items`, {
      method: 'POST',
      headers: { authorization: `Bearer ${newcomer.key}`, 'content-type': 'application/vnd.api+json' },
      body: JSON.stringify({ data: { type: 'item', attributes: { claims: claimsOf('A page') } } }),
    })
    expect(submitted.status).toBe(201)
    await expect.poll(answered, soon).toEqual(['error', 'ok'])
    await page.getByTestId('arrival-delivery').click()
    await expect.poll(text('delivery-status'), soon).toBe('retrying')
    expect(await text('attempts')()).toMatch(/Answered 500[\s\S]*127\.0\.0\.1/)
    expect(await text('sent-headers')()).toMatch(/authorization\s+hidden/)
  })

  it('has a few addresses for an account, and forgets one when told to', async () => {
    await open('/webhooks/receiver', { at: app, by: await app.account(`eve-${Date.now()}`) })
    const links = page.getByRole('navigation', { name: 'Addresses of the receiver' }).getByRole('link')
    await page.getByTestId('make-address').click()
    const first = await page.getByTestId('receiver-url').innerText()
    await page.getByTestId('make-address').click()
    await expect.poll(() => links.count(), soon).toBe(2)
    expect(await page.getByTestId('receiver-url').innerText()).not.toBe(first)
    await page.getByTestId('forget-address').click()
    await expect.poll(() => links.count(), soon).toBe(0)
    expect(await page.getByTestId('receiver-url').innerText()).toBe(first)
  })

  it('says where it is off, and what to do instead', async () => {
    const beside = await openTestApp({ beside: app, trustedProxies: addressRanges('10.0.0.0/8') })
    try {
      await open('/webhooks/receiver', { at: beside, by: app.owner })
      await expect
        .poll(text('receiver-off'), soon)
        .toMatch(/A proxy stands in front[\s\S]*WEBHOOK_ALLOW_ADDRESSES/)
    } finally {
      await beside.close()
    }
  })
})
