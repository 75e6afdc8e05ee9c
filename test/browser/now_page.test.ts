// The first page in a real browser: the chain as a picture, the head above it, and the room that is left for the monitor.
import { beforeAll, describe, expect, it } from 'vitest'
import { NO_CHAINS, openTestApp, type TestApp } from '../support/app.ts'
import { signIn } from '../support/browser.ts'
import { consoleTab } from '../support/console_tab.ts'
import { freePort } from '../support/free_port.ts'
import { makeItems } from '../support/make_resource.ts'
import { testApp } from '../support/test_app.ts'
import { SHIFTS_SCRIPT, shifted } from './gates/page_laws.ts'
import { followRequests } from './gates/visit.ts'

const intervals = { ...NO_CHAINS.intervals, embedded: 3_000 }
/** Makes a block a second, and commits them to the development chain. */
const living = testApp({ blockIntervalMs: 1_000, chains: { ...NO_CHAINS, names: ['embedded'], intervals } })
/** Makes a block only when a test says so. */
const still = testApp({ port: await freePort() })
const { page } = consoleTab(still)
beforeAll(() => still.finalize(4))

const open = async (app: TestApp): Promise<void> => {
  await page().goto(`${app.base}/#key=${app.owner.key}`)
  await tiles().first().waitFor()
}
const tiles = () => page().getByTestId('tile')
const text = (id: string) => () => page().getByTestId(id).innerText()
const tileIds = () => tiles().evaluateAll((all) => all.map((tile) => tile.getAttribute('data-id')))
const chainIds = async (app: TestApp, order: 'ASC' | 'DESC' = 'ASC') =>
  (await app.query<{ id: string }>(`SELECT id FROM blocks ORDER BY height ${order}`)).map(({ id }) => id)
const headHeight = async (app: TestApp) =>
  Number((await app.query<{ height: number }>('SELECT max(height) AS height FROM blocks'))[0]?.height)

