// The page's list of deliveries: whatever the order in which pages and events arrive, the latest report stands.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newerThan } from '../../console-web/src/data/newest_first.ts'
import { type Delivery, readDelivery, STATUSES } from '../../console-web/src/webhooks/delivery.ts'
import {
  addressOf,
  type DeliveryFilter,
  fits,
  NO_FILTER,
  readFilter,
  requestOf,
} from '../../console-web/src/webhooks/delivery_filter.ts'
import { emptyList, mergeDeliveries } from '../../console-web/src/webhooks/delivery_list.ts'

const all = { belongs: () => true }

/** The n-th delivery after so many attempts; an attempt that ends the series is a success. */
const report = (n: number, attempts: number, ended = false): Delivery => {
  const read = readDelivery({
    id: `01a2ce8c-be60-7000-8000-${String(n).padStart(12, '0')}`,
    endpoint_id: `endpoint-${n % 3}`,
    event_type: 'item.created',
    status: ended ? 'success' : 'pending',
    attempts,
    inserted_at: new Date(Date.UTC(2027, 0, 1) + n * 60_000).toISOString(),
    updated_at: new Date(Date.UTC(2027, 0, 1) + n * 60_000 + attempts).toISOString(),
  })
  if (read === null) throw new Error('The report is readable.')
  return read
}

const reports = fc.array(
  fc
    .record({ n: fc.nat(8), attempts: fc.nat(4), ended: fc.boolean() })
    .map(({ n, attempts, ended }) => report(n, attempts, ended)),
  { maxLength: 30 },
)

describe('the list of deliveries', () => {
  it('is the same in whatever order reports arrive: newest first, each once, in its latest state', () => {
    fc.assert(
      fc.property(reports, fc.infiniteStream(fc.nat()), (given, draws) => {
        const keyed = given.map((one) => ({ one, key: draws.next().value }))
        const shuffled = keyed.sort((a, b) => a.key - b.key).map(({ one }) => one)
        const atOnce = mergeDeliveries(emptyList, given, all).rows
        const oneByOne = shuffled.reduce((list, one) => mergeDeliveries(list, [one], all), emptyList).rows
        const state = (rows: readonly Delivery[]) =>
          rows.map(({ id, attempts, status }) => ({ id, attempts, status }))
        expect(state(oneByOne)).toEqual(state(atOnce))
        const ids = atOnce.map(({ id }) => id)
        expect(ids).toEqual([...new Set(ids)].sort().reverse())
      }),
    )
  })

  it('leaves out what lies below its floor, where the server has rows that are not held', () => {
    const held = mergeDeliveries(emptyList, [report(5, 0), report(6, 0)], all)
    const merged = mergeDeliveries(held, [report(1, 1), report(5, 1)], { ...all, floor: report(5, 0).id })
    expect(merged.rows.map(({ attempts }) => attempts)).toEqual([0, 1])
  })

  it('lets go of what no longer belongs, unless it is being read', () => {
    const belongs = ({ status }: Delivery) => status === 'pending'
    const held = mergeDeliveries(emptyList, [report(1, 0), report(2, 0)], { belongs })
    const ended = [report(1, 1, true)]
    expect(mergeDeliveries(held, ended, { belongs }).rows).toHaveLength(1)
    expect(mergeDeliveries(held, ended, { belongs, keep: true }).rows).toHaveLength(2)
    // What was not there is not kept either.
    expect(mergeDeliveries(held, [report(3, 1, true)], { belongs, keep: true }).rows).toHaveLength(2)
  })

  it('keeps a bounded number, and says that it let older ones go', () => {
    const given = Array.from({ length: 6 }, (_, n) => report(n, 0))
    const { rows, trimmed } = mergeDeliveries(emptyList, given, { ...all, limit: 4 })
    expect(rows.map(({ id }) => id)).toEqual([5, 4, 3, 2].map((n) => report(n, 0).id))
    expect(trimmed).toBe(true)
  })

  it('counts what came after the pause', () => {
    const { rows } = mergeDeliveries(emptyList, [report(1, 0), report(2, 0), report(3, 0)], all)
    expect(newerThan(rows, report(1, 0).id)).toBe(2)
    expect(newerThan(rows, '')).toBe(3)
    expect(newerThan(rows, report(9, 0).id)).toBe(0)
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
