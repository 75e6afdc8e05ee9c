// One visit of a page that lists something: how long the first row takes after its answer, and what scrolling down costs.
import { setTimeout as pause } from 'node:timers/promises'
import type { Browser } from 'playwright-core'
import { signIn } from '../support/browser.ts'

const VIEW = { width: 1_440, height: 900 } as const
/** So far that the 5,000 rows of the chain come to their end, where older ones come as fast as somebody scrolls. */
const WHEEL = { times: 400, pixels: 500, everyMs: 16 } as const

interface Visited {
  readonly address: string
  readonly apiKey: string
  /** How the path of the answer begins that brings the list. */
  readonly answer: string
  /** The test id of its rows. */
  readonly row: string
}

declare global {
  interface Window {
    /** Milliseconds of the clock, of each since the document began or since it was emptied. */
    longTasks: number[]
    rowAt: number
  }
}

export type ListVisit = Awaited<ReturnType<typeof visitList>>

export async function visitList(browser: Browser, { address, apiKey, answer, row }: Visited) {
  const page = await browser.newPage({ viewport: VIEW })
  try {
    await signIn(page, apiKey)
    await page.addInitScript(watch, `[data-testid=${row}]`)
    await page.goto(address)
    const first = page.getByTestId(row).first()
    await first.waitFor()
    await page.waitForLoadState('networkidle')
    const waitMs = await page.evaluate((path) => {
      const ends = performance.getEntriesByType('resource').flatMap((one) => {
        const isAnswer = one.name.slice(location.origin.length).startsWith(path)
        return isAnswer && one instanceof PerformanceResourceTiming ? one.responseEnd : []
      })
      window.longTasks = []
      return window.rowAt - Math.min(...ends)
    }, answer)
    await first.hover()
    await browser.startTracing(page, { categories: ['toplevel'] })
    for (let times = 0; times < WHEEL.times; times += 1) {
      await page.mouse.wheel(0, WHEEL.pixels)
      await pause(WHEEL.everyMs)
    }
    const processorMs = longestTask(await browser.stopTracing())
    const seen = await page.evaluate(() => ({
      clockMs: Math.max(0, ...window.longTasks),
      scrolled: Math.max(...[...document.querySelectorAll('*')].map(({ scrollTop }) => scrollTop)),
    }))
    return { waitMs, processorMs, ...seen }
  } finally {
    await page.context().close()
  }
}

/** In each document before its own scripts. */
const watch = (row: string): void => {
  window.longTasks = []
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.longTasks.push(duration)
  }).observe({ type: 'longtask', buffered: true })
  const look = (): void => {
    const isShown = document.querySelector(row)?.checkVisibility({ visibilityProperty: true }) === true
    if (isShown) window.rowAt = performance.now()
    else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

interface TraceEvent {
  readonly name: string
  readonly tid: number
  readonly pid: number
  /** Microseconds of the processor. A task that goes on when the trace ends has none. */
  readonly tdur?: number
  readonly args: { readonly name?: string }
}

/** Milliseconds of the processor, in the threads that run pages. Not above 0 when the trace does not tell. */
function longestTask(trace: Buffer): number {
  const { traceEvents: events }: { traceEvents: readonly TraceEvent[] } = JSON.parse(trace.toString())
  const threadOf = ({ pid, tid }: TraceEvent): string => `${pid} ${tid}`
  const named = events.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
  const threads = new Set(named.map(threadOf))
  const tasks = events.filter((one) => one.name.endsWith('RunTask') && threads.has(threadOf(one)))
  return tasks.reduce((most, { tdur = 0 }) => Math.max(most, tdur / 1_000), -1)
}
