// The picture of the chain: where tiles, gaps, brackets and times stand, and how high tiles are.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Epoch } from '../../console-web/src/commitments/epoch.ts'
import { lanesOf } from '../../console-web/src/picture/lanes.ts'
import {
  absencesOf,
  flagsOf,
  itemScale,
  layOut,
  shortCount,
  timeMarks,
} from '../../console-web/src/picture/layout.ts'
import type { Tile } from '../../console-web/src/picture/tile.ts'

const NOON = Date.UTC(2027, 0, 1, 12)
const idOf = (height: number): string => String(height).padStart(8, '0')
const tile = (height: number, at: number, items = 0): Tile => ({
  id: idOf(height),
  height,
  at,
  committed: false,
  items,
  observations: 0,
})
/** A chain whose blocks took these times. */
const chainOf = (took: readonly number[], first = 0): Tile[] => {
  let at = NOON
  return took.map((ms, index) => {
    at += ms
    return tile(first + index, at)
  })
}
const epoch = (sequence: number, first: number, last: number, more: Partial<Epoch> = {}): Epoch => ({
  id: `epoch-${sequence}`,
  chain: 'bitcoin',
  network: 'regtest',
  sequence,
  firstId: idOf(first),
  lastId: idOf(last),
  blocks: last - first + 1,
  root: '',
  closedAt: new Date(NOON + sequence).toISOString(),
  state: 'confirmed',
  confirmedAt: null,
  ...more,
})

const intervals = fc.constantFrom(250, 1_000, 2_000, 10_000, 60_000, 3_600_000)
const chains = fc
  .array(fc.integer({ min: 0, max: 8 * 3_600_000 }), { maxLength: 200 })
  .map((took) => chainOf(took))

describe('tiles', () => {
  it('and their gaps stand side by side, none over another, in the order of the chain', () => {
    fc.assert(
      fc.property(chains, intervals, fc.integer({ min: 0, max: 2_000 }), (tiles, interval, room) => {
        const { places, width } = layOut(tiles, interval, room)
        let end = 0
        for (const place of places) {
          if (place.gap !== null) {
            expect(place.gap.x).toBe(end)
            end += place.gap.width
          }
          expect(place.x).toBe(end)
          expect(place.width).toBeGreaterThanOrEqual(5)
          end += place.width
        }
        expect(width).toBe(end)
        expect(places.map((place) => place.tile)).toEqual(tiles)
      }),
    )
  })

  it('are wider the longer they took, and an interval is a unit wide', () => {
    const { places, unit } = layOut(chainOf([0, 5_000, 10_000, 15_000]), 10_000)
    expect(places.map(({ width }) => width / unit)).toEqual([1, 0.5, 1, 1.5])
  })

  it('are wider than usual only where all of them fit', () => {
    fc.assert(
      fc.property(chains, intervals, fc.nat(4_000), (tiles, interval, room) => {
        const { unit, width } = layOut(tiles, interval, room)
        expect(unit === layOut(tiles, interval).unit || width < room).toBe(true)
      }),
    )
  })
})

describe('a gap', () => {
  it('is there when no block was made for more than two intervals and five seconds, and lasts as long as one was overdue', () => {
    const gapOf = (ms: number) => layOut(chainOf([0, 10_000, ms, 10_000]), 10_000).places[2]?.gap?.ms ?? null
    expect(gapOf(25_000)).toBeNull()
    expect(gapOf(25_001)).toBe(15_001)
    expect(gapOf(3_600_000)).toBe(3_590_000)
  })
  it('is wider the longer it lasts, and a night fits on the screen', () => {
    const widthOf = (ms: number) => layOut(chainOf([0, ms]), 10_000).places[1]?.gap?.width ?? 0
    expect(widthOf(60_000)).toBeLessThan(widthOf(300_000))
    expect(widthOf(12 * 3_600_000)).toBeLessThan(400)
  })
  it('is not what blocks show that were made at a longer interval of old', () => {
    const { places } = layOut(chainOf([60_000, 60_000, 60_000, 60_000, 60_000, 10_000, 10_000]), 10_000)
    expect(places.filter(({ gap }) => gap !== null)).toEqual([])
  })
})

describe('the scale of items', () => {
  it('grows with the items, between a block of none and the largest mark', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1_000_000), { maxLength: 50 }), (counts) => {
        const { share, marks } = itemScale(
          counts.map((items, index) => tile(index, NOON, items)),
          0,
        )
        const sorted = [0, ...counts].sort((a, b) => a - b)
        expect(marks.at(0)).toBe(0)
        expect(marks.at(-1)).toBeGreaterThanOrEqual(Math.max(...sorted))
        expect(share(marks.at(-1) ?? 0)).toBeCloseTo(1)
        expect(share(0)).toBeGreaterThan(0)
        for (const [index, items] of sorted.entries())
          if (index > 0 && items > (sorted[index - 1] ?? 0))
            expect(share(items)).toBeGreaterThan(share(sorted[index - 1] ?? 0))
      }),
    )
  })
  it('is low while no block has more than one item, and neither has the next one', () => {
    const tiles = [tile(0, NOON), tile(1, NOON, 1)]
    expect([itemScale(tiles, 1).isLow, itemScale(tiles, 1).marks]).toEqual([true, [0, 1]])
    expect([itemScale(tiles, 2).isLow, itemScale([tile(0, NOON, 2)], 0).isLow]).toEqual([false, false])
  })
  it('is written shortly', () => {
    expect([0, 1, 10, 1_000, 2_500, 1_000_000].map(shortCount)).toEqual(['0', '1', '10', '1k', '2.5k', '1M'])
  })
})

