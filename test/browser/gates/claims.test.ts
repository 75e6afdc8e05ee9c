// A page claims nothing before it has read it: with every read held back, no page says that anything is proven, valid or
// public. And a page at rest rests, while a block comes each second.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { CONSOLE_ROUTES } from '../../../shared/wire/console_routes.ts'
import { signIn, turnTo } from '../../support/browser.ts'
import { slowness } from '../../support/slowness.ts'
import { workerBrowser } from '../../support/worker_browser.ts'
import { type FurnishedApp, openFurnishedApp } from './furnished_app.ts'
import { openVisit } from './visit.ts'

let furnished: FurnishedApp

beforeAll(async () => {
  furnished = await openFurnishedApp()
})
afterAll(() => furnished?.app.close())
const browser = workerBrowser()

/** Words of statements about what was read or computed. Help and labels of controls have others. */
const CLAIMS =
  /unbroken|verified since|is proven|recomputed in this browser|consistent with what|can be checked by anybody|\b(it|that) [a-z ]+ carries\b|every link|is signed by|(?<!items )\bin a block\b|\bon (a chain|the development chain|Bitcoin|Stellar)\b|(?<![.])\b(confirmed|committed|finalized)\b/gi

/** The text of the page without what explains it and what is pressed. */
const statements = (): string => {
  const texts: string[] = []
  const read = (node: Node): void => {
    if (
      node instanceof HTMLElement &&
      node.matches('button, label, select, fieldset, figcaption, [class*=legend], [hidden]')
    )
      return
    if (node instanceof Text) texts.push(node.data)
    node.childNodes.forEach(read)
  }
  document.querySelectorAll('main').forEach(read)
  return texts.join(' ')
}

it('no page claims anything while its reads are held back', { timeout: 400_000 }, async () => {
  const { base, owner } = furnished.app
  const visit = await openVisit(browser(), furnished.app, {
    start: `${base}/verify`,
    before: (page) => signIn(page, owner.key),
  })
  const { page } = visit
  // From now on nothing is answered, and nothing streams.
  await page.route(/\/(api\/json|log|health|\.well-known)\/|\/gql$/, () => undefined)
  await page.routeWebSocket(/socket\.io/, () => undefined)
  // A document that has read nothing, whichever of its pages it shows.
  await page.goto(base)
  const shown = new Set<string>()
  const found: Record<string, readonly string[]> = {}
  for (const route of CONSOLE_ROUTES) {
    await turnTo(page, furnished.addresses[route])
    await page.waitForFunction(() => (document.querySelector('main')?.innerText ?? '') !== '')
    const said = await page.evaluate(statements)
    shown.add(said)
    const words = said.match(CLAIMS)
    if (words !== null) found[route] = words
  }
  expect(found).toEqual({})
  expect(shown.size).toBeGreaterThan(CONSOLE_ROUTES.length / 2)
})

/** Seconds of CPU of the browser's processes that display the page. */
const cpuSeconds = async (): Promise<number> => {
  const cdp = await browser().newBrowserCDPSession()
  const { processInfo } = await cdp.send('SystemInfo.getProcessInfo')
  await cdp.detach()
  return processInfo
    .filter(({ type }) => type === 'renderer' || type === 'GPU')
    .reduce((sum, { cpuTime }) => sum + cpuTime, 0)
}

const BLOCKS = 8

it('the first page rests while a block comes each second', async () => {
  const visit = await openVisit(browser(), furnished.app)
  const { page } = visit
  const head = () => page.getByTestId('head-hash').innerText()
  await furnished.app.finalize()
  await expect.poll(() => page.getByTestId('status').innerText()).toMatch(/live|stale/i)
  const before = { cpu: await cpuSeconds(), at: performance.now(), head: await head() }
  let slower = 0
  for (let blocks = 0; blocks < BLOCKS; blocks += 1) {
    await furnished.app.finalize()
    // The pace is what is measured.
    await page.waitForTimeout(1_000)
    slower += slowness() / BLOCKS
  }
  const used = (await cpuSeconds()) - before.cpu
  const share = used / ((performance.now() - before.at) / 1_000)
  expect(await head()).not.toBe(before.head)
  if (process.env.GATES_TELL !== undefined) console.log(`CPU ${(share * 100).toFixed(1)} %`)
  const endless = await page.evaluate(() =>
    document
      .getAnimations()
      .filter(
        ({ playState, effect }) =>
          playState === 'running' && effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY,
      )
      .map(({ effect }) => (effect instanceof KeyframeEffect ? effect.target?.className : '')),
  )
  expect(endless).toEqual([])
  // Where the machine is slow, or its time is given to others, the same work takes more of it.
  expect(share / slower).toBeLessThan(0.1)
})
