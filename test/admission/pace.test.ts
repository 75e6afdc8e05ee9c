// Whoever floods a server with requests over budget gets its refusals at an even rate; everybody else at once.
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { refusalPace } from '../../server/admission/door.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('the pace of refusals', () => {
  it('the first ones are told at once, and no key waits for another', async () => {
    const pace = refusalPace({ perSecond: 10 })
    for (let n = 0; n < 20; n += 1) expect(await pace.hold('a')).toBe(0)
    const late = pace.hold('a')
    expect(await pace.hold('b')).toBe(0)
    await vi.advanceTimersByTimeAsync(100)
    expect(await late).toBe(100)
    pace.close()
  })

  it('however many lanes a flood has, it gets so many a second; nobody waits for more than five', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 50 }),
        async (lanes, perSecond) => {
          const pace = refusalPace({ perSecond })
          let told = 0
          let stopped = false
          let longest = 0
          const lane = async (): Promise<void> => {
            while (!stopped) {
              longest = Math.max(longest, await pace.hold('flood'))
              told += 1
              // A lane asks again after a millisecond at the earliest.
              await new Promise((resolve) => setTimeout(resolve, 1))
            }
          }
          const all = Array.from({ length: lanes }, lane)
          const seconds = 20
          await vi.advanceTimersByTimeAsync(seconds * 1_000)
          stopped = true
          pace.close()
          await vi.advanceTimersByTimeAsync(10)
          await Promise.all(all)
          expect(longest).toBeLessThanOrEqual(5_001)
          // Lanes beyond what five seconds hold are answered after five seconds each.
          const rate = Math.max(perSecond, lanes / 5)
          expect(told).toBeLessThanOrEqual(2 * perSecond + rate * seconds + 2 * lanes + 1)
        },
      ),
      { numRuns: 20 },
    )
  })

  it('so many wait at once, of one key and in all; one more is told at once', async () => {
    const pace = refusalPace({ perSecond: 1 })
    const flood = (key: string, count: number) => Array.from({ length: count }, () => pace.hold(key))
    const held = flood('a', 2 + 256)
    expect(await pace.hold('a')).toBe(0)
    for (let key = 1; key * 256 < 1_024; key += 1) held.push(...flood(`key ${key}`, 2 + 256))
    await Promise.all(flood('another', 2))
    expect(await pace.hold('another')).toBe(0)
    await vi.advanceTimersByTimeAsync(5_000)
    await Promise.all(held)
    // Their places are free again.
    let isTold = false
    const next = pace.hold('a').then(() => {
      isTold = true
    })
    await vi.advanceTimersByTimeAsync(0)
    expect(isTold).toBe(false)
    pace.close()
    await next
  })

  it('who stays away for a while is told at once again', async () => {
    const pace = refusalPace({ perSecond: 10 })
    for (let n = 0; n < 20; n += 1) await pace.hold('a')
    await vi.advanceTimersByTimeAsync(2_000)
    expect(await pace.hold('a')).toBe(0)
    pace.close()
  })

  it('when the server stops, everything that waits is told', async () => {
    const pace = refusalPace({ perSecond: 1 })
    const all = Array.from({ length: 50 }, () => pace.hold('a'))
    pace.close()
    expect((await Promise.all(all)).every((ms) => ms === 0)).toBe(true)
    expect(await pace.hold('a')).toBe(0)
  })
})