describe('flags', () => {
  it('name the items of the team over their blocks, and never run into one another', () => {
    fc.assert(
      fc.property(chains, intervals, fc.array(fc.nat(199), { maxLength: 30 }), (tiles, interval, heights) => {
        const layout = layOut(tiles, interval)
        const own = new Map(heights.map((height) => [idOf(height), [`item ${height}`]]))
        const flags = flagsOf(layout, own).toReversed()
        for (const [index, { id, x, room, text }] of flags.entries()) {
          expect(text).toBe(own.get(id)?.[0])
          expect(x).toBe(layout.places.find((place) => place.tile.id === id)?.x)
          const next = flags[index + 1]
          if (next !== undefined) expect(x + room).toBeLessThanOrEqual(next.x)
        }
        // The newest block with items always has its flag.
        const newest = tiles.findLast(({ id }) => own.has(id))
        expect(flags.at(-1)?.id).toBe(newest?.id)
      }),
    )
  })
  it('never stand across the edge where the picture begins to be seen', () => {
    const layout = layOut(chainOf(Array.from({ length: 40 }, () => 10_000)), 10_000)
    const { places, width, unit } = layout
    const own = new Map([[idOf(12), ['contract.pdf']]])
    const x = places[12]?.x ?? 0
    for (let seen = 0; seen < width; seen += 1) {
      const [flag] = flagsOf({ ...layout, seen }, own)
      expect(flag === undefined || flag.x >= seen || flag.x + flag.room <= seen).toBe(true)
      // As long as a part of its block is seen, so is its name.
      if (seen < x + unit) expect(flag?.x).toBe(Math.max(x, seen))
    }
  })
  it('tell how many more there are', () => {
    const flags = flagsOf(layOut(chainOf([0, 10_000]), 10_000), new Map([[idOf(1), ['a.pdf', 'b', 'c']]]))
    expect(flags.map(({ text }) => text)).toEqual(['a.pdf +2'])
  })
})

describe('brackets', () => {
  const { places } = layOut(chainOf([0, 10_000, 10_000, 10_000, 10_000, 10_000], 4), 10_000)
  it('span exactly the blocks of their epoch; what comes after the newest is for the next', () => {
    const [lane] = lanesOf(places, [epoch(2, 7, 8), epoch(1, 4, 6)])
    expect(lane?.brackets.map(({ epoch: { sequence }, x, width }) => [sequence, x, width])).toEqual([
      [1, 0, 66],
      [2, 66, 44],
    ])
    expect(lane?.next).toEqual({ x: 110, width: 22, blocks: 1 })
  })
  it('of one chain never overlap, whatever blocks are in the picture', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 20 }),
        fc.nat(40),
        fc.nat(40),
        (runs, from, length) => {
          const shown = layOut(
            chainOf(
              Array.from({ length }, () => 10_000),
              from,
            ),
            10_000,
          ).places
          let first = 0
          const epochs = runs.map((run, sequence) => {
            const made = epoch(sequence, first, first + run - 1)
            first += run
            return made
          })
          let end = 0
          for (const { x, width } of lanesOf(shown, epochs)[0]?.brackets ?? []) {
            expect(x).toBeGreaterThanOrEqual(end)
            end = x + width
          }
        },
      ),
    )
  })
  it('are cut where their epoch begins before the oldest tile, and left out where it ends before it', () => {
    const [lane] = lanesOf(places, [epoch(1, 2, 5), epoch(0, 0, 1)])
    expect(lane?.brackets.map(({ isCut, width }) => [isCut, width])).toEqual([[true, 44]])
  })
  it('have a lane for each chain in use, also one without an epoch', () => {
    const lanes = lanesOf(places, [epoch(1, 4, 5)], [{ chain: 'stellar', network: 'testnet' }])
    expect(lanes.map(({ chain, brackets }) => [chain, brackets.length])).toEqual([
      ['bitcoin', 1],
      ['stellar', 0],
    ])
    expect(lanes[1]?.next?.blocks).toBe(6)
  })
})

describe('times under the tiles', () => {
  it('never overlap, and stay at their blocks when the chain grows', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300 }), intervals, (length, interval) => {
        const took = Array.from({ length: length + 5 }, () => interval)
        const before = layOut(chainOf(took.slice(0, length)), interval)
        const after = layOut(chainOf(took), interval)
        const marks = timeMarks(before)
        for (const [index, { x }] of marks.entries())
          if (index > 0) expect(x - (marks[index - 1]?.x ?? 0)).toBeGreaterThanOrEqual(90)
        const later = timeMarks(after).map(({ id }) => id)
        expect(later).toEqual(expect.arrayContaining(marks.map(({ id }) => id)))
      }),
    )
  })
})

describe('absences of this page', () => {
  it('cover the blocks that were made meanwhile', () => {
    const { places } = layOut(chainOf([0, 10_000, 10_000, 10_000, 10_000]), 10_000)
    const absence = { from: NOON + 15_000, until: NOON + 38_000 }
    const marks = [{ from: absence.from, x: 44, width: 44, blocks: 2 }]
    expect(absencesOf([absence], 0, places)).toEqual(marks)
    // In the time of the page, whose clock may be another one than that of the blocks.
    const early = { from: absence.from - 60_000, until: absence.until - 60_000 }
    expect(absencesOf([early], 60_000, places)).toMatchObject([{ x: 44, width: 44, blocks: 2 }])
  })
})
