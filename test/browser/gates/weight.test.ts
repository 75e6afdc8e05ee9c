// What a first page costs to load until it is of use: bytes as they came over the wire, documents, code, JSON and stream
// together. What is asked for later does not count, however fast it comes.
import type { CDPSession, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../../support/app.ts'
import { workerBrowser } from '../../support/worker_browser.ts'
import { type FurnishedApp, openFurnishedApp } from './furnished_app.ts'
import { openVisit } from './visit.ts'

let furnished: FurnishedApp
let open: TestApp

beforeAll(async () => {
  furnished = await openFurnishedApp()
  await furnished.app.finalize(40)
  open = await openTestApp({ beside: furnished.app, logIsPublic: true })
})
afterAll(async () => {
  await open?.close()
  await furnished?.app.close()
})
const browser = workerBrowser()

const KIB = 1_024

/** Bytes by what was asked for, of what was asked for before a time. */
type Transfer = (until: number) => Readonly<Record<string, number>>

const STREAM = 'stream'

const followTransfer = async (page: Page): Promise<Transfer> => {
  const cdp: CDPSession = await page.context().newCDPSession(page)
  const asked = new Map<string, { readonly name: string; readonly at: number }>()
  const came: { readonly name: string; readonly at: number; readonly bytes: number }[] = []
  cdp.on('Network.requestWillBeSent', ({ requestId, request, wallTime }) => {
    const { pathname, search } = new URL(request.url)
    asked.set(requestId, { name: pathname + search, at: wallTime * 1_000 })
  })
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength: bytes }) => {
    const one = asked.get(requestId)
    if (one !== undefined) came.push({ ...one, bytes })
  })
  cdp.on('Network.webSocketFrameReceived', ({ response }) =>
    came.push({ name: STREAM, at: Date.now(), bytes: response.payloadData.length }),
  )
  await cdp.send('Network.enable')
  return (until) => {
    const parts: Record<string, number> = {}
    for (const { name, at, bytes } of came) if (at <= until) parts[name] = (parts[name] ?? 0) + bytes
    return parts
  }
}

/** The time at which the page first shows the element, by the page's own clock. */
const noteUsable = (page: Page, selector: string): Promise<unknown> =>
  page.addInitScript((wanted) => {
    const look = (): void => {
      const isShown = document.querySelector(wanted)?.checkVisibility({ visibilityProperty: true }) === true
      if (isShown) document.documentElement.dataset.usableAt = String(Date.now())
      else requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  }, selector)

const total = (parts: Readonly<Record<string, number>>): number =>
  Object.values(parts).reduce((sum, bytes) => sum + bytes, 0)

/** Shown when it is too much, the largest first. */
const largest = (parts: Readonly<Record<string, number>>): string =>
  Object.entries(parts)
    .sort(([, a], [, b]) => b - a)
    .map(([name, bytes]) => `${bytes} ${name}`)
    .join('\n')

it.each([
  ['the front door', 150, () => furnished.app, '', 'h1'],
  ['the front door with an open log', 150, () => open, '', '[data-testid=log-line]'],
  ['the first page of somebody who signs in', 150, () => furnished.app, '#key=', '[data-testid=head-hash]'],
  ['the first event on it', 140, () => furnished.app, '#key=', '[data-testid=monitor-row]'],
] as const)('%s takes at most %i KiB', async (_, most, app, fragment, usable) => {
  const { base, owner } = app()
  const transfers: Transfer[] = []
  const visit = await openVisit(browser(), app(), {
    start: fragment === '' ? base : `${base}/${fragment}${owner.key}`,
    before: async (page) => {
      await noteUsable(page, usable)
      transfers.push(await followTransfer(page))
    },
  })
  const { page } = visit
  await page.locator('html[data-usable-at]').waitFor()
  const parts = transfers[0]?.(Number(await page.locator('html').getAttribute('data-usable-at'))) ?? {}
  expect(parts['/']).toBeGreaterThan(0)
  if (process.env.GATES_TELL !== undefined) console.log(`${total(parts)}\n${largest(parts)}`)
  expect(total(parts), largest(parts)).toBeLessThanOrEqual(most * KIB)
})
