// Every page of the console, with something on it: names and contrasts, colours of the system, rest, 400 % zoom, and a
// layout that stays where it is.
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { CONSOLE_ROUTES, type ConsoleRoute } from '../../../shared/wire/console_routes.ts'
import { openBrowser } from '../../support/browser.ts'
import { AXE_SCRIPT, axeFindings } from './axe_findings.ts'
import { type FurnishedApp, openFurnishedApp } from './furnished_app.ts'
import { motion, presentPlace, SHIFTS_SCRIPT, shifted, zoomed } from './page_laws.ts'
import { openVisit, type Visit, type VisitOptions } from './visit.ts'

let browser: Browser
let furnished: FurnishedApp
let visit: Visit

beforeAll(async () => {
  ;[browser, furnished] = await Promise.all([openBrowser(), openFurnishedApp()])
}, 180_000)
afterEach(async () => {
  expect(visit.complaints).toEqual([])
  await visit.close()
})
afterAll(async () => {
  await browser?.close()
  await furnished?.app.close()
})

type Look = (route: ConsoleRoute) => Promise<readonly string[]>

/** Walks through all pages, and returns what was found on each page where something was. */
const walk = async (options: VisitOptions, look: Look, how: 'show' | 'load' = 'show') => {
  visit = await openVisit(browser, furnished.app, options)
  const found: Partial<Record<ConsoleRoute, readonly string[]>> = {}
  for (const route of CONSOLE_ROUTES) {
    await visit[how](furnished.addresses[route])
    const here = await look(route)
    if (here.length > 0) found[route] = here
  }
  return found
}

const still = { reducedMotion: 'reduce', initScript: AXE_SCRIPT } as const

it('axe finds nothing on any page, and nothing moves when no motion is wanted', async () => {
  const look: Look = async () => [...(await axeFindings(visit.page)), ...(await visit.page.evaluate(motion))]
  expect(await walk({ ...still, colorScheme: 'light' }, look)).toEqual({})
})

it('every page has enough contrast in the dark', async () => {
  expect(await walk({ ...still, colorScheme: 'dark' }, () => axeFindings(visit.page, 'colours'))).toEqual({})
})

it('every page keeps its marks in the colours of the system', async () => {
  const look: Look = async () => [
    ...(await axeFindings(visit.page, 'colours')),
    ...(await visit.page.evaluate(presentPlace)),
  ]
  expect(await walk({ ...still, forcedColors: 'active' }, look)).toEqual({})
})

it('every page can be read and reached at 400 % zoom', async () => {
  expect(await walk({ viewport: { width: 320, height: 256 } }, () => visit.page.evaluate(zoomed))).toEqual({})
})

it('nothing on any page shifts while it loads, nor when beacons arrive', async () => {
  const look: Look = async (route) => {
    if (route === '/' || route === '/chain') {
      const before = await visit.page.title()
      await furnished.app.finalize(2)
      if (route === '/') await expect.poll(() => visit.page.title()).not.toBe(before)
    }
    return visit.page.evaluate(shifted)
  }
  expect(await walk({ initScript: SHIFTS_SCRIPT }, look, 'load')).toEqual({})
})
