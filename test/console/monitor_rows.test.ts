// The rows of the monitor: nothing lost, repeated or reordered, whatever the order of arrival, and each block once.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { STREAM_NAMES } from '../../console-web/src/data/stream/live_events.ts'
import {
  compareRows,
  type MonitorRow,
  nameOfRow,
  rowNamed,
} from '../../console-web/src/monitor/monitor_row.ts'
import {
  findRow,
  NO_FILTER,
  type RowFilter,
  shownRows,
  withRows,
} from '../../console-web/src/monitor/monitor_rows.ts'
import { STREAMS } from '../../console-web/src/monitor/monitor_streams.ts'
import { rowWords } from '../../console-web/src/monitor/row_words.ts'
import { streams } from '../../shared/wire/console_stream.ts'

const KINDS = [
  ['beacon.created', 'beacons'],
  ['block.finalized', 'blocks'],
  ['block.committed', 'blocks'],
  ['item.created', 'items'],
  ['item.committed', 'items'],
] as const

const row = (at: number, which: number, id: string): MonitorRow => ({
  kind: KINDS[which]?.[0] ?? 'item.created',
  stream: KINDS[which]?.[1] ?? 'items',
  at,
  id,
  data: { id, tags: [`t${at % 3}`] },
  origin: 'sent',
})

const anyRow = fc.tuple(fc.nat(40), fc.nat(4), fc.nat(9)).map(([at, which, id]) => row(at, which, `id-${id}`))
/** What comes in portions, with repetitions and in any order. */
const portions = fc.array(fc.array(anyRow, { maxLength: 12 }), { maxLength: 12 })

const texts = (rows: readonly MonitorRow[]): string[] => rows.map(nameOfRow)

/** The rows without repetitions, newest first. */
const expected = (rows: readonly MonitorRow[], most = Number.POSITIVE_INFINITY): string[] => {
  const byName = new Map(rows.map((one) => [nameOfRow(one), one]))
  return texts([...byName.values()].sort((a, b) => compareRows(b, a)).slice(0, most))
}

const none: readonly MonitorRow[] = []
const iso = (ms: number): string => new Date(ms).toISOString()
const raw: RowFilter = { ...NO_FILTER, raw: true }

describe('the rows of the monitor', () => {
  it('stand in the order of time, each once, in whatever portions and order they come, up to a ceiling', () => {
    fc.assert(
      fc.property(portions, fc.integer({ min: 1, max: 60 }), (given, most) => {
        const rows = given.reduce((now, came) => withRows(now, came, most), none)
        expect(texts(rows)).toEqual(expected(given.flat(), most))
        for (const one of rows) expect(findRow(rows, rowNamed(nameOfRow(one)) ?? one)).toBe(one)
      }),
    )
  })

  it('stay the objects that they were when they come again', () => {
    const rows = withRows(none, [row(1, 3, 'a'), row(2, 3, 'b')])
    const again = withRows(rows, [row(1, 3, 'a'), row(3, 3, 'c')])
    expect(again.slice(1)).toEqual(rows)
    expect(again[1]).toBe(rows[0])
    expect(again[2]).toBe(rows[1])
  })
})

