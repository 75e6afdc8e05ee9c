// What stands around every page of the console: who is signed in, the theme, the bar, the ways from page to page.
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { turnTo } from '../support/browser.ts'
import { consoleTab } from '../support/console_tab.ts'
import { makeResource } from '../support/make_resource.ts'
import { testApp } from '../support/test_app.ts'
import { AXE_SCRIPT, axeFindings } from './gates/axe_findings.ts'

const app = testApp()
const { page } = consoleTab(app)
beforeAll(() => app.finalize(3))
const context = () => page().context()

const signedIn = (of: Page) => of.getByTestId('account').waitFor()
const signedOut = (of: Page) => of.getByTestId('key-input').waitFor()
const open = async (path: string, of = page(), key = app.owner.key) => {
  await of.goto(`${path}#key=${key}`)
  await signedIn(of)
}

describe('a tab', () => {
  it('that a link opens beside another is signed in, and all with one key are signed out together', async () => {
    await open('/items')
    // A click with Ctrl is the browser's. It opens the tab without an opener, as a typed address does.
    await page().evaluate(() =>
      window.addEventListener('click', (event) => {
        Object.assign(window, { isLeftToTheBrowser: !event.defaultPrevented })
        event.preventDefault()
      }),
    )
    const link = page().getByRole('link', { name: 'Webhooks', exact: true })
    await link.click({ modifiers: ['Control'] })
    expect(await page().evaluate(() => Reflect.get(window, 'isLeftToTheBrowser'))).toBe(true)
    expect(await link.getAttribute('href')).toBe('/webhooks')
    const beside = await context().newPage()
    await beside.goto('/webhooks')
    await signedIn(beside)
    expect(new URL(beside.url()).pathname + new URL(beside.url()).hash).toBe('/webhooks')
    const typed = await context().newPage()
    await typed.goto('/chain')
    await signedIn(typed)

    await typed.getByTestId('account').click()
    await typed.getByTestId('sign-out').click()
    await signedOut(typed)
    await Promise.all([signedOut(page()), signedOut(beside)])
    for (const other of [page(), beside])
      expect(await other.getByTestId('sign-in-message').innerText()).toMatch(/signed out in another tab/)
    expect(await beside.getByRole('heading', { level: 1 }).innerText()).toBe('Sign in to go on')
    await typed.getByTestId('undo-sign-out').click()
    await signedIn(typed)
    expect(await beside.getByTestId('account').count()).toBe(0)
    // A tab that is loaded again gets no key from one that has left.
    await typed.getByTestId('account').click()
    await typed.getByTestId('sign-out').click()
    await signedOut(typed)
    await beside.reload()
    await signedOut(beside)
  })

  it('whose key is revoked elsewhere says so', async () => {
    const hedy = await app.account('hedy')
    await open('/items', page(), hedy.key)
    const headers = { authorization: `Bearer ${hedy.key}` }
    const keys = await (await fetch(`${app.base}/api/json/api-keys`, { headers })).json()
    await fetch(`${app.base}/api/json/api-keys/${keys.data[0].id}`, { method: 'DELETE', headers })
    // The stream may have said so before a person can ask for another page.
    await page().evaluate(() => document.querySelector<HTMLElement>('a[href="/webhooks"]')?.click())
    await signedOut(page())
    await expect
      .poll(() => page().getByTestId('sign-in-message').innerText())
      .toMatch(/does not accept this key/)
  })

  it('says so when it shows another account than before', async () => {
    const grace = await app.account('grace')
    await open('/items')
    await page().waitForFunction(() => sessionStorage.getItem('pharos.account') !== null)
    // Somebody else has signed in with this browser, and the tab is loaded again.
    await page().evaluate((key) => sessionStorage.setItem('pharos.key', key), grace.key)
    await page().reload()
    const said = page().getByTestId('other-account')
    await expect.poll(() => said.innerText()).toMatch(/grace@example\.com.*ada@example\.com/s)
    await said.getByRole('button', { name: 'Stay' }).click()
    await said.waitFor({ state: 'detached' })
    await page().reload()
    await signedIn(page())
    expect(await said.count()).toBe(0)
  })
})

