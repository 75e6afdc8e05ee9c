// A signed-in tab of the console: leads it from page to page without loading it again, and knows when a page is complete.
import type { Browser, BrowserContextOptions, Page, Request } from 'playwright-core'
import { expect } from 'vitest'
import type { TestApp } from '../../support/app.ts'
import { complaintsOf, turnTo } from '../../support/browser.ts'

export interface Visit {
  readonly page: Page
  /** Shows the page of an address and waits until it is complete. */
  readonly show: (address: string) => Promise<void>
  /** Loads the page of an address anew, and waits in the same way. */
  readonly load: (address: string) => Promise<void>
  readonly settled: () => Promise<void>
  /** Violations of the content policy and errors of the page since the start. */
  readonly complaints: readonly string[]
  readonly close: () => Promise<void>
}

export interface VisitOptions extends BrowserContextOptions {
  /** Evaluated in each document before its own scripts. */
  readonly initScript?: string
  /** The first address. The first page, signed in, when absent. */
  readonly start?: string
  /** Called with the empty tab. */
  readonly before?: (page: Page) => Promise<unknown>
}

export async function openVisit(
  browser: Browser,
  app: Pick<TestApp, 'base' | 'owner'>,
  { initScript, start, before, ...options }: VisitOptions = {},
): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options })
  if (initScript !== undefined) await context.addInitScript(initScript)
  const page = await context.newPage()
  const complaints = complaintsOf(context)
  const underWay = followRequests(page)
  const settled = async (): Promise<void> => {
    const state = async () => ({ requests: underWay(), page: await page.evaluate(unfinished) })
    // Twice, because one answer may lead to the next question.
    for (let calm = 0; calm < 2; calm += 1)
      await expect.poll(state, { interval: 30 }).toEqual({ requests: 0, page: [] })
  }
  await before?.(page)
  await page.goto(start ?? `${app.base}/#key=${app.owner.key}`)
  await settled()
  return {
    page,
    settled,
    complaints,
    show: async (address) => {
      await turnTo(page, address)
      await settled()
    },
    load: async (address) => {
      await page.goto(app.base + address)
      await settled()
    },
    close: () => context.close(),
  }
}

/** Requests that are not answered. The connection of the stream stays open, so it does not count. */
export function followRequests(page: Page): () => number {
  const open = new Set<Request>()
  page.on('request', (request) => {
    if (!request.url().includes('/socket.io/')) open.add(request)
  })
  page.on('requestfinished', (request) => open.delete(request))
  page.on('requestfailed', (request) => open.delete(request))
  return () => open.size
}

/** What is not there yet, in the words of the page. */
const unfinished = async (): Promise<string[]> => {
  // What the address changed is displayed in the next frame.
  await new Promise(requestAnimationFrame)
  const main = document.querySelector('main')
  if (main === null) return ['no main']
  const busy = [...document.querySelectorAll('[aria-busy=true]')].map((one) => `busy: ${one.className}`)
  return document.querySelector('h1') === null ? ['no heading', ...busy] : busy
}
