// The bars of an endpoint's last 24 hours: every outcome that there is shows, and no bar is higher than the picture.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  outcomeWords,
  readDelivery,
  shownStatus,
  statusWords,
} from '../../console-web/src/webhooks/delivery.ts'
import {
  countWords,
  durationWords,
  readStatistics,
  segmentsOf,
  totalOf,
} from '../../console-web/src/webhooks/endpoint_day.tsx'

const counts = fc.record({
  success: fc.nat(2_000_000),
  failed: fc.nat(3),
  retrying: fc.nat(1_000),
  pending: fc.nat(1),
  cancelled: fc.nat(5),
  p50: fc.constant(null),
  p95: fc.constant(null),
})

describe('the bars of a day', () => {
  it('show each outcome of an hour, one upon the other, within the height', () => {
    fc.assert(
      fc.property(fc.array(counts, { minLength: 1, maxLength: 24 }), (hours) => {
        const highest = Math.max(...hours.map(totalOf))
        fc.pre(highest > 0)
        for (const hour of hours) {
          const segments = segmentsOf(hour, highest)
          expect(segments.map(({ name }) => name).toSorted()).toEqual(
            (['cancelled', 'failed', 'pending', 'retrying', 'success'] as const).filter(
              (name) => hour[name] > 0,
            ),
          )
          let foot = 0
          for (const { from, height } of segments) {
            expect(from).toBeCloseTo(foot)
            expect(height).toBeGreaterThanOrEqual(4)
            foot = from + height
          }
          expect(foot).toBeLessThanOrEqual(100.001)
        }
      }),
    )
  })

  it('are told in words', () => {
    const hour = { at: '2026-11-20T18:00:00.000Z', success: 1200, retrying: 3, failed: 0 }
    const read = readStatistics({ ...hour, duration_p50_ms: 40, duration_p95_ms: 1_200, hours: [hour] })
    expect(countWords(read, 'push')).toBe('1,200 got through, 3 retrying')
    expect(countWords({ ...read, retrying: 0, pending: 2 }, 'pull')).toBe('1,200 read, 2 not read yet')
    expect(durationWords(read)).toBe('half within 40 ms, 95 % within 1,200 ms')
    expect(read.hours.map(durationWords)).toEqual([''])
    expect(() => readStatistics({})).toThrow(/cannot read/)
  })
})

const INSERTED = { id: 'a', inserted_at: '2026-11-20T18:00:00.000Z' }

it.each([
  ['pending', 0, 'pending'],
  ['pending', 1, 'retrying'],
  ['failed', 12, 'failed'],
])('a delivery that is %s after %d attempts is %s', (status, attempts, shown) => {
  expect(shownStatus(readDelivery({ ...INSERTED, status, attempts }))).toBe(shown)
})

it.each([
  [{ status: 'pending', next_attempt_at: INSERTED.inserted_at }, 'pending', 'Waiting to be sent'],
  // Nothing is planned for it, so a program has to read it.
  [{ status: 'pending' }, 'not read yet', 'Waits for your program'],
  [{ status: 'success', http_status: 204, attempts: 1, duration_ms: 5 }, 'success', '204 in 5 ms'],
  // Nobody answered it, so it was read.
  [{ status: 'success', attempts: 1 }, 'read', 'Your program read it'],
  [{ status: 'cancelled', error: 'the endpoint is disabled' }, 'cancelled', expect.any(String)],
])('a delivery with %j is told in words', (more, status, outcome) => {
  const delivery = readDelivery({ ...INSERTED, ...more })
  expect([statusWords(delivery), outcomeWords(delivery)]).toEqual([status, outcome])
})
