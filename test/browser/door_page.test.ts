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

const state = () => page().getByTestId('log-line').getAttribute('data-state')

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
  await page().getByRole('link', { name: 'verify it step by step' }).click()
  await page().getByRole('heading', { level: 1, name: 'Verify' }).waitFor()
  expect(complaints).toEqual([])
})

it('keeps the address of a page that needs a key, and opens it after the sign-in', async () => {
  await page().goto('/items/new')
  await page().getByRole('heading', { name: 'Sign in to go on' }).waitFor()
  expect(await page().locator('main').innerText()).toContain('/items/new')
  await page().getByTestId('key-input').fill(closed.owner.key)
  await page().getByTestId('sign-in').click()
  await page().getByTestId('item-file').waitFor({ state: 'attached' })
  expect(new URL(page().url()).pathname).toBe('/items/new')
})

it('checks an open log in this browser, and compares it with what it showed at the last visit', async () => {
  await page().goto(open.base)
  await expect.poll(state).toBe('first')
  await closed.finalize()
  await page().reload()
  await expect.poll(state).toBe('consistent')
  expect(complaints).toEqual([])
})