it('a chosen theme stands before anything else has been loaded', async () => {
  await page().emulateMedia({ colorScheme: 'light' })
  await page().goto('/verify')
  await page().evaluate(() => localStorage.setItem('pharos.theme', 'dark'))
  await context().route('**/assets/*.js', () => undefined)
  await page().reload({ waitUntil: 'commit' })
  const ground = () => page().evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
  await expect.poll(ground).toBe('rgb(10, 17, 28)')
  expect(await page().locator('#root > *').count()).toBe(0)
})

describe('the palette', () => {
  it('leads from a pasted name to its page, and runs what it is told', async () => {
    await open('/connection')
    const blocks = await (
      await fetch(`${app.base}/api/json/blocks?page[limit]=1`, {
        headers: { authorization: `Bearer ${app.owner.key}` },
      })
    ).json()
    const { id, attributes } = blocks.data[0]

    await page().keyboard.press('/')
    await page().getByTestId('palette-input').fill(attributes.block_hash.toUpperCase())
    await expect
      .poll(() => page().getByRole('option').allInnerTexts())
      .toEqual([expect.stringContaining('Block 3')])
    await page().keyboard.press('Enter')
    await expect.poll(() => new URL(page().url()).pathname).toBe(`/blocks/${id}`)
    await expect.poll(() => page().evaluate(() => document.activeElement?.tagName)).toBe('H1')

    // Nothing of that name is no command either.
    await page().getByTestId('search').click()
    await page().getByTestId('palette-input').fill('ab'.repeat(32))
    await page().getByText('Nothing of that name').waitFor()
    await page().getByTestId('palette-input').fill('switch to the moon')
    await page().getByText('No command and no item of that name').waitFor()
    await page().getByTestId('palette-input').fill('api keys')
    await page().keyboard.press('Enter')
    await expect.poll(() => new URL(page().url()).pathname).toBe('/account/keys')

    // Items are found by a part of their name, below the commands.
    await makeResource(app, 'item', {
      claims: { name: 'The lease of the keys.pdf', hash: 'ab'.repeat(32), hash_type: 'sha256' },
    })
    await page().keyboard.press('/')
    await page().getByTestId('palette-input').fill('of the keys')
    await expect
      .poll(() => page().getByRole('option').allInnerTexts())
      .toEqual([expect.stringContaining('Item “The lease of the keys.pdf”')])
    await page().keyboard.press('Enter')
    await expect.poll(() => new URL(page().url()).pathname).toMatch(/^\/items\/\w{26}$/)
    await page().goBack()
    await page().getByTestId('key-name').waitFor()

    // Also while typing, where a slash is only a letter.
    await page().getByLabel('Name').fill('a/b')
    await page().getByLabel('Name').press('/')
    expect(await page().getByTestId('palette').count()).toBe(0)
    await page().getByLabel('Name').press('Control+k')
    await page().getByTestId('palette-input').fill('dark')
    await page().keyboard.press('Enter')
    await page().getByTestId('palette').waitFor({ state: 'detached' })
    expect(await page().evaluate(() => document.documentElement.dataset.theme)).toBe('dark')
    await expect.poll(() => page().evaluate(() => document.activeElement?.tagName)).toBe('INPUT')
  })
})

