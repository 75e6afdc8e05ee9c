// The picture of the chain: which blocks it holds, when they count as committed, and what was submitted since.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Epoch } from '../../console-web/src/commitments/epoch.ts'
import {
  changed,
  countSubmitted,
  EMPTY_PICTURE,
  type Picture,
  type PictureChange,
} from '../../console-web/src/picture/picture_state.ts'
import { MOST_TILES, type Tile } from '../../console-web/src/picture/tile.ts'

const NOON = Date.UTC(2027, 0, 1, 12)
const tile = (height: number, more: Partial<Tile> = {}): Tile => ({
  id: String(height).padStart(8, '0'),
  height,
  at: NOON + height * 10_000,
  committed: false,
  items: 0,
  observations: 0,
  ...more,
})
/** Newest first, as a page has them. */
const page = (from: number, to: number): Tile[] =>
  Array.from({ length: to - from + 1 }, (_, index) => tile(to - index))
const read = (from: number, to: number): PictureChange => ({ kind: 'read', tiles: page(from, to) })
const block = (height: number, more?: Partial<Tile>): PictureChange => ({
  kind: 'block',
  tile: tile(height, more),
})
const epoch = (first: number, last: number, state: Epoch['state']): Epoch => ({
  id: `epoch-${first}`,
  chain: 'bitcoin',
  network: 'regtest',
  sequence: first,
  firstId: tile(first).id,
  lastId: tile(last).id,
  blocks: last - first + 1,
  root: '',
  closedAt: new Date(NOON + last).toISOString(),
  state,
  confirmedAt: null,
})
const epochs = (...all: Epoch[]): PictureChange => ({ kind: 'epochs', epochs: all })
const stateOf = (...changes: readonly PictureChange[]): Picture => changes.reduce(changed, EMPTY_PICTURE)
const heights = ({ tiles }: Picture): number[] => tiles.map(({ height }) => height)
const committed = ({ tiles }: Picture): number[] =>
  tiles.filter((one) => one.committed).map(({ height }) => height)

describe('the tiles', () => {
  it('are one unbroken run of the newest blocks, whatever comes in whatever order, and never too many', () => {
    const pages = fc.tuple(fc.nat(120), fc.nat(MOST_TILES - 1)).map(([from, more]) => read(from, from + more))
    const blocks = fc.nat(220).map((height) => block(height))
    fc.assert(
      fc.property(fc.array(fc.oneof(pages, blocks), { maxLength: 40 }), (changes) => {
        let state = EMPTY_PICTURE
        for (const change of changes) {
          state = changed(state, change)
          expect(state.tiles.length).toBeLessThanOrEqual(MOST_TILES)
          const first = state.tiles[0]?.height ?? 0
          expect(heights(state)).toEqual(state.tiles.map((_, index) => first + index))
        }
      }),
    )
  })
  it('grow by the block that comes, which is told to have arrived, and forget the oldest', () => {
    const state = stateOf(read(0, MOST_TILES - 1), block(MOST_TILES))
    expect([heights(state)[0], heights(state).at(-1), state.arrived]).toEqual([
      1,
      MOST_TILES,
      tile(MOST_TILES).id,
    ])
  })
  it('want to be read again where blocks are missing, and where the chain is another one', () => {
    expect(stateOf(read(3, 9), block(11)).isBehind).toBe(true)
    expect(stateOf(read(3, 9), block(9, { id: 'another' })).isBehind).toBe(true)
    expect(stateOf(read(3, 9), block(11), read(5, 11))).toMatchObject({ isBehind: false })
    expect(stateOf(read(3, 9), block(9)).isBehind).toBe(false)
  })
  it('keep what came while the page was read, and nothing that does not continue it', () => {
    expect(heights(stateOf(read(3, 9), block(10), read(4, 9)))).toEqual([4, 5, 6, 7, 8, 9, 10])
    expect(heights(stateOf(read(3, 9), read(18, 20)))).toEqual([18, 19, 20])
  })
  it('are gone when the chain was replaced, and the absences stay', () => {
    const state = stateOf(
      read(3, 9),
      { kind: 'connection', isOffline: true, now: NOON },
      { kind: 'replaced' },
    )
    expect(state).toMatchObject({ tiles: [], isBehind: true, absences: [{ from: NOON, to: null }] })
  })
})

