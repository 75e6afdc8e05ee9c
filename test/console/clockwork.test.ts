// What the console derives from clocks passed as arguments: status, countdown, learned interval, retry schedule, request budget.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { budgetWait, provePlan } from '../../console-web/src/chain/block_prover.ts'
import {
  countdown,
  deriveStatus,
  type Interval,
  intervalWords,
  learnInterval,
  nextWords,
} from '../../console-web/src/connection/countdown.ts'
import { widest } from '../../console-web/src/data/resource.ts'
import { LONGEST_WAIT_MS, retryAfterMs, retryDelay } from '../../console-web/src/data/retry_schedule.ts'
import type { Beacon } from '../../shared/wire/console_stream.ts'

const MINUTE = 60_000
const noon = Date.UTC(2027, 0, 1, 12)
const told: Interval = { ms: MINUTE, source: 'server' }
const at = (ms: number): Beacon => ({
  id: String(ms).padStart(15, '0'),
  hash: '',
  previous_hash: '',
  timestamp: new Date(ms).toISOString(),
})

describe('deriveStatus', () => {
  const facts = { headAt: noon, intervalMs: MINUTE }
  it('is live until two intervals and five seconds have passed, then stale', () => {
    expect(deriveStatus({ ...facts, phase: 'live', now: noon + 125_000 })).toBe('live')
    expect(deriveStatus({ ...facts, phase: 'live', now: noon + 125_001 })).toBe('stale')
  })
  it('is never stale while not connected or catching up', () => {
    const now = noon + 24 * 60 * MINUTE
    expect(deriveStatus({ ...facts, phase: 'offline', now })).toBe('offline')
    expect(deriveStatus({ ...facts, phase: 'catching_up', now })).toBe('catching_up')
    expect(deriveStatus({ ...facts, phase: 'connecting', now })).toBe('connecting')
  })
  it('is live before the first beacon', () => {
    expect(deriveStatus({ phase: 'live', headAt: null, intervalMs: MINUTE, now: noon })).toBe('live')
  })
})

describe('countdown', () => {
  it('runs to the next boundary of the clock, not an interval after a late beacon', () => {
    expect(countdown(noon + 4_000, told, noon + 20_000)).toMatchObject({
      dueAt: noon + MINUTE,
      remainingMs: 40_000,
      overdueMs: 0,
    })
  })
  it('runs an interval from the head when the interval was only observed', () => {
    expect(countdown(noon + 4_000, { ms: MINUTE, source: 'observed' }, noon).dueAt).toBe(noon + 64_000)
  })
  it('counts up once the beacon is overdue', () => {
    expect(countdown(noon, told, noon + 67_000)).toMatchObject({
      remainingMs: 0,
      overdueMs: 7_000,
      progress: 1,
    })
  })
  it('goes down in steps of five seconds, and each second of the last ten, so that an idle page rests', () => {
    const shown = Array.from({ length: 60 }, (_, s) => countdown(noon, told, noon + s * 1_000).remainingMs)
    expect([...new Set(shown)].map((ms) => ms / 1_000)).toEqual([
      60, 55, 50, 45, 40, 35, 30, 25, 20, 15, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1,
    ])
  })
  it('keeps its progress between 0 and 1 for any clocks', () => {
    const time = fc.integer({ min: 0, max: 2 ** 42 })
    fc.assert(
      fc.property(time, time, fc.integer({ min: 1_000, max: 600_000 }), (head, now, ms) => {
        const { progress, remainingMs, overdueMs } = countdown(head, { ms, source: 'server' }, now)
        return (
          progress >= 0 &&
          progress <= 1 &&
          remainingMs >= 0 &&
          overdueMs >= 0 &&
          remainingMs * overdueMs === 0
        )
      }),
    )
  })
})

describe('learnInterval', () => {
  it("takes the server's word first", () => {
    expect(learnInterval(5_000, [])).toEqual({ ms: 5_000, source: 'server' })
  })
  it('else the median gap, so one outage does not bend it', () => {
    const rows = [9, 8, 7, 6, 2, 1, 0].map((minute) => at(noon + minute * MINUTE + minute * 7))
    expect(learnInterval(null, rows)).toEqual({ ms: MINUTE, source: 'observed' })
  })
  it('else a minute', () => {
    expect(learnInterval(null, [at(noon)])).toEqual({ ms: MINUTE, source: 'assumed' })
  })
})

