// What every test with a browser needs, made once before the first: the browser unpacked, and the console built.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { browserPath } from './browser.ts'

const ROOT = join(import.meta.dirname, '..', '..')

/** Not in the workers: one would start the browser that another is still unpacking. */
export default async function setup(): Promise<void> {
  await Promise.all([browserPath(), buildConsole()])
}

/** Builds the console like `npm start`. Does nothing when the built page is up to date. */
async function buildConsole(): Promise<void> {
  const child = spawn(process.execPath, ['server/start.js', 'console-web/build.ts'], {
    cwd: ROOT,
    stdio: 'inherit',
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error('The console page could not be built.')
}
