// The rows of the monitor: nothing lost, repeated or reordered, whatever the order of arrival, and ceilings that hold.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  compareRows,
  type MonitorRow,
  nameOfRow,
  rowNamed,
} from '../../console-web/src/monitor/monitor_row.ts'
import { fits, NO_FILTER, type RowFilter } from '../../console-web/src/monitor/row_filter.ts'
import { RowLog } from '../../console-web/src/monitor/row_log.ts'
import { linesOf, slotsOf } from '../../console-web/src/monitor/row_slots.ts'
import { RowStore } from '../../console-web/src/monitor/row_store.ts'

const KINDS = ['beacon.created', 'block.finalized', 'item.created', 'item.committed'] as const
const STREAMS = ['beacons', 'blocks', 'items', 'items'] as const

const row = (at: number, which: number, id: string): MonitorRow => ({
  kind: KINDS[which] ?? 'item.created',
  stream: STREAMS[which] ?? 'items',
  at,
  id,
  data: { id, tags: [`t${at % 3}`] },
  origin: 'sent',
})

const anyRow = fc.tuple(fc.nat(40), fc.nat(3), fc.nat(9)).map(([at, which, id]) => row(at, which, `id-${id}`))
/** What comes in portions, with repetitions and in any order. */
const portions = fc.array(fc.array(anyRow, { maxLength: 12 }), { maxLength: 12 })

const texts = (rows: readonly MonitorRow[]): string[] => rows.map(nameOfRow)

/** The rows without repetitions, newest first. */
const expected = (rows: readonly MonitorRow[], limit = Number.POSITIVE_INFINITY): string[] => {
  const byName = new Map(rows.map((one) => [nameOfRow(one), one]))
  return texts([...byName.values()].sort((a, b) => compareRows(b, a)).slice(0, limit))
}

const shownOf = (store: RowStore): string[] => texts(store.rows.newest())

const searchAll = (store: RowStore): void => {
  while (!store.search(() => true));
}

const anyFilter: fc.Arbitrary<RowFilter> = fc.record({
  off: fc.subarray(['beacons', 'blocks', 'items'] as const).map((off) => new Set(off)),
  kind: fc.constantFrom(null, ...KINDS),
  text: fc.constantFrom('', 't1', 'id-3', 'finalized', 'nowhere'),
})

describe('the rows of the monitor', () => {
  it('stand in the order of time, each once, in whatever portions and order they come', () => {
    fc.assert(
      fc.property(portions, (given) => {
        const log = new RowLog(1_000)
        const added = given.flatMap((rows) => texts(log.add(rows)))
        expect(texts(log.newest())).toEqual(expected(given.flat()))
        // Every row is reported as new once.
        expect([...added].sort()).toEqual([...new Set(texts(given.flat()))].sort())
      }),
    )
  })

  it('are the newest of all that came, when there is a ceiling, and what was dropped does not come back', () => {
    fc.assert(
      fc.property(portions, fc.integer({ min: 1, max: 9 }), (given, limit) => {
        const log = new RowLog(limit)
        for (const rows of given) log.add(rows)
        expect(texts(log.newest())).toEqual(expected(given.flat(), limit))
      }),
    )
  })

  it('are found by their place and by their name', () => {
    fc.assert(
      fc.property(fc.array(anyRow, { maxLength: 40 }), (given) => {
        const log = new RowLog(20)
        log.add(given)
        log.newest().forEach((one, place) => {
          expect(log.placeOf(one)).toBe(place)
          expect(log.at(place)).toBe(one)
          expect(log.find(rowNamed(nameOfRow(one)) ?? one)).toBe(one)
        })
        expect(log.at(log.size)).toBeUndefined()
        expect(log.at(-1)).toBeUndefined()
      }),
    )
  })

  it('take no longer to come at the head of a hundred thousand than of a hundred', () => {
    const filled = (size: number): RowLog => {
      const log = new RowLog(size)
      log.add(Array.from({ length: size }, (_, at) => row(at, 0, 'a')))
      return log
    }
    /** The best of some rounds, because the machine does other things, too. */
    const perRow = (log: RowLog): number =>
      Math.min(
        ...Array.from({ length: 5 }, (_, round) => {
          const first = 1_000_000 * (round + 1)
          const startedAt = performance.now()
          for (let at = first; at < first + 20_000; at += 1) log.add([row(at, 0, 'a')])
          return performance.now() - startedAt
        }),
      )
    const few = perRow(filled(100))
    const many = perRow(filled(100_000))
    // Copying a hundred thousand places for each row would take hundreds of times as long.
    expect(many).toBeLessThan(few * 20 + 50)
  })
})

