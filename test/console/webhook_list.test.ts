// The list of deliveries: which of two reports is the later one, and the filter in its three forms.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Delivery, isLater, readDelivery, STATUSES } from '../../console-web/src/webhooks/delivery.ts'
import {
  addressOf,
  type DeliveryFilter,
  fits,
  NO_FILTER,
  readFilter,
  requestOf,
} from '../../console-web/src/webhooks/delivery_filter.ts'

/** The n-th delivery after so many attempts; an attempt that ends the series is a success. */
const report = (n: number, attempts: number, ended = false): Delivery =>
  readDelivery({
    id: `01a2ce8c-be60-7000-8000-${String(n).padStart(12, '0')}`,
    endpoint_id: `endpoint-${n % 3}`,
    event_type: 'item.created',
    status: ended ? 'success' : 'pending',
    attempts,
    inserted_at: new Date(Date.UTC(2027, 0, 1) + n * 60_000).toISOString(),
    updated_at: new Date(Date.UTC(2027, 0, 1) + n * 60_000 + attempts).toISOString(),
  })

describe('a report about a delivery', () => {
  it('is later than another after more attempts, then by its time, then when it ends the series', () => {
    expect(isLater(report(1, 2), report(1, 1))).toBe(true)
    expect(isLater(report(1, 1), report(1, 2))).toBe(false)
    expect(isLater({ ...report(1, 1), updatedAt: '2027-01-02T00:00:00.000Z' }, report(1, 1))).toBe(true)
    expect(isLater(report(1, 1, true), report(1, 1))).toBe(true)
    expect(isLater(report(1, 1), report(1, 1))).toBe(false)
  })
})

const word = fc.string({ minLength: 1, maxLength: 20 })
const minute = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 16))
const filters: fc.Arbitrary<DeliveryFilter> = fc.record({
  status: fc.option(fc.constantFrom(...STATUSES)),
  event: fc.option(word),
  endpoint: fc.option(word),
  from: fc.option(minute),
  to: fc.option(minute),
})

describe('the filter of deliveries', () => {
  it('reads from an address what was written to it', () => {
    fc.assert(
      fc.property(filters, (filter) => {
        expect(readFilter(new URL(addressOf(filter), 'http://x').search)).toEqual(filter)
      }),
    )
  })

  it('never throws at an address, and leaves out what cannot be meant', () => {
    fc.assert(fc.property(fc.string(), (search) => void addressOf(readFilter(search))))
    expect(readFilter('?status=lost&from=yesterday&to=2027-13-01T00:00&event=')).toEqual(NO_FILTER)
  })

  it('judges a live event as the server would', () => {
    const filter = { ...NO_FILTER, from: '2027-01-01T00:02', to: '2027-01-01T00:04' }
    expect([1, 2, 3, 4, 5].filter((n) => fits(filter, report(n, 0)))).toEqual([2, 3, 4])
    const asked = new URL(requestOf(filter, 50), 'http://x').searchParams
    expect(asked.get('filter[inserted_at][gte]')).toBe('2027-01-01T00:02:00.000Z')
    expect(asked.get('filter[inserted_at][lt]')).toBe('2027-01-01T00:05:00.000Z')
    expect(fits({ ...NO_FILTER, endpoint: 'endpoint-1', status: 'success' }, report(4, 1, true))).toBe(true)
    expect(fits({ ...NO_FILTER, endpoint: 'endpoint-2' }, report(4, 1))).toBe(false)
    expect(fits({ ...NO_FILTER, event: 'item.deleted' }, report(4, 1))).toBe(false)
  })
})
