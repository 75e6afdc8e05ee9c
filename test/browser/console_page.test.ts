// The console page in a real browser, against the real service.
import { beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, type TestAccount } from '../support/app.ts'
import { consoleTab } from '../support/console_tab.ts'
import { freePort } from '../support/free_port.ts'
import { makeResource } from '../support/make_resource.ts'
import { testApp } from '../support/test_app.ts'

const app = testApp({ port: await freePort() })
const { page } = consoleTab(app)
let grace: TestAccount
beforeAll(async () => {
  await app.finalize(3)
  grace = await app.account('grace')
})

const rows = () => page().getByTestId('beacon-row')

/** Ids of the rows on the page, newest first. */
const rowIds = () => rows().evaluateAll((all) => all.map((row) => row.getAttribute('data-id')))

const chainIds = async () =>
  (await app.query<{ id: string }>('SELECT id FROM blocks ORDER BY height DESC')).map(({ id }) => id)

const signIn = async () => {
  await page().goto(`/chain#key=${app.owner.key}`)
  await rows().first().waitFor()
}

const isUnbroken = async () => {
  const all = new RegExp(`unbroken.*\\b${(await chainIds()).length}\\b`, 's')
  await expect.poll(() => page().getByTestId('chain-proof').innerText()).toMatch(all)
}

