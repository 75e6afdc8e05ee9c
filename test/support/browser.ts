// A real Chromium: the one in the npm package on Linux x64, or the one that CHROME_PATH names.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import bundled from '@sparticuz/chromium'
import { type Browser, chromium } from 'playwright-core'

const ROOT = join(import.meta.dirname, '..', '..')

export async function openBrowser(): Promise<Browser> {
  const named = process.env.CHROME_PATH
  return chromium.launch({
    executablePath: named ?? (await bundled.executablePath()),
    // With --single-process the browser would end with its first page.
    args: named === undefined ? bundled.args.filter((one) => one !== '--single-process') : ['--no-sandbox'],
    headless: true,
  })
}

/** Builds the console like `npm start`. Does nothing when the built page is up to date. */
export async function buildConsole(): Promise<void> {
  const child = spawn(process.execPath, ['server/start.js', 'console-web/build.ts'], {
    cwd: ROOT,
    stdio: 'inherit',
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error('The console page could not be built.')
}
