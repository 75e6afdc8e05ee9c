// What tests of the console look at: in each test a tab of its own, in which nothing fails and nothing is refused.
import { mkdirSync } from 'node:fs'
import type { BrowserContextOptions, Page, ViewportSize } from 'playwright-core'
import { afterEach, beforeEach, expect } from 'vitest'
import type { TestAccount, TestApp } from './app.ts'
import { complaintsOf, signIn } from './browser.ts'
import { workerBrowser } from './worker_browser.ts'

export interface ConsoleTab {
  /** A path is enough to go to a page of the service. */
  readonly page: () => Page
  /** To whom the tab belongs. */
  readonly account: () => TestAccount
  /** Another one, as in another browser. It is signed in where an account is given. */
  readonly openTab: (options?: BrowserContextOptions & { account?: TestAccount }) => Promise<Page>
  /** Pictures for people, wide and narrow in both lights, when CONSOLE_PICTURES names a folder. */
  readonly picture: (name: string) => Promise<void>
}

interface ConsoleTabOptions {
  /** Whose key the tab has: newcomers are others in each test, and see nothing of each other. Nobody's when absent. */
  readonly keyOf?: 'owner' | 'newcomer'
  readonly viewport?: ViewportSize
}

export function consoleTab(
  app: TestApp,
  { keyOf, viewport = { width: 1440, height: 900 } }: ConsoleTabOptions = {},
): ConsoleTab {
  const browser = workerBrowser()
  let newcomers = 0
  let complaints: (readonly string[])[] = []
  let tab: { readonly page: Page; readonly account: TestAccount } | undefined
  const opened = () => {
    if (tab === undefined) throw new Error('The tab is open while tests run.')
    return tab
  }
  const openTab: ConsoleTab['openTab'] = async ({ account, ...options } = {}) => {
    const context = await browser().newContext({ viewport, baseURL: app.base, ...options })
    complaints.push(complaintsOf(context))
    const page = await context.newPage()
    if (account !== undefined) await signIn(page, account.key)
    return page
  }

  beforeEach(async () => {
    complaints = []
    newcomers += 1
    const account = keyOf === 'newcomer' ? await app.account(`newcomer-${newcomers}`) : app.owner
    tab = { account, page: await openTab(keyOf === undefined ? {} : { account }) }
  })
  afterEach(() => expect(complaints.flat()).toEqual([]))

  return {
    page: () => opened().page,
    account: () => opened().account,
    openTab,
    picture: (name) => takePictures(opened().page, name),
  }
}

async function takePictures(page: Page, name: string): Promise<void> {
  const folder = process.env.CONSOLE_PICTURES
  const size = page.viewportSize()
  if (folder === undefined || size === null) return
  mkdirSync(folder, { recursive: true })
  for (const width of [390, size.width])
    for (const light of ['dark', 'light']) {
      await page.setViewportSize({ ...size, width })
      await page.evaluate((theme) => document.documentElement.setAttribute('data-theme', theme), light)
      const path = `${folder}/${name}_${width}_${light}.png`
      await page.screenshot({ path, animations: 'disabled', fullPage: true })
    }
}