describe('a filter', () => {
  it('shows the same rows whether they came before it or after it', () => {
    fc.assert(
      fc.property(portions, portions, anyFilter, anyFilter, (before, after, first, second) => {
        const store = new RowStore(first, 25)
        for (const rows of before) store.add(rows)
        store.setFilter(second)
        for (const rows of after) store.add(rows)
        searchAll(store)
        const held = expected([...before.flat(), ...after.flat()], 25)
        const passing = new Set(texts([...before, ...after].flat().filter((one) => fits(second, one))))
        expect(shownOf(store)).toEqual(held.filter((name) => passing.has(name)))
      }),
    )
  })

  it('finds a text in any field, at any depth, and in no name of a field', () => {
    const burst = { ...row(1, 2, 'x'), data: { count: 412, latest: { data: { item_hash: 'AbC123' } } } }
    const withText = (text: string): RowFilter => ({ ...NO_FILTER, text })
    expect(['412', 'abc1', 'item.created'].map((text) => fits(withText(text), burst))).toEqual([
      true,
      true,
      true,
    ])
    expect(['latest', 'item_hash', 'zzz'].map((text) => fits(withText(text), burst))).toEqual([
      false,
      false,
      false,
    ])
  })
})

describe('a held list', () => {
  it('does not change, and counts exactly the rows that come on screen afterwards', () => {
    fc.assert(
      fc.property(portions, portions, anyFilter, (before, after, filter) => {
        const store = new RowStore(filter, 10_000)
        for (const rows of before) store.add(rows)
        const held = shownOf(store)
        store.pause()
        for (const rows of after) {
          store.add(rows)
          expect(shownOf(store)).toEqual(held)
        }
        const waiting = store.waiting
        store.showWaiting()
        expect(store.isPaused).toBe(true)
        expect(store.waiting).toBe(0)
        expect(shownOf(store).length).toBe(held.length + waiting)
        store.resume()
        expect(shownOf(store)).toEqual(
          expected([...before, ...after].flat().filter((one) => fits(filter, one))),
        )
      }),
    )
  })

  it('counts under a filter that was changed meanwhile', () => {
    fc.assert(
      fc.property(portions, portions, anyFilter, (before, after, filter) => {
        const store = new RowStore(NO_FILTER, 10_000)
        for (const rows of before) store.add(rows)
        store.pause()
        for (const rows of after) store.add(rows)
        store.setFilter(filter)
        searchAll(store)
        const held = shownOf(store).length
        const waiting = store.waiting
        store.resume()
        expect(shownOf(store).length).toBe(held + waiting)
      }),
    )
  })

  it('is what becomes of a list whose oldest rows are read when the ceiling is reached', () => {
    const store = new RowStore(NO_FILTER, 10)
    store.add(Array.from({ length: 10 }, (_, at) => row(at, 0, 'a')))
    const oldest = store.rows.at(9) ?? null
    store.add([row(100, 0, 'a')], oldest)
    expect(store.isPaused).toBe(true)
    expect(store.rows.at(9)).toBe(oldest)
    expect(store.waiting).toBe(1)
    store.resume()
    expect(store.rows.size).toBe(10)
    // Somebody who reads newer rows is not in the way.
    store.add([row(101, 0, 'a')], store.rows.at(3) ?? null)
    expect(store.isPaused).toBe(false)
  })
})

describe('an open burst', () => {
  const burst = (at: number, kinds: number): MonitorRow => ({
    kind: 'items.burst',
    stream: 'items',
    at,
    id: `${at}.9`,
    data: { by_kind: Object.fromEntries(KINDS.slice(0, kinds).map((kind, index) => [kind, index + 1])) },
    origin: 'sent',
  })

  it('takes a slot more for each kind in it, and moves only the rows below it', () => {
    fc.assert(
      fc.property(fc.array(anyRow, { maxLength: 30 }), fc.nat(40), fc.nat(3), (given, at, kinds) => {
        const open = burst(at, kinds)
        const log = new RowLog(1_000)
        log.add([...given, open])
        const slots = slotsOf(log, open)
        const filled = Array.from({ length: slots.size }, (_, slot) => slots.at(slot))
        expect(filled.filter((one) => one === open)).toHaveLength(1 + linesOf(open))
        expect([...new Set(filled)]).toEqual(log.newest())
        for (const one of log.newest()) expect(slots.placeOf(one)).toBe(filled.indexOf(one))
        expect(slots.at(slots.size)).toBeUndefined()
        expect(slots.at(-1)).toBeUndefined()
      }),
    )
  })

  it('takes none while the filter hides it', () => {
    const log = new RowLog(9)
    log.add([row(1, 2, 'x'), row(2, 2, 'y')])
    const slots = slotsOf(log, burst(5, 3))
    expect([slots.size, slots.at(0)?.id, slots.at(1)?.id, slots.at(2)]).toEqual([2, 'y', 'x', undefined])
  })
})