describe('the console page', () => {
  it('signs in by link, and takes the key out of the address at once', async () => {
    await signIn()
    expect(page().url()).not.toContain('phk_')
    expect(await rowIds()).toEqual(await chainIds())
  })

  it('asks before a link takes the place of a session, and names both accounts', async () => {
    await signIn()
    await page().evaluate(() => Object.assign(window, { notReloaded: true }))
    const stored = () =>
      page().evaluate(() => [...Object.values({ ...sessionStorage }), ...Object.values({ ...localStorage })])
    const follow = () =>
      page().evaluate((key) => {
        window.location.hash = `key=${key}`
      }, grace.key)
    const choice = page().getByTestId('account-choice')
    for (const stay of [() => page().getByTestId('stay').click(), () => page().keyboard.press('Escape')]) {
      await follow()
      await expect
        .poll(() => choice.innerText())
        .toMatch(/signed in as ada \(ada@example\.com\).*as grace \(grace@example\.com\)/s)
      expect(page().url()).not.toContain('phk_')
      expect(await stored()).toContain(app.owner.key)
      await stay()
      await choice.waitFor({ state: 'detached' })
      expect(await stored()).toContain(app.owner.key)
    }
    // The page that was there goes on, and a link to the same key asks nothing.
    expect(await page().evaluate(() => 'notReloaded' in window)).toBe(true)
    await page().goto(`/chain#key=${app.owner.key}`)
    await rows().first().waitFor()
    expect(await choice.count()).toBe(0)
    await page().goto(`/chain#key=${grace.key}`)
    await page().reload()
    await rows().first().waitFor()
    expect(await stored()).toContain(app.owner.key)
    await follow()
    await page().locator('[data-testid=switch-account]:enabled').click()
    await expect.poll(stored).toContain(grace.key)
    expect(await stored()).not.toContain(app.owner.key)
    await rows().first().waitFor()
  })

  it('shows nothing that one account has read once another has taken its place', async () => {
    const claims = { name: 'Of Ada', description: 'Nothing that anybody else should see.' }
    await makeResource(app, 'item', { claims })
    await signIn()
    await page().goto('/items')
    await page().getByText('Of Ada').waitFor()
    await page().evaluate((key) => {
      const look = (): void => {
        const isGrace = Object.values({ ...sessionStorage }).includes(key)
        if (isGrace && document.body.innerText.includes('Of Ada'))
          Object.assign(window, { shownToGrace: true })
      }
      new MutationObserver(look).observe(document.body, { childList: true, subtree: true })
      window.location.hash = `key=${key}`
    }, grace.key)
    await page().locator('[data-testid=switch-account]:enabled').click()
    await page().getByRole('heading', { name: 'No items yet' }).waitFor()
    expect(await page().evaluate(() => 'shownToGrace' in window)).toBe(false)
  })

  it('signs in by link where the key of the session is not accepted any more', async () => {
    const former = await app.account('former')
    await page().goto(`/chain#key=${former.key}`)
    await rows().first().waitFor()
    await app.query('UPDATE api_keys SET revoked_at = now() WHERE user_id = $1', [former.userId])
    await page().goto(`/verify#key=${grace.key}`)
    const stored = () => page().evaluate(() => Object.values({ ...sessionStorage }))
    await expect.poll(stored).toContain(grace.key)
    expect(await page().getByTestId('account-choice').count()).toBe(0)
  })

  it('signs in with a pasted key, and says so when it is a wrong one', async () => {
    await page().goto('/chain')
    const input = page().getByTestId('key-input')
    await input.fill(`${app.owner.key.slice(0, -1)}${app.owner.key.endsWith('x') ? 'y' : 'x'}`)
    await page().getByTestId('sign-in').click()
    await expect.poll(() => page().getByTestId('sign-in-message').innerText()).toMatch(/key/i)
    await input.fill(app.owner.key)
    await page().getByTestId('sign-in').click()
    await rows().first().waitFor()
  })

  it('leads from page to page and back without a reload, and says where there is no page', async () => {
    await signIn()
    await page().evaluate(() => Object.assign(window, { notReloaded: true }))
    const path = () => new URL(page().url()).pathname
    const heading = () => page().getByRole('heading', { level: 1 }).innerText()
    await page().getByRole('link', { name: 'Items', exact: true }).click()
    await expect.poll(heading).toBe('Items')
    await page().getByRole('link', { name: 'Chain', exact: true }).click()
    await rows().first().locator('.row-link').click()
    await page().getByTestId('drawer').waitFor()
    expect(path()).toMatch(/^\/beacons\/[0-9a-f]{64}$/)
    // Closing goes back to where it was opened, so that "back" does not open it again.
    await page().getByTestId('drawer-close').click()
    await page().getByTestId('drawer').waitFor({ state: 'detached' })
    await page().goBack()
    await expect.poll(heading).toBe('Items')
    expect(await page().evaluate(() => 'notReloaded' in window)).toBe(true)

    await page().goto('/nowhere')
    await expect.poll(heading).toBe('There is no such page')
    // The bar above takes none of its height.
    const tooHigh = () => document.documentElement.scrollHeight - window.innerHeight
    await expect.poll(() => page().evaluate(tooHigh)).toBe(0)
    await page().getByRole('link', { name: 'Back to the first page' }).click()
    await page().getByTestId('head-hash').waitFor()
    expect(path()).toBe('/')
  })

  it('shows a new beacon without a reload, proven by recomputation', async () => {
    await signIn()
    await page().evaluate(() => Object.assign(window, { notReloaded: true }))
    await app.finalize()
    await expect.poll(rowIds).toEqual(await chainIds())
    await isUnbroken()
    expect(await page().evaluate(() => 'notReloaded' in window)).toBe(true)
  })

  it('counts what arrives while it is paused, and shows it when asked', async () => {
    await signIn()
    const before = await rowIds()
    await page().getByTestId('pause').click()
    await app.finalize(2)
    await expect.poll(() => page().getByTestId('new-count').innerText()).toContain('2')
    expect(await rowIds()).toEqual(before)
    await page().getByTestId('new-count').click()
    await expect.poll(rowIds).toEqual(await chainIds())
  })

  it('opens a beacon from the keyboard, with its address, its recomputation and its raw JSON', async () => {
    await signIn()
    await page().keyboard.press('j')
    await page().keyboard.press('Enter')
    const drawer = page().getByTestId('drawer')
    await drawer.waitFor()
    const [beacon] = await app.query<{ hash: string }>(
      `SELECT encode(block_hash, 'hex') AS hash FROM blocks ORDER BY height DESC LIMIT 1`,
    )
    expect(page().url()).toContain(`/beacons/${beacon?.hash}`)
    expect(await drawer.innerText()).toContain(beacon?.hash)
    await page().keyboard.press('Escape')
    await drawer.waitFor({ state: 'detached' })
  })

  // Stops the service, so it comes last.
  it('catches up after the server was stopped and started, without a gap and without a reload', async () => {
    await signIn()
    await page().evaluate(() => Object.assign(window, { notReloaded: true }))
    const status = () => page().getByTestId('status').innerText()
    await expect.poll(status).toMatch(/live|stale/i)
    await app.stop()
    await expect.poll(status).toMatch(/offline/i)
    await app.finalize(5)
    const again = await openTestApp({ beside: app, port: app.port })
    try {
      await expect.poll(rowIds).toEqual(await chainIds())
      await isUnbroken()
      expect(await page().evaluate(() => 'notReloaded' in window)).toBe(true)
    } finally {
      await again.close()
    }
  })
})
