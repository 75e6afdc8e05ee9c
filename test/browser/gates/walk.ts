// A walk through every page of the console, with something on it, and through what is shown without a key.
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { CONSOLE_ROUTES, type ConsoleRoute } from '../../../shared/wire/console_routes.ts'
import { openTestApp, type TestApp } from '../../support/app.ts'
import { workerBrowser } from '../../support/worker_browser.ts'
import { type FurnishedApp, openFurnishedApp } from './furnished_app.ts'
import { openVisit, type Visit, type VisitOptions } from './visit.ts'

/** What is shown without a key: of which service, at which address, and what is there when it is complete. */
const DOORS = [
  ['the door', 'closed', '/', '[data-testid=key-input]'],
  ['the door with an open log', 'open', '/', '[data-testid=log-line][data-state]'],
  ['a page that needs a key', 'closed', '/items', '[data-testid=key-input]'],
  ['verify without a key', 'closed', '/verify', 'h1'],
  ['all articles', 'closed', '/docs', 'section'],
  ['an article', 'closed', '/docs/proofs', '.prose'],
  ['what a search finds', 'closed', '/docs?q=proof', '.found'],
] as const

export type Place = ConsoleRoute | (typeof DOORS)[number][0]
export type Look = (place: Place) => Promise<readonly string[]>

/** What is pressed on a page that would show nothing else, and what is there then. */
const PRESSED: Partial<Record<Place, readonly [button: string, then: string]>> = {
  '/verify/:type/:id': ['fetch-proof', 'verdict'],
}

/** Open while tests run. At the end of each test the page has not complained. */
export function openWalk() {
  let furnished: FurnishedApp | undefined
  /** The same service with an open log. */
  let open: TestApp | undefined
  let visit: Visit | undefined
  beforeAll(async () => {
    furnished = await openFurnishedApp()
    open = await openTestApp({ beside: furnished.app, logIsPublic: true })
  })
  afterAll(async () => {
    await open?.close()
    await furnished?.app.close()
  })
  const browser = workerBrowser()
  const leave = async (): Promise<void> => {
    const left = visit
    visit = undefined
    expect(left?.complaints ?? []).toEqual([])
    await left?.close()
  }
  afterEach(leave)
  const opened = <T>(one: T | undefined): T => {
    if (one === undefined) throw new Error('It is open while tests run.')
    return one
  }
  const enter = async (options: VisitOptions): Promise<Visit> => {
    visit = await openVisit(browser(), opened(furnished).app, options)
    return visit
  }

  return {
    furnished: () => opened(furnished),
    visit: () => opened(visit),
    enter,
    /** Call it where the page is looked at. */
    press: async (place: Place): Promise<void> => {
      const { page, settled } = opened(visit)
      const [button, then] = PRESSED[place] ?? []
      if (button === undefined || then === undefined) return
      await page.getByTestId(button).click()
      await page.getByTestId(then).waitFor()
      await settled()
    },
    /** Returns what was found where something was. */
    walk: async (options: VisitOptions, look: Look, how: 'show' | 'load' = 'show') => {
      const { app, addresses } = opened(furnished)
      const found: Partial<Record<Place, readonly string[]>> = {}
      const lookAt = async (place: Place) => {
        const here = await look(place)
        if (here.length > 0) found[place] = here
      }
      const inside = await enter(options)
      for (const route of CONSOLE_ROUTES) {
        await inside[how](addresses[route])
        await lookAt(route)
      }
      await leave()
      const { page, settled } = await enter({ ...options, start: app.base })
      for (const [door, log, path, complete] of DOORS) {
        await page.goto((log === 'open' ? opened(open) : app).base + path)
        await page.locator(complete).first().waitFor()
        await settled()
        await lookAt(door)
      }
      return found
    },
  }
}
