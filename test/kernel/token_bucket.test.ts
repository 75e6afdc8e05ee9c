// The bucket and the clock minute: what they admit, and how exactly they say when to come back.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  clockMinute,
  GRAIN,
  type Metering,
  minuteOf,
  type Spending,
  tokenBucket,
} from '../../server/kernel/token_bucket.ts'

const START = Date.UTC(2026, 10, 20, 18, 0, 30)

interface Admission {
  readonly atMs: number
  readonly cost: number
}

const charges = fc.array(
  fc.record({ afterMs: fc.integer({ min: 0, max: 20_000 }), cost: fc.integer({ min: 1, max: 20 }) }),
  { maxLength: 120 },
)
const limits = fc.integer({ min: 1, max: 3_000 })

/** Charges one after the other, by a clock of our own, and checks what is said about coming back. */
function run(metering: Metering, perMinute: number, asked: readonly { afterMs: number; cost: number }[]) {
  const admitted: Admission[] = []
  let spending: Spending = { spent: 0, atMs: START }
  let nowMs = START
  for (const { afterMs, cost: wanted } of asked) {
    nowMs += afterMs
    const cost = Math.min(wanted, perMinute)
    const spent = metering.spentAt(spending, perMinute, nowMs)
    const waitMs = metering.waitMs(spent, cost, perMinute, nowMs)
    if (waitMs === 0) {
      admitted.push({ atMs: nowMs, cost })
      spending = { spent: spent + cost, atMs: nowMs }
      continue
    }
    const fits = (ms: number) =>
      metering.waitMs(metering.spentAt(spending, perMinute, ms), cost, perMinute, ms) === 0
    expect(fits(nowMs + waitMs)).toBe(true)
    expect(fits(nowMs + waitMs - 1 - (GRAIN * 60_000) / perMinute)).toBe(false)
  }
  return admitted
}

const sum = (admissions: readonly Admission[]): number => admissions.reduce((all, { cost }) => all + cost, 0)

describe('a token bucket', () => {
  it('admits in any span no more than the budget and what comes back in that span; its waits are exact', () => {
    fc.assert(
      fc.property(limits, charges, (perMinute, asked) => {
        const admitted = run(tokenBucket, perMinute, asked)
        for (const [first, from] of admitted.entries())
          for (const [last, to] of admitted.entries())
            if (last >= first)
              expect(sum(admitted.slice(first, last + 1))).toBeLessThanOrEqual(
                perMinute + ((to.atMs - from.atMs) * perMinute) / 60_000 + 1e-3,
              )
      }),
      { numRuns: 60 },
    )
  })

  it('gives the whole budget at once, and one more after the refill of one', () => {
    const spent = tokenBucket.spentAt({ spent: 120, atMs: START }, 120, START)
    expect(tokenBucket.waitMs(spent, 1, 120, START)).toBe(500)
    expect(tokenBucket.waitMs(spent, 3, 120, START)).toBe(1_500)
    expect(tokenBucket.spentAt({ spent: 120, atMs: START }, 120, START + 60_000)).toBe(0)
  })

  it('takes no notice of a clock that goes back', () => {
    expect(tokenBucket.spentAt({ spent: 7, atMs: START }, 120, START - 10_000)).toBe(7)
  })

  it('counts more than the budget as the whole budget', () => {
    expect(tokenBucket.waitMs(0, 500, 120, START)).toBe(0)
    expect(tokenBucket.waitMs(1, 500, 120, START)).toBe(500)
  })
})

describe('a budget per clock minute', () => {
  it('admits in any minute of the clock no more than the budget; its waits end on the minute', () => {
    fc.assert(
      fc.property(limits, charges, (perMinute, asked) => {
        const byMinute = Map.groupBy(run(clockMinute, perMinute, asked), ({ atMs }) => minuteOf(atMs))
        for (const admitted of byMinute.values()) expect(sum(admitted)).toBeLessThanOrEqual(perMinute)
      }),
      { numRuns: 100 },
    )
  })

  it('is whole again on the minute, not a minute later', () => {
    expect(clockMinute.waitMs(1_000, 1, 1_000, START)).toBe(30_000)
    expect(clockMinute.spentAt({ spent: 1_000, atMs: START }, 1_000, START + 29_999)).toBe(1_000)
    expect(clockMinute.spentAt({ spent: 1_000, atMs: START }, 1_000, START + 30_000)).toBe(0)
  })
})
