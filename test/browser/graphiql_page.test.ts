// The query page in a real browser, against the real service, under the policy every page of the console has.
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { TestAccount } from '../support/app.ts'
import { signIn } from '../support/browser.ts'
import { consoleTab } from '../support/console_tab.ts'
import { testApp } from '../support/test_app.ts'
import { enterStream } from '../surfaces/graphql/stream_client.ts'
import { AXE_SCRIPT, axeFindings } from './gates/axe_findings.ts'

const app = testApp()
const { page, picture } = consoleTab(app)
beforeAll(() => app.finalize(3))
let account: TestAccount
let accounts = 0
let elsewhere: string[]
beforeEach(async () => {
  accounts += 1
  account = await app.account(`asker-${accounts}`)
  elsewhere = []
  page().on('request', (request) => {
    if (new URL(request.url()).host !== new URL(app.base).host) elsewhere.push(request.url())
  })
})
afterEach(() => expect(elsewhere).toEqual([]))

const query = () => page().getByTestId('query')
/** Replaces the text as a person does. On a busy machine the editor may miss a selection that a script makes. */
const write = async (text: string) => {
  await query().click()
  await page().keyboard.press('ControlOrMeta+A')
  if (text === '') await page().keyboard.press('Backspace')
  else await page().keyboard.insertText(text)
}
/** The text in the editor of the query. */
const written = () =>
  query().evaluate((content) =>
    Array.from(content.querySelectorAll('.cm-line'), (line) => line.textContent).join('\n'),
  )
const result = () => page().getByTestId('result').innerText()
const notice = () => page().getByTestId('result-notice').innerText()

const open = async (fragment = '') => {
  await signIn(page(), account.key)
  await page().goto(`/graphiql${fragment}`)
  await query().waitFor()
}

const headHash = async () =>
  (
    await app.query<{ hash: string }>(
      `SELECT encode(block_hash, 'hex') AS hash FROM blocks ORDER BY height DESC LIMIT 1`,
    )
  )[0]?.hash ?? 'none'

