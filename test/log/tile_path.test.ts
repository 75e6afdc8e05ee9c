// Paths of tiles: one tile has one path, and nothing else is a path.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readTilePath, tilePath } from '../../shared/log/tiles.ts'
import { known } from './known_notes.ts'

describe('tile paths', () => {
  it.each(known.tile_paths)('$path is written and read as other clients do', ({ path, ...tile }) => {
    expect(tilePath(tile)).toBe(path)
    expect(readTilePath(path)).toEqual(tile)
  })

  it('every tile is read back from its path', () => {
    const tiles = fc.record({
      level: fc.oneof(fc.constant('entries' as const), fc.integer({ min: 0, max: 63 })),
      index: fc.maxSafeNat(),
      width: fc.integer({ min: 1, max: 256 }),
    })
    fc.assert(
      fc.property(tiles, (tile) => {
        expect(readTilePath(tilePath(tile))).toEqual(tile)
      }),
    )
  })

  it.each([
    ['a level with a leading zero', 'tile/00/000'],
    ['a level above 63', 'tile/64/000'],
    ['another kind of tile', 'tile/data/000'],
    ['an index without padding', 'tile/0/1'],
    ['an index in four digits', 'tile/0/1000'],
    ['groups of zeros in front', 'tile/0/x000/001'],
    ['a last group with an x', 'tile/0/x001'],
    ['a group without its x', 'tile/0/001/234'],
    ['a width of 0', 'tile/0/000.p/0'],
    ['a width with a leading zero', 'tile/0/000.p/01'],
    ['a full tile written as a partial one', 'tile/0/000.p/256'],
    ['no width', 'tile/0/000.p/'],
    ['the partial folder alone', 'tile/0/000.p'],
    ['an index that is not exact', 'tile/0/x009/x007/x199/x254/x740/992'],
    ['too many groups', 'tile/0/x001/x000/x000/x000/x000/x000/000'],
    ['a slash behind it', 'tile/0/000/'],
    ['a newline behind it', 'tile/0/000\n'],
    ['other digits', 'tile/0/٠٠٠'],
  ])('%s is no path', (_, path) => expect(readTilePath(path)).toBeUndefined())
})
