// A real Chromium: the one in the npm package on Linux x64, or the one that CHROME_PATH names.
import bundled from '@sparticuz/chromium'
import { type Browser, chromium } from 'playwright-core'

/**
 * Not the arguments of the package: those imitate a GPU, which takes half of the time of a test, and switch off
 * what keeps origins apart.
 */
const ARGUMENTS = ['--no-sandbox', '--no-zygote', '--disable-gpu', '--font-render-hinting=none']

/** Unpacks it when it is needed for the first time. */
export const browserPath = async (): Promise<string> =>
  process.env.CHROME_PATH ?? (await bundled.executablePath())

export const openBrowser = async (): Promise<Browser> =>
  chromium.launch({
    executablePath: await browserPath(),
    args: ARGUMENTS,
    headless: true,
  })
