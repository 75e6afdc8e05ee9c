import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { judgeAttempt, readRetryAfter, waitAfter } from '../../../server/domain/webhooks/sending/outcome.ts'

const HOUR = 3_600_000

describe('the wait after an attempt', () => {
  it('is 15 s times three to the attempts before, 12 h at most, when chance is even', () => {
    const waits = Array.from({ length: 11 }, (_, n) => waitAfter(n + 1, 0, () => 0.5) / 1_000)
    expect(waits).toEqual([15, 45, 135, 405, 1_215, 3_645, 10_935, 32_805, 43_200, 43_200, 43_200])
  })

  it('differs by a fifth at most, and is never shorter than what the receiver asks for, up to 12 h', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 11 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.integer({ min: 0, max: 100 * HOUR }),
        (attempt, draw, asked) => {
          const even = waitAfter(attempt, 0, () => 0.5)
          const wait = waitAfter(attempt, 0, () => draw)
          expect(Math.abs(wait - even)).toBeLessThanOrEqual(even * 0.2 + 1)
          const asking = waitAfter(attempt, asked, () => draw)
          expect(asking).toBe(Math.max(wait, Math.min(asked, 12 * HOUR)))
        },
      ),
    )
  })
})

describe('Retry-After', () => {
  const now = Date.parse('2026-11-20T12:00:00Z')
  it.each([
    ['120', 120_000],
    ['0', 0],
    ['  7 ', 7_000],
    ['99999999999999999999', 12 * HOUR],
    ['Fri, 20 Nov 2026 13:00:00 GMT', HOUR],
    ['Friday, 20-Nov-26 13:00:00 GMT', HOUR],
    ['Fri Nov 20 13:00:00 2026', HOUR],
    ['Fri, 20 Nov 2026 11:00:00 GMT', 0],
    ['Fri, 20 Nov 2096 11:00:00 GMT', 12 * HOUR],
    ['2026-11-20T13:00:00Z', 0],
    ['-1', 0],
    ['1.5', 0],
    ['Fri, 99 Nov 2026 13:00:00 GMT', 0],
    ['soon', 0],
    ['', 0],
  ])('%j asks for %i ms', (text, ms) => {
    expect(readRetryAfter(text, now)).toBe(ms)
  })

  it('never asks for less than nothing or more than 12 h, whatever it says', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.constant(undefined)), (text) => {
        const ms = readRetryAfter(text, now)
        expect(ms >= 0 && ms <= 12 * HOUR).toBe(true)
      }),
    )
  })
})

describe('a series', () => {
  const unreachable = { kind: 'unreachable', error: 'connection refused' } as const

  it('ends failed with the twelfth transient failure, and not before', () => {
    for (let attempt = 1; attempt < 12; attempt += 1)
      expect(judgeAttempt(unreachable, attempt)).toMatchObject({
        status: 'pending',
        waitMs: expect.any(Number),
      })
    expect(judgeAttempt(unreachable, 12)).toEqual({
      status: 'failed',
      httpStatus: null,
      error: 'connection refused',
      waitMs: null,
    })
  })

  it('is decided by the status alone', () => {
    for (let httpStatus = 200; httpStatus < 600; httpStatus += 1) {
      const { status } = judgeAttempt({ kind: 'answered', httpStatus, retryAfterMs: 0 }, 1)
      const isTransient = httpStatus === 408 || httpStatus === 429 || httpStatus >= 500
      expect(status).toBe(httpStatus < 300 ? 'success' : isTransient ? 'pending' : 'cancelled')
    }
  })
})