describe('retry schedule', () => {
  it('doubles from one second to thirty, half of it random', () => {
    expect([1, 2, 3, 4, 5, 6, 99].map((attempt) => retryDelay(attempt, 0))).toEqual([
      500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000,
    ])
    expect(retryDelay(99, 0.999_999)).toBe(LONGEST_WAIT_MS)
  })
  it('never undercuts what the server asked for', () => {
    fc.assert(
      fc.property(
        fc.nat(20),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        fc.nat(600_000),
        (n, random, asked) => {
          return retryDelay(n, random, asked) >= asked
        },
      ),
    )
  })
  it('reads Retry-After as seconds and as a date', () => {
    expect(retryAfterMs('12', noon)).toBe(12_000)
    expect(retryAfterMs(new Date(noon + 30_000).toUTCString(), noon)).toBe(30_000)
    expect(retryAfterMs('soon', noon)).toBe(0)
    expect(retryAfterMs(null, noon)).toBe(0)
  })
})

describe('provePlan', () => {
  const rows = Array.from({ length: 600 }, (_, index) => at(noon - index * MINUTE))
  const idAt = (index: number): string => rows[index]?.id ?? ''
  it('asks from the newest missing block on, for as many as are missing on one page', () => {
    expect(provePlan(rows, () => true)).toBeNull()
    expect(provePlan(rows, () => false)).toEqual({ wanted: idAt(0), limit: 250 })
    expect(provePlan(rows, (id) => id !== idAt(7))).toEqual({ wanted: idAt(7), limit: 1 })
    expect(provePlan(rows, (id) => id !== idAt(0) && id !== idAt(40))).toEqual({ wanted: idAt(0), limit: 41 })
    expect(provePlan(rows, (id) => id >= idAt(249))).toEqual({ wanted: idAt(250), limit: 250 })
    expect(provePlan(rows, (id) => id >= idAt(589))).toEqual({ wanted: idAt(590), limit: 10 })
  })
  it('proves a day caught up with a handful of requests', () => {
    const day = Array.from({ length: 1_440 }, (_, index) => at(noon - index * MINUTE))
    const proven = new Set<string>()
    let requests = 0
    for (;;) {
      const plan = provePlan(day, (id) => proven.has(id))
      if (plan === null) break
      requests += 1
      const from = day.findIndex(({ id }) => id === plan.wanted)
      for (const { id } of day.slice(from, from + plan.limit)) proven.add(id)
    }
    expect(requests).toBe(6)
  })
})
it('an older page is as large as it may be', () => {
  expect(widest('/x?page%5Blimit%5D=41&page%5Bafter%5D=a')).toBe('/x?page%5Blimit%5D=250&page%5Bafter%5D=a')
  expect(widest('/x?page[after]=a&page[limit]=5')).toBe('/x?page[after]=a&page[limit]=250')
})

describe('budgetWait', () => {
  it('waits until the oldest of the allowed requests is a minute old', () => {
    expect(budgetWait([0, 10_000, 20_000], 30_000, 4)).toBe(0)
    expect(budgetWait([0, 10_000, 20_000], 30_000, 3)).toBe(30_000)
    expect(budgetWait([0, 10_000, 20_000], 61_000, 3)).toBe(0)
  })
})

describe('intervalWords', () => {
  it('is exact at every interval', () => {
    expect([250, 1_000, 1_500, 10_000, 60_000, 90_000, 3_600_000, 5_400_000].map(intervalWords)).toEqual([
      '250 ms',
      '1 s',
      '1.5 s',
      '10 s',
      '1 min',
      '1 min 30 s',
      '1 h',
      '1 h 30 min',
    ])
  })
})

describe('nextWords', () => {
  const tenSeconds: Interval = { ms: 10_000, source: 'server' }
  it('counts down, then waits, then says for how long there was no block and what was expected', () => {
    const words = (ms: number) => nextWords(noon, tenSeconds, true, noon + ms).words
    expect(words(3_000)).toBe('next in 0:07')
    expect(words(12_000)).toBe('next is due now')
    expect(words(17_000)).toBe('overdue by 7 s; expected every 10 s')
    expect(words(185_000)).toBe('no block for 3 min 05 s; expected every 10 s')
  })
  it('claims nothing while this page hears nothing, and no interval that is only assumed', () => {
    expect(nextWords(noon, tenSeconds, false, noon + 185_000).words).toBe('not connected')
    const assumed: Interval = { ms: MINUTE, source: 'assumed' }
    expect(nextWords(noon, assumed, true, noon + 600_000).words).not.toMatch(/min/)
  })
})