describe('the account menu', () => {
  it('says who is signed in, and leads to everything of the account and of the API', async () => {
    await page().addInitScript(AXE_SCRIPT)
    await open('/connection')
    await page().getByTestId('account').focus()
    await page().keyboard.press('Enter')
    const who = page().getByTestId('account-menu-who')
    await expect
      .poll(() => who.innerText())
      .toMatch(
        /ada\nada@example\.com\nTeam: ada · role: owner\nPlan: enterprise\nSigned in with the key phk_/,
      )
    expect(await axeFindings(page())).toEqual([])
    const links = await page()
      .getByTestId('account-menu')
      .getByRole('menuitem')
      .evaluateAll((items) => items.flatMap((item) => item.getAttribute('href') ?? []))
    expect(links).toEqual(expect.arrayContaining(['/api/json/swaggerui', '/api/json/redoc', '/graphiql']))
    const answers = await Promise.all(links.map(async (link) => (await fetch(app.base + link)).status))
    expect(answers).toEqual(links.map(() => 200))

    await page().keyboard.press('Escape')
    await expect
      .poll(() => page().evaluate(() => document.activeElement?.getAttribute('data-testid')))
      .toBe('account')
    await page().keyboard.press('Enter')
    const marked = () => page().locator('[role=menuitem][data-highlighted]').allInnerTexts()
    for (const name of ['Team: ada · role: owner', 'API keys']) {
      await expect.poll(marked).toEqual([name])
      await page().keyboard.press('ArrowDown')
    }
    await expect.poll(marked).toEqual(['Teams'])
    await page().keyboard.press('Enter')
    await expect.poll(() => new URL(page().url()).pathname).toBe('/account/teams')
  })

  it('and the palette and the keys over a page pass axe, by day and by night', async () => {
    await page().addInitScript(AXE_SCRIPT)
    for (const colorScheme of ['light', 'dark'] as const) {
      // Loaded in that light, because the colours of a page that is there change one after the other.
      await page().goto('about:blank')
      await page().emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await open('/account/teams')
      await page().keyboard.press('/')
      await page().getByTestId('palette-input').fill('2')
      await page().getByRole('option').first().waitFor()
      expect([colorScheme, await axeFindings(page())]).toEqual([colorScheme, []])
      await page().keyboard.press('Escape')
      await page().getByTestId('palette').waitFor({ state: 'detached' })
      await page().keyboard.press('?')
      await page().getByTestId('help').waitFor()
      expect([colorScheme, await axeFindings(page())]).toEqual([colorScheme, []])
      await page().keyboard.press('Escape')
      await page().getByTestId('help').waitFor({ state: 'detached' })
    }
  })
})

describe('the way from page to page', () => {
  it('begins at the heading of a new page, and comes back to where a page was left', async () => {
    await app.finalize(60)
    await open('/chain')
    await page().getByTestId('beacon-row').first().waitFor()
    // The first page leaves the focus where the browser puts it, and the content is one key away.
    expect(await page().evaluate(() => document.activeElement?.tagName)).toBe('BODY')
    await page().keyboard.press('Tab')
    expect(await page().evaluate(() => document.activeElement?.textContent)).toBe('Skip to the content')
    await page().keyboard.press('Enter')
    expect(await page().evaluate(() => document.activeElement?.tagName)).toBe('H1')

    // Older rows are read as the end of the list comes near.
    // The turn of a wheel is still under way when it is asked where the page is, so the page is moved by itself.
    const moved = () =>
      page().evaluate(() => {
        window.scrollBy(0, 400)
        // The page hears of it with the next frame.
        return new Promise<number>((told) => {
          requestAnimationFrame(() => requestAnimationFrame(() => told(window.scrollY)))
        })
      })
    await expect.poll(moved).toBeGreaterThan(1_000)
    const left = await page().evaluate(() => window.scrollY)
    const toVerify = () =>
      page()
        .getByRole('link', { name: 'Verify', exact: true })
        .evaluate((link: HTMLElement) => link.click())
    await toVerify()
    await expect.poll(() => page().evaluate(() => document.activeElement?.textContent)).toMatch(/^Verify/)
    expect(await page().evaluate(() => window.scrollY)).toBe(0)
    await page().goBack()
    await expect.poll(() => page().evaluate(() => window.scrollY)).toBe(left)
  })
})

it('the connection page says how the page is connected, what is left, and why it was interrupted', async () => {
  await open('/connection')
  const facts = page().getByTestId('connection-facts')
  await expect.poll(() => facts.innerText()).toMatch(/WebSocket.*Round trip\s+\d.* ms/s)
  await expect.poll(() => page().getByTestId('limits').innerText()).toMatch(/\d of 1,000,000 in a minute/)
  await page().getByText('None since this tab was opened.').waitFor()
  await page().getByText('No public chain is in use').waitFor()

  await context().setOffline(true)
  await page().getByTestId('banner').waitFor()
  await expect.poll(() => page().getByTestId('breaks').innerText()).toMatch(/so far/)
  expect(await facts.innerText()).toMatch(/Round trip\s+Not measured yet/)
  // The outage is said where a page cannot come, too.
  await page().getByRole('link', { name: 'Items', exact: true }).click()
  await page().getByText('This page did not load').waitFor()
  expect(await page().getByTestId('banner').count()).toBe(1)
  await page().goBack()
  await context().setOffline(false)
  await expect.poll(() => page().getByTestId('breaks').innerText()).toMatch(/Away for \d+ s/)
  await expect.poll(() => facts.innerText()).toMatch(/WebSocket/)
})

