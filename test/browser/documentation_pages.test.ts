// The articles, the explorer and the reference in a real browser: nothing from elsewhere, nothing refused, and they work.
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { consoleTab } from '../support/console_tab.ts'
import { testApp } from '../support/test_app.ts'

const app = testApp()
const { page, openTab } = consoleTab(app)
beforeAll(() => app.finalize())
let complaints: string[]
let elsewhere: string[]
beforeEach(() => {
  complaints = []
  elsewhere = []
  page().on('console', (message) => {
    // Refusals of the content security policy are among them.
    if (message.type() === 'error') complaints.push(message.text())
  })
  page().on('request', (request) => {
    const url = new URL(request.url())
    if (url.protocol.startsWith('http') && url.origin !== app.base) elsewhere.push(request.url())
  })
})

describe('the explorer', () => {
  it('asks for the head with a pasted key, forgets the key with the page, and opens the operation of an address', {
    timeout: 400_000,
  }, async () => {
    // The page of Swagger UI is a heavy one.
    page().setDefaultTimeout(140_000)
    await page().goto('/api/json/swaggerui')
    await page().locator('#operations-beacon-latestBeacon').waitFor()
    const authorize = async () => {
      await page().locator('.auth-wrapper .authorize').first().click()
      return page().locator('.auth-container input')
    }
    await (await authorize()).fill(app.owner.key)
    await page().locator('.auth-container button.authorize').click()
    await page().locator('.auth-container button.btn-done').click()
    const operation = page().locator('#operations-beacon-latestBeacon')
    await operation.locator('.opblock-summary-control').click()
    await operation.locator('.try-out__btn').click()
    await operation.locator('.execute').click()
    const answered = operation.locator('.live-responses-table .response-col_status')
    await expect.poll(() => answered.last().innerText()).toMatch(/^200/)
    const [head] = await app.query<{ hash: string }>(
      `SELECT encode(block_hash, 'hex') AS hash FROM blocks ORDER BY height DESC LIMIT 1`,
    )
    expect(await operation.locator('.live-responses-table').innerText()).toContain(head?.hash)

    // Opened anew, at an operation with many parameters.
    await page().goto('about:blank')
    await page().goto('/api/json/swaggerui#/item/listItems')
    await page().locator('#operations-item-listItems').getByText('filter[state]').first().waitFor()
    await page().locator('#operations-item-createItem .opblock-summary-control').click()
    await page().locator('#operations-item-createItem').getByText('contract.pdf').first().waitFor()
    expect(await (await authorize()).inputValue()).toBe('')
    expect({ complaints, elsewhere }).toEqual({ complaints: [], elsewhere: [] })
  })
})

describe('the reference', () => {
  it('shows every operation, and finds one by a word', async () => {
    await page().goto('/api/json/redoc')
    await page().getByRole('heading', { name: 'The head of the chain' }).waitFor()
    const search = page().locator('input[type="text"]').first()
    await search.fill('head of the chain')
    const found = page().locator('[data-role="search:results"]')
    await expect.poll(() => found.innerText()).toMatch(/head of the chain/i)
    expect({ complaints, elsewhere }).toEqual({ complaints: [], elsewhere: [] })
  })
})

describe('the articles', () => {
  it('are searched, read and followed without a script', async () => {
    const reader = await openTab({ javaScriptEnabled: false })
    await reader.goto('/docs')
    await reader.getByRole('link', { name: 'Quick start' }).click()
    await expect.poll(() => reader.locator('h1').innerText()).toBe('Quick start')
    await reader.getByRole('searchbox').fill('older client layout')
    await reader.getByRole('button', { name: 'Search' }).click()
    await reader.locator('.found').getByRole('link', { name: 'Proofs' }).click()
    const contents = reader.getByRole('navigation', { name: 'On this page' })
    await contents.getByRole('link', { name: 'For an older client' }).click()
    await expect.poll(() => new URL(reader.url()).hash).toBe('#for-an-older-client')
    await reader.locator('.prose').getByRole('link', { name: 'Verifying offline' }).first().click()
    await expect.poll(() => reader.locator('h1').innerText()).toBe('Verifying offline')
  })

  it('load nothing from elsewhere, and nothing that their policy refuses', async () => {
    for (const path of ['/docs', '/docs/proofs', '/docs?q=proof', '/docs/nothing']) await page().goto(path)
    const unexpected = complaints.filter((complaint) => !complaint.includes('404'))
    expect({ unexpected, elsewhere }).toEqual({ unexpected: [], elsewhere: [] })
  })
})