describe('the picture of the chain', () => {
  it('grows by a tile a block and commits them with their epoch, without a request for any of them', async () => {
    const asked: string[] = []
    page().on('request', (request) => asked.push(new URL(request.url()).pathname))
    await open(living)
    const confirmed = page().locator('[data-testid=bracket][data-state=confirmed]')
    await confirmed.first().waitFor()
    await page().locator('[data-testid=tile][data-committed=true]').first().waitFor()
    await expect.poll(text('lane-words')).toMatch(/The development chain: last confirmed/)
    expect(await page().getByTestId('countdown').innerText()).toMatch(/next (within 1 s|in|is due)|no block/)

    const before = await confirmed.count()
    const blocksRead = asked.filter((path) => path.startsWith('/api/json/blocks')).length
    const height = await headHeight(living)
    await expect.poll(() => headHeight(living)).toBeGreaterThan(height + 4)
    await expect.poll(() => confirmed.count()).toBeGreaterThan(before)
    await expect.poll(tileIds).toContain((await chainIds(living))[height + 4])
    const shown = await tileIds()
    const chain = await chainIds(living)
    const from = chain.indexOf(shown[0] ?? '')
    expect(chain.slice(from, from + shown.length)).toEqual(shown)
    // A connection that was lost meanwhile reads a page again; never is a block read by itself.
    expect(asked.filter((path) => path.startsWith('/api/json/blocks')).length).toBeLessThan(blocksRead + 3)
    expect(asked.filter((path) => path.startsWith('/api/json/blocks/'))).toEqual([])
  })

  it('is walked by the arrow keys; each tile has a name, and Enter opens its block', async () => {
    await open(still)
    const ids = await chainIds(still)
    await page().getByTestId('tiles').focus()
    for (const key of ['ArrowLeft', 'ArrowLeft', 'ArrowRight', 'Home', 'ArrowLeft', 'ArrowRight'])
      await page().keyboard.press(key)
    const active = page().locator('[role=option][aria-selected=true]')
    expect(await active.getAttribute('data-id')).toBe(ids[1])
    expect(await active.getAttribute('aria-label')).toMatch(/^Block 1, in the chain, 0 items/)
    expect(await page().getByTestId('tiles').getAttribute('aria-activedescendant')).toBe(`tile-${ids[1]}`)
    expect(await text('tile-line')()).toMatch(/^Block 1 .*UTC.*0 items · in the chain/)
    await page().keyboard.press('Enter')
    await page().waitForURL(`**/blocks/${ids[1]}`)
    await page().goBack()
    await tiles().first().waitFor()
  })

  it('tells what a pointed tile is, and a click opens its block', async () => {
    await open(still)
    const [first] = await chainIds(still)
    await page().locator(`[data-id="${first}"]`).hover()
    await expect.poll(text('tile-line')).toMatch(/^Block 0 /)
    await page().mouse.move(10, 10)
    await expect.poll(text('tile-line')).toMatch(/^\d+ blocks since/)
    const tile = page().locator(`[data-id="${first}"]`)
    expect(await tile.getAttribute('href')).toBe(`/blocks/${first}`)
    await tile.click()
    await page().waitForURL(`**/blocks/${first}`)
  })

  it('says how many items of the team wait for the next block, and begins anew with it', async () => {
    await open(still)
    await expect.poll(text('gathering')).toMatch(/0 items of your team/)
    const claims = { name: 'Item', description: 'Written down so that it can be proven later on.' }
    await makeItems(still, [{ claims }, { claims }, { claims }])
    await expect.poll(text('gathering')).toMatch(/3 items of your team/)
    await page().reload()
    await expect.poll(text('gathering')).toMatch(/3 items of your team/)
    await still.finalize()
    await expect.poll(text('gathering')).toMatch(/0 items of your team/)
    const newest = (await chainIds(still)).at(-1)
    expect(await page().locator(`[data-id="${newest}"]`).getAttribute('aria-label')).toMatch(/, 3 items/)
    await expect.poll(text('head-height')).toBe(`height ${await headHeight(still)}`)
  })

  it('explains itself until the legend is put away, and remembers that', async () => {
    await open(still)
    expect(await text('legend')()).toMatch(
      /A tile is a block.*in the chain of this service.*on another chain too/s,
    )
    await page().getByRole('button', { name: 'Put the legend away' }).click()
    await page().reload()
    await tiles().first().waitFor()
    expect(await page().getByTestId('legend').count()).toBe(0)
    await page().getByRole('button', { name: 'What is this?' }).click()
    await page().getByTestId('legend').waitFor()
  })

  it('says that no public chain is in use where that is so, not where one has yet to answer', async () => {
    const ready: object = await (await fetch(`${still.base}/health/ready`)).json()
    const NONE = /No public chain is in use, so no block goes on one/
    let chains = [{ chain: 'bitcoin', network: null, confirmed_at: null, waiting: 0, error: null }]
    await page().route('**/health/ready', (route) => route.fulfill({ json: { ...ready, chains } }))
    await open(still)
    await page().getByText('All outside services').waitFor()
    expect(await text('lane-words')()).not.toMatch(NONE)
    chains = []
    await page().reload()
    await expect.poll(text('lane-words')).toMatch(NONE)
  })

  it('is of the newest 90 blocks, and says where the older ones are', async () => {
    await still.finalize(100)
    await open(still)
    const all = await chainIds(still)
    await expect.poll(tileIds).toEqual(all.slice(-90))
    await page().getByTestId('tiles').focus()
    await page().keyboard.press('Home')
    await expect.poll(text('tile-line')).toMatch(`Block ${all.length - 90} `)
    await page().getByTestId('strip').getByRole('link', { name: 'Chain' }).click()
    await page().waitForURL('**/chain')
  })

  it('names the items of the team over their blocks, and is low while no block has two items', async () => {
    await still.finalize(90)
    const { key } = await still.account('linus')
    await page().goto(`${still.base}/#key=${key}`)
    await tiles().first().waitFor()
    const isLow = () => page().locator('.picture-plot').getAttribute('data-low')
    const claims = { name: 'contract.pdf', description: 'What was agreed upon, as it was signed by both.' }
    await makeItems(still, [{ claims }], key)
    await expect.poll(text('gathering')).toMatch(/1 item of your team/)
    expect(await isLow()).toBe('true')
    await still.finalize()
    await expect.poll(() => page().getByTestId('flag').innerText()).toBe('contract.pdf')
    const newest = page().locator(`[data-id="${(await chainIds(still)).at(-1)}"]`)
    expect(await newest.getAttribute('data-new')).toBe('true')
    await newest.hover()
    await expect.poll(text('tile-line')).toMatch(/1 item · yours: contract\.pdf/)
    await makeItems(still, [{ claims }, { claims }], key)
    await expect.poll(isLow).toBe('false')
  })
})

