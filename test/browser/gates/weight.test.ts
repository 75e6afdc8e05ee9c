// What a first page costs to load: bytes as they came over the wire, documents, code, JSON and stream together.
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

const MOST_BYTES = 150 * 1_024

type Transfer = { readonly total: () => number; readonly parts: () => Readonly<Record<string, number>> }

const followTransfer = async (page: Page): Promise<Transfer> => {
  const cdp: CDPSession = await page.context().newCDPSession(page)
  const urls = new Map<string, string>()
  const parts: Record<string, number> = {}
  const add = (name: string, bytes: number): void => {
    parts[name] = (parts[name] ?? 0) + bytes
  }
  cdp.on('Network.requestWillBeSent', ({ requestId, request }) => urls.set(requestId, request.url))
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) =>
    add(
      (({ pathname, search }) => pathname + search)(new URL(urls.get(requestId) ?? 'about:blank')),
      encodedDataLength,
    ),
  )
  cdp.on('Network.webSocketFrameReceived', ({ response }) => add('stream', response.payloadData.length))
  await cdp.send('Network.enable')
  return { parts: () => parts, total: () => Object.values(parts).reduce((sum, bytes) => sum + bytes, 0) }
}

/** Shown when it is too much, the largest first. */
const largest = ({ parts }: Transfer): string =>
  Object.entries(parts())
    .sort(([, a], [, b]) => b - a)
    .map(([name, bytes]) => `${bytes} ${name}`)
    .join('\n')

it.each([
  ['the front door', () => furnished.app, '', 'h1'],
  ['the front door with an open log', () => open, '', '[data-testid=log-line]'],
  ['the first page of somebody who signs in', () => furnished.app, '#key=', '[data-testid=head-hash]'],
] as const)('%s takes at most 150 KB', async (_, app, fragment, usable) => {
  const { base, owner } = app()
  const transfers: Transfer[] = []
  const visit = await openVisit(browser(), app(), {
    start: fragment === '' ? base : `${base}/${fragment}${owner.key}`,
    before: async (page) => void transfers.push(await followTransfer(page)),
  })
  await visit.page.locator(usable).waitFor()
  const [transfer] = transfers
  if (transfer === undefined) throw new Error('Nothing was measured.')
  expect(transfer.parts()['/']).toBeGreaterThan(0)
  if (process.env.GATES_TELL !== undefined) console.log(`${transfer.total()}\n${largest(transfer)}`)
  expect(transfer.total(), largest(transfer)).toBeLessThanOrEqual(MOST_BYTES)
})
