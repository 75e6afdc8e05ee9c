// A real Chromium: the one in the npm package on Linux x64, or the one that CHROME_PATH names.
import bundled from '@sparticuz/chromium'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'

/**
 * Not the arguments of the package: those imitate a GPU, which takes half of the time of a test, and switch off
 * what keeps origins apart.
 */
const ARGUMENTS = ['--no-sandbox', '--no-zygote', '--disable-gpu', '--font-render-hinting=none']

/** Machines are slow when they are busy; what is waited for comes at once when they are not. */
const PATIENCE_MS = 60_000

/** Unpacks it when it is needed for the first time. */
export const browserPath = async (): Promise<string> =>
  process.env.CHROME_PATH ?? (await bundled.executablePath())

export async function openBrowser(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: await browserPath(),
    args: ARGUMENTS,
    headless: true,
  })
  const newContext = browser.newContext.bind(browser)
  // A page that `browser.newPage` opens has such a context of its own, and ends with it.
  browser.newContext = async (options) => {
    const context = await newContext(options)
    context.setDefaultTimeout(PATIENCE_MS)
    return endingInTime(context)
  }
  return browser
}

/** Each document of the tab finds the key that a link leaves there, so that no page is loaded only to sign in. */
export const signIn = (page: Page, key: string) =>
  page.addInitScript((secret) => sessionStorage.setItem('pharos.key', secret), key)

/**
 * Shows the page of another address in the document that is there, as a link in it does, so that nothing is loaded again.
 * The page need not be complete then, but the one before it is gone.
 */
export const turnTo = (page: Page, address: string): Promise<void> =>
  page.evaluate(async (to) => {
    window.history.pushState(null, '', to)
    // What the address changes is displayed in the next frame.
    await new Promise(requestAnimationFrame)
  }, address)

/** Errors of the pages and violations of their content policy, as they come. */
export function complaintsOf(context: BrowserContext): readonly string[] {
  const complaints: string[] = []
  context.on('weberror', (error) => complaints.push(error.error().message))
  context.on('console', (message) => {
    if (/Content Security Policy|Refused to/.test(message.text())) complaints.push(message.text())
  })
  return complaints
}

const END_WITHIN_MS = 5_000

/**
 * Chromium forgets to close what it is asked to close just when a navigation takes effect, and never says so. What has
 * not ended in time ends with the browser.
 */
function endingInTime(context: BrowserContext): BrowserContext {
  const close = context.close.bind(context)
  context.close = async (options) => {
    const { promise: late, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, END_WITHIN_MS)
    try {
      await Promise.race([close(options), late])
    } finally {
      clearTimeout(timer)
    }
  }
  return context
}
