// One browser for all test files of a worker.
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { openBrowser } from './browser.ts'

let kept: Browser | undefined

/** Tests differ by their contexts, each of which ends with its test. */
export function workerBrowser(): () => Browser {
  beforeAll(async () => {
    if (kept?.isConnected()) return
    kept = await openBrowser()
    // The signal that ends a worker. The browser ends, and clears its files, when the process exits.
    process.once('SIGTERM', () => process.exit())
  })
  afterEach(async () => {
    await Promise.all(kept?.contexts().map((context) => context.close()) ?? [])
  })
  afterAll(async () => {
    // What it did not close in time ends with it, and the next file has a new one.
    if (kept?.contexts().length !== 0) await kept?.close()
  })
  return () => {
    if (kept === undefined) throw new Error('It is open while tests run.')
    return kept
  }
}