describe('a block', () => {
  it('is committed exactly where a confirmed run covers it, and stays so', () => {
    const runs = fc.array(fc.tuple(fc.nat(50), fc.nat(10)), { maxLength: 10 })
    fc.assert(
      fc.property(runs, fc.nat(20), fc.nat(40), (all, from, length) => {
        const confirmed = all.map(([first, more], index) => ({
          ...epoch(first, first + more, 'confirmed'),
          id: `${index}`,
        }))
        const state = stateOf(read(from, from + length), epochs(...confirmed))
        for (const { id, committed: is } of state.tiles)
          expect(is).toBe(confirmed.some(({ firstId, lastId }) => id >= firstId && id <= lastId))
      }),
    )
    const state = stateOf(read(3, 9), epochs(epoch(3, 6, 'submitted')), {
      kind: 'commitment',
      epochId: 'epoch-3',
      state: 'confirmed',
      confirmedAt: null,
    })
    expect(committed(stateOf(read(3, 9), epochs(epoch(3, 6, 'submitted'))))).toEqual([])
    expect(committed(state)).toEqual([3, 4, 5, 6])
    const undone = changed(state, {
      kind: 'commitment',
      epochId: 'epoch-3',
      state: 'submitted',
      confirmedAt: null,
    })
    expect([undone.epochs[0]?.state, committed(undone)]).toEqual(['submitted', [3, 4, 5, 6]])
  })
  it('takes the epochs before it out of memory', () => {
    const state = stateOf(read(6, 9), epochs(epoch(3, 5, 'confirmed'), epoch(6, 8, 'pending')))
    expect(state.epochs.map(({ sequence }) => sequence)).toEqual([6])
  })
})

describe('the items submitted so far', () => {
  it('begin anew with each block; what is younger than the block stays', () => {
    const { at } = tile(10)
    const state = stateOf(
      read(3, 9),
      { kind: 'counted', at: at - 5_000, items: 7 },
      {
        kind: 'submitted',
        at: at + 200,
        items: 2,
      },
    )
    expect(countSubmitted(state)).toBe(9)
    expect(countSubmitted(changed(state, block(10)))).toBe(2)
  })
  it('are unknown until they were counted', () => {
    expect(countSubmitted(stateOf(read(3, 9), { kind: 'submitted', at: NOON, items: 1 }))).toBeNull()
  })
  it('are all counted, in little memory', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(1_000_000), fc.integer({ min: 1, max: 50 })), { maxLength: 1_500 }),
        (arrivals) => {
          const state = stateOf(
            { kind: 'counted', at: NOON, items: 0 },
            ...arrivals.map(([at, items]): PictureChange => ({ kind: 'submitted', at: NOON + at, items })),
          )
          expect(countSubmitted(state)).toBe(arrivals.reduce((sum, [, items]) => sum + items, 0))
          expect(state.submitted?.length).toBeLessThanOrEqual(600)
        },
      ),
    )
  })
})

describe('absences of this page', () => {
  const connection = (isOffline: boolean, now: number): PictureChange => ({
    kind: 'connection',
    isOffline,
    now,
  })
  it('are remembered while the connection is away, and once it is back', () => {
    const state = stateOf(
      connection(true, NOON + 15),
      connection(true, NOON + 16),
      connection(false, NOON + 38),
    )
    expect(state.absences).toEqual([{ from: NOON + 15, to: NOON + 38 }])
  })
  it('are few', () => {
    const changes = Array.from({ length: 400 }, (_, index) => connection(index % 2 === 0, NOON + index * 5))
    expect(stateOf(...changes).absences).toHaveLength(50)
  })
})
