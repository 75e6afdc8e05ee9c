// The picture of the chain: which blocks it holds, when they count as committed, and what was submitted since.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Epoch } from '../../console-web/src/picture/epoch.ts'
import {
  begunWith,
  emptyPicture,
  withCommitment,
  withEpochs,
  withNewest,
  withSubmitted,
  withTiles,
} from '../../console-web/src/picture/picture_state.ts'
import { addSubmitted, countSubmitted, nothingSubmitted } from '../../console-web/src/picture/submitted.ts'
import type { Tile } from '../../console-web/src/picture/tile.ts'
import { commitTiles, joinTiles, noTiles } from '../../console-web/src/picture/tile_list.ts'

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
const run = (from: number, to: number): Tile[] =>
  Array.from({ length: to - from + 1 }, (_, index) => tile(from + index))
const epoch = (first: number, last: number, state: Epoch['state']): Epoch => ({
  id: `epoch-${first}`,
  chain: 'bitcoin',
  network: 'regtest',
  sequence: first,
  firstId: tile(first).id,
  lastId: tile(last).id,
  blocks: last - first + 1,
  closedAt: new Date(NOON + last).toISOString(),
  state,
  confirmedAt: null,
})
const heights = (tiles: readonly Tile[]): number[] => tiles.map(({ height }) => height)

describe('the tiles in memory', () => {
  it('are one unbroken run, whatever comes in whatever order, and never too many', () => {
    const pages = fc.array(fc.tuple(fc.nat(60), fc.nat(12)), { maxLength: 20 })
    fc.assert(
      fc.property(pages, fc.integer({ min: 1, max: 40 }), (all, most) => {
        let list = noTiles
        for (const [from, length] of all) {
          const joining = joinTiles(list, run(from, from + length).reverse(), most)
          if (joining.kind === 'joined') list = joining.list
          expect(joining.kind).not.toBe('replaced')
          expect(list.tiles.length).toBeLessThanOrEqual(most)
          const first = list.tiles[0]?.height ?? 0
          expect(heights(list.tiles)).toEqual(list.tiles.map((_, index) => first + index))
        }
      }),
    )
  })
  it('keep the newest when there are too many, and say so', () => {
    expect(joinTiles(noTiles, run(0, 9), 4)).toEqual({
      kind: 'joined',
      list: { tiles: run(6, 9), trimmed: true },
    })
  })
  it('do not take blocks that leave out others, nor another block at a height they hold', () => {
    const held = { tiles: run(5, 9), trimmed: false }
    expect(joinTiles(held, [tile(11)])).toEqual({ kind: 'apart' })
    expect(joinTiles(held, [tile(9, { id: 'another' })])).toEqual({ kind: 'replaced' })
    expect(joinTiles(held, run(5, 9))).toEqual({ kind: 'joined', list: held })
  })
  it('are committed exactly where a confirmed run covers them, and stay so', () => {
    const runs = fc.array(fc.tuple(fc.nat(50), fc.nat(10)), { maxLength: 10 })
    fc.assert(
      fc.property(runs, fc.nat(20), fc.nat(40), (all, from, length) => {
        const list = { tiles: run(from, from + length), trimmed: false }
        const covered = all.map(([first, more]) => ({
          firstId: tile(first).id,
          lastId: tile(first + more).id,
        }))
        const after = commitTiles(list, covered)
        for (const { id, committed } of after.tiles)
          expect(committed).toBe(covered.some(({ firstId, lastId }) => id >= firstId && id <= lastId))
        expect(commitTiles(after, [])).toBe(after)
      }),
    )
  })
})

describe('the picture', () => {
  const begun = begunWith(emptyPicture, run(3, 9))
  it('begins with the newest blocks, and knows whether there are older ones', () => {
    expect(begun.older).toBe('idle')
    expect(withTiles(begun, run(0, 2))?.older).toBe('end')
  })
  it('forgets old blocks and their epochs when it is asked to, and can read them again', () => {
    const state = withNewest(withEpochs(begun, [epoch(3, 5, 'confirmed'), epoch(6, 8, 'pending')]), 4)
    expect(heights(state.list.tiles)).toEqual([6, 7, 8, 9])
    expect(state.epochs.map(({ sequence }) => sequence)).toEqual([6])
    expect(state.older).toBe('idle')
    expect(heights(withTiles(state, run(0, 5))?.list.tiles ?? [])).toHaveLength(10)
  })
  it('wants to be read again when blocks are missing, and forgets what does not continue', () => {
    expect(withTiles(begun, [tile(20)])).toBeNull()
    expect(heights(begunWith(begun, run(18, 20)).list.tiles)).toEqual([18, 19, 20])
  })
  it('shows a block as committed once the transaction of its epoch is confirmed, not before', () => {
    const waiting = withEpochs(begun, [epoch(3, 6, 'submitted')])
    expect(waiting.list.tiles.some(({ committed }) => committed)).toBe(false)
    const confirmed = withCommitment(waiting, 'epoch-3', { state: 'confirmed', confirmedAt: null })
    expect(confirmed?.list.tiles.filter(({ committed }) => committed).map(({ height }) => height)).toEqual([
      3, 4, 5, 6,
    ])
    const undone =
      confirmed && withCommitment(confirmed, 'epoch-3', { state: 'submitted', confirmedAt: null })
    expect(undone?.epochs[0]?.state).toBe('submitted')
    expect(undone?.list.tiles[0]?.committed).toBe(true)
  })
  it('does not know an epoch that it has not read', () => {
    expect(withCommitment(begun, 'epoch-9', { state: 'confirmed', confirmedAt: null })).toBeNull()
  })
  it('begins to count anew with each block; what is younger than the block stays', () => {
    const { at } = tile(10)
    const counted = withSubmitted(withSubmitted(begun, at - 5_000, 7), at + 200, 2)
    expect(countSubmitted(counted.submitted ?? nothingSubmitted)).toBe(9)
    expect(countSubmitted(withTiles(counted, [tile(10)])?.submitted ?? nothingSubmitted)).toBe(2)
  })
})

describe('the items submitted so far', () => {
  it('are all counted, in little memory', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(1_000_000), fc.nat(50)), { maxLength: 1_500 }), (arrivals) => {
        const all = arrivals.reduce(
          (sum, [at, items]) => addSubmitted(sum, NOON + at, items),
          nothingSubmitted,
        )
        expect(countSubmitted(all)).toBe(arrivals.reduce((sum, [, items]) => sum + items, 0))
        expect(all.arrivals.length).toBeLessThanOrEqual(600)
      }),
    )
  })
})
