// The front door in a real browser: what a stranger sees, with and without an open log, and where a page needs a key.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../support/app.ts'
import { consoleTab } from '../support/console_tab.ts'
import { testApp } from '../support/test_app.ts'

const closed = testApp()
const { page } = consoleTab(closed)
let open: TestApp
let requests: string[]
let complaints: string[]
beforeAll(async () => {
  await closed.finalize(12)
  open = await openTestApp({ beside: closed, logIsPublic: true })
})
afterAll(() => open?.close())
beforeEach(() => {
  requests = []
  complaints = []
  page().on('request', (request) => requests.push(new URL(request.url()).pathname))
  page().on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
})

const log = () => page().getByTestId('live-log')
const state = () => log().getAttribute('data-state')

const headHash = async () => {
  const [head] = await closed.query<{ hash: string }>(
    `SELECT encode(block_hash, 'hex') AS hash FROM blocks ORDER BY height DESC LIMIT 1`,
  )
  return head?.hash
}

it('says what this is and leads on, and says nothing about the chain of a closed log', async () => {
  await page().goto('/')
  await page().getByRole('heading', { level: 1 }).waitFor()
  const links = await page()
    .getByRole('link')
    .evaluateAll((all) => all.map((one) => one.getAttribute('href')))
  expect(links).toEqual(
    expect.arrayContaining(['/verify', '/api/json/redoc', '/api/json/swaggerui', '/graphiql']),
  )
  const words = await page().locator('main').innerText()
  expect(words).toMatch(/npm run pharos -- user create/)
  expect(words).toMatch(/first-start\.txt/)
  expect(words).toContain(`${closed.base}/mcp`)
  expect(words).not.toMatch(/every minute|newest block|height/i)
  expect(requests.filter((path) => !/^\/(assets\/.*)?$/.test(path))).toEqual([])
  await page().getByRole('link', { name: 'Verify a proof' }).click()
  await page().getByRole('heading', { level: 1, name: 'Verify' }).waitFor()
  expect(complaints).toEqual([])
})

it('keeps the address of a page that needs a key, and opens it after the sign-in', async () => {
  await page().goto('/items/new')
  await page().getByRole('heading', { name: 'This page needs a key' }).waitFor()
  expect(await page().locator('main').innerText()).toContain('/items/new')
  await page().getByTestId('key-input').fill(closed.owner.key)
  await page().getByTestId('sign-in').click()
  await page().getByTestId('item-file').waitFor({ state: 'attached' })
  expect(new URL(page().url()).pathname).toBe('/items/new')
})

it('shows the blocks of an open log as they come, and nothing before it was computed', async () => {
  let release: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page().route('**/log/tile/**', async (route) => {
    await held
    await route.continue()
  })
  await page().goto(open.base)
  await expect.poll(() => requests.some((path) => path.startsWith('/log/tile/'))).toBe(true)
  expect(await log().innerText()).toBe('Reading the public log…')
  release()
  await expect.poll(state).toBe('checked')
  const shown = async () => (await page().getByTestId('live-hash').innerText()).replaceAll(/\s/g, '')
  expect(await shown()).toBe(await headHash())
  expect(await log().innerText()).toMatch(/over 13 blocks is signed by .*first time.*9 blocks are in it/s)
  await closed.finalize()
  await expect.poll(shown).toBe(await headHash())
  await page().reload()
  await expect
    .poll(() => log().innerText())
    .toMatch(/over 14 blocks .*continues what you saw here on \d{4}-/s)
  expect(complaints).toEqual([])
})

it('shows no block of a log that contradicts its checkpoint', async () => {
  await page().route('**/log/tile/entries/**', async (route) => {
    const response = await route.fetch()
    const body = await response.body()
    body[body.length - 1] = (body.at(-1) ?? 0) ^ 1
    await route.fulfill({ response, body })
  })
  await page().goto(open.base)
  await expect.poll(state).toBe('contradiction')
  expect(await log().innerText()).toMatch(/contradicts itself.*not in the tree/s)
  expect(await page().getByTestId('live-hash').count()).toBe(0)
})