it('the round trip is measured for whoever comes over the first page, which follows every stream', async () => {
  await open('/')
  await page()
    .getByRole('main')
    .getByRole('link', { name: /outside services/ })
    .click()
  await expect.poll(() => page().getByTestId('connection-facts').innerText()).toMatch(/Round trip\s+\d.* ms/)
})

describe('a page whose code does not come', () => {
  const notLoaded = () => page().getByRole('heading', { name: 'This page did not load' })
  const facts = () => page().getByTestId('connection-facts')
  const follow = (name: string) => page().getByRole('link', { name, exact: true }).click()
  const heading = (name: RegExp) => page().getByRole('heading', { level: 1, name })
  /** Styles that the browser holds, by whether they came. */
  const styles = () =>
    page().evaluate(() =>
      [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')].map(
        ({ sheet }) => sheet !== null,
      ),
    )

  it('leaves all other pages as they are, and comes by itself when the network is back', async () => {
    await open('/connection')
    await facts().waitFor()
    await context().setOffline(true)
    await follow('Items')
    await notLoaded().waitFor()
    await page().goBack()
    await facts().waitFor()
    await follow('Items')
    await notLoaded().waitFor()
    await follow('Back to the first page')
    await page().getByTestId('picture').waitFor()
    await follow('Items')
    await notLoaded().waitFor()
    await context().setOffline(false)
    await heading(/Items/).waitFor()
    expect(await styles()).not.toContain(false)
  })

  it('comes by itself when the server answers again, with its styles', async () => {
    await open('/connection')
    await facts().waitFor()
    // A server that restarts refuses connections. The browser hears of no change of the network.
    let isAway = true
    await context().route('**/assets/*', (route) =>
      isAway ? route.abort('connectionrefused') : route.continue(),
    )
    await follow('Webhooks')
    await notLoaded().waitFor()
    // A part of the page comes as the page does.
    await page().getByTestId('account').click()
    await page().getByText('This part did not load').waitFor()
    isAway = false
    await page().getByTestId('account-menu').waitFor()
    await page().keyboard.press('Escape')
    await heading(/Webhooks/).waitFor()
    await notLoaded().waitFor({ state: 'detached' })
    expect(await styles()).not.toContain(false)
  })

  it('comes at a press when the server has been replaced', async () => {
    await open('/connection')
    await facts().waitFor()
    // Nothing of the build of this document is served any more, but for a document that is loaded anew.
    let isReplaced = true
    await context().route('**/assets/*', (route) =>
      isReplaced ? route.fulfill({ status: 404, body: '' }) : route.continue(),
    )
    await follow('Webhooks')
    await notLoaded().waitFor()
    page().on('request', (request) => {
      if (request.isNavigationRequest()) isReplaced = false
    })
    await page().getByRole('button', { name: 'Load again' }).click()
    await heading(/Webhooks/).waitFor()
    expect(isReplaced).toBe(false)
  })
})

it('both bars of a low window take a quarter of it at most, and nothing is wider than a phone', async () => {
  await page().setViewportSize({ width: 320, height: 256 })
  await open('/account/keys')
  for (const path of ['/account/keys', '/account/teams', '/connection', '/graphiql']) {
    await turnTo(page(), path)
    await page().getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' })
    const { bars, wide } = await page().evaluate(() => ({
      bars: [...document.querySelectorAll('.top-bar, .places')].reduce(
        (sum, bar) => sum + bar.clientHeight,
        0,
      ),
      wide: document.documentElement.scrollWidth,
    }))
    expect([path, bars <= 64, wide]).toEqual([path, true, 320])
  }
})