describe('the query page', () => {
  it('asks for the key first, and goes on where it was', async () => {
    await page().goto(`/graphiql#query=${encodeURIComponent('{ latestBeacon { hash } }')}`)
    await page().getByTestId('key-input').fill(account.key)
    await page().getByTestId('sign-in').click()
    await expect.poll(written).toBe('{ latestBeacon { hash } }')
    expect(await page().getByTestId('result').count()).toBe(0)
  })

  it("runs a query with the session's key, sends variables, and refuses to send what is not JSON", async () => {
    await open()
    await write('{ latestBeacon { id hash } }')
    await page().keyboard.press('Control+Enter')
    await expect.poll(result).toContain(await headHash())
    expect(await page().getByTestId('result-facts').innerText()).toMatch(/^200 · \d+ ms/)
    await picture('light')
    await page().getByTestId('theme').click()
    await picture('dark')

    const hash = await headHash()
    await write('query ByHash($hash: String!) { beaconByHash(hash: $hash) { id hash } }')
    await page().getByTestId('variables').fill('{"hash": ')
    await page().getByTestId('run').click()
    await expect.poll(notice).toMatch(/not sent/i)
    await page().getByTestId('variables').fill(JSON.stringify({ hash }))
    await page().getByTestId('run').click()
    await expect.poll(result).toContain(hash)
  })

  it('marks a field that the schema does not have, with its place', async () => {
    await open()
    await write('{\n  latestBeacon {\n    id\n    hesh\n  }\n}')
    const problem = page().getByTestId('query-problem')
    await expect.poll(() => problem.allInnerTexts()).toHaveLength(1)
    expect(await problem.innerText()).toMatch(/4:5[\s\S]*hesh[\s\S]*hash/)
    expect(await page().locator('.cm-lintRange-error').allInnerTexts()).toEqual(['hesh'])
    await picture('wrong')
    await write('{ latestBeacon { hash } }')
    await expect.poll(() => problem.count()).toBe(0)
  })

  it('completes the names of fields from the keyboard, and says the type of an argument while it is chosen', async () => {
    await page().clock.install()
    await open()
    // Nothing is completed before it is there.
    await page().getByTestId('schema').waitFor()
    await write('')
    await query().pressSequentially('{ latestBeacon { has')
    const chosen = page().getByRole('option', { name: 'hash', selected: true })
    await chosen.waitFor()
    await picture('completion')
    // The editor does not take an Enter for a choice in the first moment that the list is there.
    await page().clock.fastForward(1000)
    await page().keyboard.press('Enter')
    await expect.poll(written).toBe('{ latestBeacon { hash}}')
    await page().keyboard.press('Control+z')
    expect(await written()).toBe('{ latestBeacon { has}}')

    await write('')
    await query().pressSequentially('{ beaconByHash(ha')
    await page().getByRole('option', { name: 'hash', selected: true }).waitFor()
    await expect.poll(() => page().locator('.cm-completionInfo').innerText()).toMatch(/^String!/)
  })

  it('lets the keyboard out again, after Escape', async () => {
    await open()
    await write('{ beacons }')
    await page().keyboard.press('Home')
    await page().keyboard.press('Tab')
    expect(await written()).toBe('  { beacons }')
    await page().keyboard.press('Escape')
    await page().keyboard.press('Tab')
    expect(await written()).toBe('  { beacons }')
    expect(await query().evaluate((content) => content.contains(document.activeElement))).toBe(false)
    expect(await query().getAttribute('aria-describedby')).toMatch(/-leave$/)
  })

  it('can be read by everybody while a query is longer than its editor', async () => {
    await page().addInitScript(AXE_SCRIPT)
    await open()
    await write(`{\n${'beacons\n'.repeat(80)}}`)
    await page().getByRole('heading', { name: 'Result' }).click()
    await expect.poll(() => page().getByTestId('query-problem').count()).toBeGreaterThan(0)
    expect(await axeFindings(page())).toEqual([])
  })

  it('keeps the cursor in sight, and takes no text beyond its ceiling, which it says', async () => {
    await open()
    await write(`{\n${'beacons\n'.repeat(50)}${'x'.repeat(120)}\nbeacons\nbeacons xxx`)
    await page().keyboard.press('Control+Home')
    await page().keyboard.press('Control+End')
    await page().keyboard.press('ArrowUp')
    await page().keyboard.press('ArrowUp')
    await page().keyboard.press('End')
    const least = () =>
      query().evaluate((content) => {
        const { scrollLeft, scrollTop } = content.closest('.cm-scroller') ?? content
        return Math.min(scrollLeft, scrollTop)
      })
    await expect.poll(least).toBeGreaterThan(300)
    await picture('long')

    await write('{ beacons }')
    await page().keyboard.press('End')
    await page().keyboard.insertText(`# ${'x'.repeat(65_536)}`)
    await expect
      .poll(() =>
        page()
          .getByText(/65,536 characters at most/)
          .count(),
      )
      .toBe(1)
    expect(await written()).toBe('{ beacons }')
    await page().keyboard.press('Backspace')
    expect(await written()).toBe('{ beacons ')
    expect(
      await page()
        .getByText(/65,536 characters at most/)
        .count(),
    ).toBe(0)
  })

  it('shows the beginning of an answer that is too long to show', async () => {
    await open()
    const long = JSON.stringify({ data: { latestBeacon: { hash: 'f'.repeat(2_000_000) } } })
    await page().route('**/gql', (route) => route.fulfill({ contentType: 'application/json', body: long }))
    await page().getByTestId('run').click()
    await expect.poll(() => page().getByTestId('result-cut').innerText()).toMatch(/first 1,000,000 of 2,0/)
    expect((await page().getByTestId('result').innerText()).length).toBeLessThanOrEqual(1_000_000)
  })

  it('keeps the query in the address, and in the tab where the address cannot', async () => {
    await open()
    await write('{ latestBeacon { timestamp } }')
    await page().getByTestId('run').click()
    await expect.poll(result).toContain('timestamp')
    await expect.poll(() => page().url()).toContain(encodeURIComponent('{ timestamp }'))
    await page().reload()
    await query().waitFor()
    await expect.poll(written).toBe('{ latestBeacon { timestamp } }')
    await page().goto('/webhooks')
    await page().goto('/graphiql')
    await query().waitFor()
    await expect.poll(written).toBe('{ latestBeacon { timestamp } }')
  })

  it('follows a subscription until it is stopped', async () => {
    await open()
    await write('subscription { beaconCreated { hash } }')
    await page().getByTestId('run').click()
    await expect.poll(notice).toMatch(/waiting/i)
    await expect
      .poll(
        async () => {
          await app.finalize()
          return result()
        },
        { timeout: 60_000, interval: 500 },
      )
      .toContain('beaconCreated')
    await page().getByTestId('stop').click()
    await page().getByTestId('run').waitFor()
  })

  it('tells why the service takes no subscription', async () => {
    await app.query(`UPDATE users SET plan = 'free' WHERE id = $1`, [account.userId])
    const streams = await Promise.all(Array.from({ length: 10 }, () => enterStream(app.port, account.key)))
    await open()
    await write('subscription { beaconCreated { hash } }')
    await page().getByTestId('run').click()
    await expect.poll(notice).toContain('It says: plan_limit: at most 10 connections at once.')
    for (const { socket } of streams) socket.terminate()
  })

  it('asks for the schema again when a person wants it, and shows the whole of it as text, which the browser finds words in', async () => {
    await page().route('**/gql', (route) => route.fulfill({ contentType: 'application/json', body: '{}' }))
    await open()
    const again = page().getByTestId('docs').getByRole('button', { name: 'Try again' })
    await again.waitFor()
    await page().unroute('**/gql')
    await again.click()
    const schema = page().getByTestId('schema')
    await expect.poll(() => schema.innerText()).toMatch(/^type Beacon .*\{[\s\S]*\n {2}previousHash: /m)
    expect(await schema.locator('.code-keyword', { hasText: /^type$/ }).count()).toBeGreaterThan(10)
    await picture('schema')
    await page().getByRole('button', { name: 'Close' }).click()
    expect(await schema.count()).toBe(0)
  })

  it('says so plainly when the service cannot be reached, and when the key is no longer good', async () => {
    await open()
    await page().route('**/gql', (route) => route.abort())
    await page().getByTestId('run').click()
    await expect.poll(notice).toMatch(/cannot be reached/)
    await page().unroute('**/gql')
    await page().route('**/gql', (route) =>
      route.fulfill({ status: 429, headers: { 'retry-after': '7' }, body: '{"errors":[]}' }),
    )
    await page().getByTestId('run').click()
    await expect.poll(notice).toMatch(/too many.*7 s/i)
    await page().unroute('**/gql')
    await app.query('UPDATE api_keys SET revoked_at = pharos_now() WHERE user_id = $1', [account.userId])
    // The page may have been told so before a person can run anything.
    await page().evaluate(() => document.querySelector<HTMLElement>('[data-testid=run]')?.click())
    await expect.poll(() => page().getByTestId('sign-in-message').innerText()).toMatch(/signed out/)
  })

  it('fits a narrow screen', async () => {
    const width = () => page().evaluate(() => document.documentElement.scrollWidth)
    await page().setViewportSize({ width: 390, height: 844 })
    await open()
    await page().getByTestId('run').click()
    await expect.poll(result).toContain('latestBeacon')
    expect(await width()).toBe(390)
    await picture('narrow')
    await page().getByTestId('docs-toggle').click()
    await picture('narrow_docs')
  })
})
