// A console that somebody leaves open: what its first page takes of the processor and of the memory while a block comes each
// minute.
import { setTimeout as pause } from 'node:timers/promises'
import type { Browser, CDPSession } from 'playwright-core'
import { openGround } from '../bench/ground.ts'
import { startServer } from '../bench/server_process.ts'
import { Started } from '../bench/started.ts'
import { openBrowser } from '../support/browser.ts'
import prepareBrowser from '../support/browser_setup.ts'

const BLOCK_INTERVAL = '60s'
const VIEW = { width: 1_440, height: 900 } as const

/** Parts of one core, of the processes that show the page. */
const MOST_SHARE = 0.01
/** In an hour, after everything that nobody holds has been collected. */
const MOST_BYTES_AN_HOUR = 1_000_000
/** Before it, as a part of the time: what is loaded and compiled late, and rows of the first blocks, is no growth. */
const WARM_UP = 0.25

/** @returns whether every bound holds for so many minutes */
export async function leaveOpen(minutes: number, say: (line: string) => void): Promise<boolean> {
  await prepareBrowser()
  const started = new Started(say)
  try {
    const ground = await openGround(started)
    const server = await startServer(ground, { BLOCK_INTERVAL, PUBLIC_CHAINS: 'none' })
    const browser = await openBrowser()
    started.add('the browser', () => browser.close())
    const page = await browser.newPage({ viewport: VIEW })
    const cdp = await page.context().newCDPSession(page)
    await cdp.send('Performance.enable')
    await page.goto(`${server.base}/#key=${ground.apiKey}`)
    await page.getByTestId('head-hash').waitFor()
    await pause(minutes * 60_000 * WARM_UP)
    const before = { heap: await heapOf(cdp), cpu: await cpuSeconds(browser), at: performance.now() }
    await pause(minutes * 60_000)
    const seconds = (performance.now() - before.at) / 1_000
    const share = ((await cpuSeconds(browser)) - before.cpu) / seconds
    const grown = (await heapOf(cdp)) - before.heap
    // In less than an hour, what comes once would count as if it came all the time.
    const anHour = grown / Math.max(1, seconds / 3_600)
    const verdict = (holds: boolean, words: string): boolean => {
      say(`${holds ? 'holds' : 'FAILS'}: ${words}`)
      return holds
    }
    return [
      verdict(
        share <= MOST_SHARE,
        `the idle first page takes ${(share * 100).toFixed(2)} % of a core (at most ${MOST_SHARE * 100} %)`,
      ),
      verdict(
        anHour <= MOST_BYTES_AN_HOUR,
        `and ${megabytes(grown)} MB of the heap in ${(seconds / 60).toFixed(1)} minutes ` +
          `(at most ${megabytes(MOST_BYTES_AN_HOUR)} an hour)`,
      ),
    ].every(Boolean)
  } finally {
    await started.end()
  }
}

const megabytes = (bytes: number): string => (bytes / 1_000_000).toFixed(2)

/** What the first collection finalizes is freed by the second. */
async function heapOf(cdp: CDPSession): Promise<number> {
  for (let times = 0; times < 2; times += 1) await cdp.send('HeapProfiler.collectGarbage')
  const { metrics } = await cdp.send('Performance.getMetrics')
  return metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? Number.NaN
}

/** Of the processes that display the page, since they began. */
async function cpuSeconds(browser: Browser): Promise<number> {
  const cdp = await browser.newBrowserCDPSession()
  const { processInfo } = await cdp.send('SystemInfo.getProcessInfo')
  await cdp.detach()
  return processInfo
    .filter(({ type }) => type === 'renderer' || type === 'GPU')
    .reduce((sum, { cpuTime }) => sum + cpuTime, 0)
}
