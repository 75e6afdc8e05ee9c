// The chain and what is made from it in a real browser, against the real service.
import { createHash } from 'node:crypto'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../support/app.ts'
import { openBrowser } from '../support/browser.ts'

let browser: Browser
let app: TestApp
let page: Page
let complaints: string[]

beforeAll(async () => {
  ;[browser, app] = await Promise.all([openBrowser(), openTestApp()])
  await app.finalize(3)
}, 120_000)
afterAll(async () => {
  await browser?.close()
  await app?.close()
})

beforeEach(async () => {
  page = await browser.newPage()
  complaints = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (/Content Security Policy|Refused to/.test(message.text())) complaints.push(message.text())
  })
  await page.goto(`${app.base}/#key=${app.owner.key}`)
  await page.getByTestId('head-hash').waitFor()
})
afterEach(async () => {
  await page.close()
})

const headHash = async (): Promise<string> => {
  const [head] = await app.query<{ hash: string }>(
    `SELECT encode(block_hash, 'hex') AS hash FROM blocks ORDER BY height DESC LIMIT 1`,
  )
  return head?.hash ?? ''
}

const winners = () => page.getByTestId('winners').locator('li strong').allInnerTexts()

describe('a draw', () => {
  it('gives the winners of the recipe, from the address alone and after every change of the terms', async () => {
    const hash = await headHash()
    await page.goto(`${app.base}/beacons/${hash}/draw?n=1&k=1&label=Raffle`)
    await page.getByTestId('winners').waitFor()
    const terms = `pharos-draw-v1\nbeacon ${hash}\nlabel Raffle\nlist numbers\nn 1\nk 1\n`
    const shown = await page.getByTestId('draw-text').innerText()
    expect(shown.trimEnd()).toBe(terms.trimEnd())
    expect(await page.locator('.seed').innerText()).toBe(createHash('sha256').update(terms).digest('hex'))
    expect(await winners()).toEqual(['1'])
    await page.getByTestId('draw-k').fill('2')
    await expect.poll(() => page.getByTestId('draw-problem').innerText()).toContain('from 1 to 1')
    await page.getByTestId('draw-n').fill('2')
    await expect.poll(async () => (await winners()).toSorted()).toEqual(['1', '2'])
    const drawn = await winners()
    await expect.poll(() => page.url()).toMatch(/n=2.*|k=2.*n=2/)
    await page.reload()
    await page.getByTestId('winners').waitFor()
    expect(await winners()).toEqual(drawn)
    expect(complaints).toEqual([])
  })

  it('waits for the first beacon from a fixed time on, and then draws by itself', async () => {
    const at = new Date(Date.now() + 600_000).toISOString()
    await page.goto(`${app.base}/beacons/next/draw?at=${at}&k=1&names=Ada%0AGrace`)
    await page.getByTestId('draw-wait').waitFor()
    await app.finalize()
    expect(await page.getByTestId('winners').count()).toBe(0)
    const past = new Date(Date.now() + 1).toISOString()
    await page.goto(`${app.base}/beacons/next/draw?at=${past}&k=1&names=Ada%0AGrace`)
    await page.getByTestId('draw-wait').waitFor()
    await app.finalize(2)
    await page.getByTestId('winners').waitFor()
    const [first] = await app.query<{ height: number; hash: string }>(
      `SELECT height, encode(block_hash, 'hex') AS hash FROM blocks WHERE finalized_at >= $1 ORDER BY height LIMIT 1`,
      [past],
    )
    expect(await page.locator('.draw-source').innerText()).toContain(
      `#${first?.height} ${first?.hash.slice(0, 16)}`,
    )
    expect(['Ada', 'Grace']).toContain((await winners())[0])
    expect(complaints).toEqual([])
  })
})