describe('the first screen', () => {
  it('has six rows of the monitor at 1024 by 768 and four at 390 by 844, under head and picture', async () => {
    await makeItems(living, [{ claims: { name: 'Item', hash: 'ab'.repeat(32), hash_type: 'sha256' } }])
    await signIn(page(), living.owner.key)
    for (const [width, height, least] of [
      [1024, 768, 6],
      [390, 844, 4],
    ] as const) {
      await page().setViewportSize({ width, height })
      await page().goto(living.base)
      await tiles().first().waitFor()
      await expect.poll(() => page().locator('.monitor-row').count()).toBeGreaterThan(8)
      const whole = await page()
        .locator('.monitor-row')
        .evaluateAll((rows) => {
          const end = document.querySelector('.places')?.getBoundingClientRect().top ?? 0
          const bottom = end > 100 ? end : window.innerHeight
          return rows.filter((row) => row.getBoundingClientRect().bottom <= bottom).length
        })
      expect(whole).toBeGreaterThanOrEqual(least)
      expect(await page().evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    }
  })

  it.each([
    ['the blocks', '**/api/json/blocks?*'],
    ['the epochs', '**/api/json/epochs?*'],
    ['the beacons', '**/api/json/beacons?*'],
    ['its items', '**/api/json/items?*'],
    ['the readiness', '**/health/ready'],
  ])('does not shift when %s come last, after all else stands', async (_, address) => {
    const claims = { name: 'Item', hash: 'ab'.repeat(32), hash_type: 'sha256' }
    const account = await still.account(address)
    await makeItems(still, [{ claims }, { claims }, { claims }], account.key)
    await still.finalize()
    await signIn(page(), account.key)
    await page().addInitScript(SHIFTS_SCRIPT)
    const underWay = followRequests(page())
    let held = 0
    const { promise: othersAreThere, resolve: letGo } = Promise.withResolvers<void>()
    await page().route(address, async (route) => {
      held += 1
      await othersAreThere
      await route.continue()
    })
    await page().goto('/')
    await expect.poll(() => held > 0 && underWay() === held).toBe(true)
    // What is there is painted, unless the page waits with all of it.
    await page().evaluate(async () => {
      for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame)
    })
    letGo()
    await page().getByTestId('monitor-row').first().waitFor()
    await page().getByTestId('tile').first().waitFor()
    expect(await page().evaluate(shifted, { most: 0.01 })).toEqual([])
  })

  it('begins with the drop area until the first item, which makes it one of its parts', async () => {
    const account = await still.account('first')
    await signIn(page(), account.key)
    await page().goto('/')
    await page().getByText('Drop a file: get a timestamp').waitFor()
    const top = (of: string) =>
      page()
        .getByTestId(of)
        .evaluate((one) => one.getBoundingClientRect().top)
    expect(await top('stamp')).toBeLessThan(await top('tiles'))
    // It has as much room below its words as above.
    const lower = await page()
      .locator('.file-drop')
      .evaluate((area) => {
        const { top, bottom } = area.getBoundingClientRect()
        const inside = [...area.children].filter((one) => getComputedStyle(one).position !== 'fixed')
        const [above] = inside.map((one) => one.getBoundingClientRect().top - top)
        return bottom - (inside.at(-1)?.getBoundingClientRect().bottom ?? 0) - (above ?? 0)
      })
    expect(Math.abs(lower)).toBeLessThan(2)
    await makeItems(
      still,
      [{ claims: { name: 'Item', hash: 'ab'.repeat(32), hash_type: 'sha256' } }],
      account.key,
    )
    await page().reload()
    await page().getByTestId('stamp').getByText('Timestamp a file').waitFor()
    expect(await page().getByText('Drop a file: get a timestamp').count()).toBe(0)
  })
})

// Stops a service, so it comes last.
describe('an outage', () => {
  it('is told while it lasts, and is a mark over the blocks that were made meanwhile', async () => {
    await open(still)
    const before = await headHeight(still)
    await still.stop()
    await expect.poll(text('gathering')).toMatch(/not connected since/)
    await expect.poll(text('countdown')).toBe('not connected')
    await still.finalize(2)
    const again = await openTestApp({ beside: still, port: still.port })
    try {
      await page().getByTestId('absence').waitFor()
      await expect.poll(text('gathering')).toMatch(`Block ${(before + 3).toLocaleString('en-US')}`)
      expect((await tileIds()).slice(-3)).toEqual((await chainIds(still)).slice(-3))
    } finally {
      await again.close()
    }
  })
})
