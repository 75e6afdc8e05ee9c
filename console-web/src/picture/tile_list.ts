// The tiles in memory, oldest first: one unbroken run of heights. Pure functions.
import type { Tile } from './tile.ts'

/** About a day of 10 s blocks. Older ones are on the page of the chain. */
const MOST_TILES = 10_000

export type TileList = {
  /** Heights ascend by exactly one. */
  readonly tiles: readonly Tile[]
  /** True when tiles were dropped at the older end, because there were too many. */
  readonly trimmed: boolean
}

export const noTiles: TileList = { tiles: [], trimmed: false }

/**
 * `joined`: the list holds the tiles. `apart`: blocks between the list and the tiles are missing.
 * `replaced`: the list holds another block at one of the heights, so the chain is another one.
 */
export type Joining =
  | { readonly kind: 'joined'; readonly list: TileList }
  | { readonly kind: 'apart' | 'replaced' }

/** `incoming` may be in any order, with repetitions and overlaps. */
export const joinTiles = (list: TileList, incoming: readonly Tile[], most: number = MOST_TILES): Joining => {
  const first = list.tiles[0]?.height ?? 0
  const byHeight = new Map<number, Tile>()
  let changed = false
  for (const tile of incoming) {
    const known = list.tiles[tile.height - first] ?? byHeight.get(tile.height)
    if (known !== undefined && known.id !== tile.id) return { kind: 'replaced' }
    if (known === undefined || (tile.committed && !known.committed)) {
      byHeight.set(tile.height, tile)
      changed = true
    }
  }
  if (!changed) return { kind: 'joined', list }
  const fresh = [...byHeight.values()]
  const updated = list.tiles.map((tile) => byHeight.get(tile.height) ?? tile)
  const added = fresh.filter(({ height }) => list.tiles[height - first] === undefined)
  const tiles = [...updated, ...added].sort((a, b) => a.height - b.height)
  const isRun = tiles.every((tile, index) => tile.height === (tiles[0]?.height ?? 0) + index)
  if (!isRun) return { kind: 'apart' }
  const over = Math.max(0, tiles.length - most)
  return {
    kind: 'joined',
    list: { tiles: over === 0 ? tiles : tiles.slice(over), trimmed: list.trimmed || over > 0 },
  }
}

export type Run = { readonly firstId: string; readonly lastId: string }

/** Marks the blocks of these runs as committed. The ids of blocks ascend with the chain. */
export const commitTiles = (list: TileList, runs: readonly Run[]): TileList => {
  const oldest = list.tiles.find(({ committed }) => !committed)
  const sorted = runs
    .filter(({ lastId }) => oldest !== undefined && lastId >= oldest.id)
    .sort((a, b) => (a.firstId < b.firstId ? -1 : 1))
  if (sorted.length === 0) return list
  let next = 0
  let covered = ''
  let changed = false
  const tiles = list.tiles.map((tile) => {
    for (let run = sorted[next]; run !== undefined && run.firstId <= tile.id; run = sorted[next]) {
      if (run.lastId > covered) covered = run.lastId
      next += 1
    }
    if (tile.committed || tile.id > covered) return tile
    changed = true
    return { ...tile, committed: true }
  })
  return changed ? { ...list, tiles } : list
}
