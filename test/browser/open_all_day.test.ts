// The first page stays open for a working day, with a block each second, and takes no more memory at its end.
import type { CDPSession, Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { hearChain, type Pace } from '../support/heard_chain.ts'
import { sizeOf } from '../support/sizes.ts'
import { testApp } from '../support/test_app.ts'
import { workerBrowser } from '../support/worker_browser.ts'
import { followRequests } from './gates/visit.ts'

const app = testApp()
const browser = workerBrowser()
beforeAll(() => app.finalize(6))

const EACH_SECOND: Pace = { everyMs: 1_000, together: 1 }
/** As many as the picture takes in a second without reading the chain anew. */
const AT_ONCE: Pace = { everyMs: 100, together: 80 }
/** Longer than everything that the page does now and then, and more tiles than are in view. */
const WARM_UP_SECONDS = 310
/** Less than the page waits for an answer. */
const STEP_SECONDS = 5

/** A row with its data, and the beacon and the tile that come with it. Rows are kept up to a ceiling. */
const BYTES_PER_ROW = 1_500
/**
 * What differs from one measurement to the next: rows beyond the ceiling that are dropped together, tiles likewise, and
 * code that was compiled meanwhile. In eight hours, 70 bytes kept of each beacon are more.
 */
const MARGIN_BYTES = 2_000_000
/** The times under the tiles are sometimes one more. */
const MARGIN_NODES = 20

type Used = Readonly<Record<'heap' | 'nodes' | 'listeners' | 'documents' | 'rows', number>>

/** The first page, in whose own time everything happens. */
const openPage = async () => {
  const page = await browser().newPage({ viewport: { width: 1440, height: 900 } })
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Performance.enable')
  const underWay = followRequests(page)
  // The page expects the pace that it hears.
  await page.route('**/health/ready', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), block_interval_ms: 1_000 } })
  })
  await page.clock.install()
  await hearChain(page, app)
  const pass = async (pace: Pace, seconds: number): Promise<void> => {
    await page.evaluate((given) => window.goOn(given), pace)
    for (let left = seconds; left > 0; left -= STEP_SECONDS) {
      await page.clock.runFor(Math.min(left, STEP_SECONDS) * 1_000)
      // No time passes while the service answers.
      if (underWay() > 0) await expect.poll(underWay, { interval: 5 }).toBe(0)
    }
    // What is heard last is shown a moment later.
    await page.clock.runFor(500)
  }
  return { page, pass, used: () => inUse(page, cdp) }
}

/** What is in use after everything that nobody holds has been collected. */
const inUse = async (page: Page, cdp: CDPSession): Promise<Used> => {
  const rows = Number(await page.getByTestId('monitor-row').first().getAttribute('aria-setsize'))
  // What the first collection finalizes is freed by the second.
  for (let times = 0; times < 2; times += 1) await cdp.send('HeapProfiler.collectGarbage')
  const { metrics } = await cdp.send('Performance.getMetrics')
  const of = (name: string): number => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN
  return {
    heap: of('JSHeapUsedSize'),
    nodes: of('Nodes'),
    listeners: of('JSEventListeners'),
    documents: of('Documents'),
    rows,
  }
}

it('the first page does not grow while it hears a beacon each second', { timeout: 900_000 }, async () => {
  const { page, pass, used } = await openPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  let connections = 0
  page.on('websocket', () => {
    connections += 1
  })
  await page.goto(`${app.base}/#key=${app.owner.key}`)
  await page.getByTestId('monitor-row').filter({ hasText: 'Block' }).first().waitFor()
  // Beacons are rows among raw events.
  await page.getByTestId('monitor-raw').click()
  await page.getByTestId('log-line').waitFor()
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 4_000)

  await pass(AT_ONCE, (sizeOf('heard_at_once') / AT_ONCE.together / 1_000) * AT_ONCE.everyMs)
  await pass(EACH_SECOND, WARM_UP_SECONDS)
  const before = await used()
  await pass(EACH_SECOND, sizeOf('open_seconds'))
  const after = await used()
  if (process.env.GATES_TELL !== undefined) console.log(before, after)

  const kept = after.rows - before.rows
  expect(after.heap).toBeLessThan(before.heap + kept * BYTES_PER_ROW + MARGIN_BYTES)
  expect(after.nodes).toBeLessThanOrEqual(before.nodes + MARGIN_NODES)
  expect(after.listeners).toBeLessThanOrEqual(before.listeners)
  expect(after.documents).toBe(before.documents)

  // The page has heard and shown all of it, over one connection.
  const { hash } = await page.evaluate(() => window.heardHead)
  expect(await page.title()).toContain(hash.slice(0, 8))
  expect(await page.getByTestId('status').innerText()).toMatch(/live/i)
  expect({ connections, complaints }).toEqual({ connections: 1, complaints: [] })
})