describe('a block', () => {
  const finalized = (at: number, id: string): MonitorRow => ({
    ...row(at, 1, id),
    data: { id, height: 7, item_count: 2, finalized_at: new Date(at).toISOString(), committed_at: null },
  })
  const committed = (at: number, from: number, id: string): MonitorRow => ({
    ...row(at, 2, id),
    data: { ...finalized(from, id).data, committed_at: new Date(at).toISOString() },
  })

  it('is one row, which says when a commitment carried it', () => {
    const rows = withRows(none, [
      row(60_000, 0, 'b7'),
      finalized(60_000, 'b7'),
      row(60_000, 4, 'item'),
      committed(180_000, 60_000, 'b7'),
    ])
    const shown = shownRows(rows, NO_FILTER)
    expect(shown.map(({ kind }) => kind)).toEqual(['item.committed', 'block.finalized'])
    expect(shown.map((one) => rowWords(one).line)[1]).toBe('#7 · 2 items · on a chain after 2 min 00 s')
    expect(shownRows(rows, raw)).toEqual(rows)
  })

  it('and an item that it contains are a row each, and the item says when it was in a block', () => {
    const item = { ...row(1_000, 3, 'i'), data: { id: 'i', visibility: 'team', inserted_at: iso(1_000) } }
    const inBlock = { ...row(60_000, 4, 'i'), data: { ...item.data, committed_at: iso(60_000) } }
    const shown = shownRows(withRows(none, [item, inBlock, finalized(60_000, 'b7')]), NO_FILTER)
    expect(shown.map(({ kind }) => kind)).toEqual(['block.finalized', 'item.created'])
    expect(shown.map((one) => rowWords(one).line)[1]).toBe('team · in a block after 59 s')
    // Of one that was handed in before the list begins.
    expect(shownRows([inBlock], NO_FILTER).map((one) => rowWords(one).name)).toEqual(['Item in a block'])
  })

  it('that is older than the list has a row when it is committed', () => {
    const rows = withRows(none, [committed(180_000, 60_000, 'b7')])
    expect(shownRows(rows, NO_FILTER).map(({ kind }) => kind)).toEqual(['block.committed'])
  })

  it('is never shown twice, and nothing else is lost, whatever came', () => {
    fc.assert(
      fc.property(portions, (given) => {
        const rows = given.reduce((now, came) => withRows(now, came), none)
        const shown = shownRows(rows, NO_FILTER)
        const idsOf = (all: readonly MonitorRow[], ...kinds: string[]) =>
          all.filter(({ kind }) => kinds.includes(kind)).map(({ id }) => id)
        expect(idsOf(shown, 'beacon.created')).toEqual([])
        for (const [first, later] of [
          ['block.finalized', 'block.committed'],
          ['item.created', 'item.committed'],
        ] as const) {
          expect(idsOf(shown, first)).toEqual(idsOf(rows, first))
          expect(new Set(idsOf(shown, first, later))).toEqual(new Set(idsOf(rows, first, later)))
        }
      }),
    )
  })
})

describe('a filter', () => {
  it('hides the streams that are switched off, but never that the chain was replaced', () => {
    const replaced: MonitorRow = { ...row(9, 0, 'lost'), kind: 'chain.replaced' }
    const rows = withRows(none, [row(1, 0, 'a'), row(2, 1, 'b'), row(3, 3, 'c'), replaced])
    const off: RowFilter['off'] = new Set(['beacons', 'items'])
    expect(shownRows(rows, { ...raw, off }).map(({ id }) => id)).toEqual(['lost', 'b'])
    expect(shownRows(rows, { ...NO_FILTER, off }).map(({ id }) => id)).toEqual(['lost', 'b'])
  })

  it('finds a text in any field, at any depth, in its words and in the name of its event, and in no name of a field', () => {
    const burst = { ...row(1, 3, 'x'), data: { count: 412, latest: { data: { item_hash: 'AbC123' } } } }
    const found = (text: string): boolean => shownRows([burst], { ...raw, text }).length === 1
    expect(['412', 'abc1', 'item.created', 'handed in'].map(found)).toEqual([true, true, true, true])
    expect(['latest', 'item_hash', 'zzz'].map(found)).toEqual([false, false, false])
  })
})

it('every event of every stream has words', () => {
  for (const name of STREAM_NAMES)
    expect(Object.keys(STREAMS[name].events).sort()).toEqual([...streams[name].events].sort())
})

it('a delivery that a program reads says so, and nothing of attempts', () => {
  const line = (data: object) =>
    rowWords({
      kind: 'delivery.updated',
      stream: 'webhook_deliveries',
      at: 0,
      id: 'id',
      data: { event_type: 'webhook_endpoint.failing', http_status: null, next_attempt_at: null, ...data },
      origin: 'sent',
    }).line
  expect(line({ status: 'success', attempts: 1 })).toBe('webhook_endpoint.failing · read')
  expect(line({ status: 'pending', attempts: 0 })).toBe('webhook_endpoint.failing · not read yet')
  const sent = { status: 'success', http_status: 204, attempts: 1 }
  expect(line(sent)).toBe('webhook_endpoint.failing · success · 204 · 1 attempt')
})
