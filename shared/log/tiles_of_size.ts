// The files that a log of some size consists of (C2SP tlog-tiles).
import type { TilePlace } from './tile_path.ts'
import { TILE_WIDTH } from './tile_reader.ts'

/** How many full tiles each level has, from level 0 up to the last level that has one. */
export function fullTiles(size: number): number[] {
  const counts: number[] = []
  for (let hashes = Math.floor(size / TILE_WIDTH); hashes > 0; hashes = Math.floor(hashes / TILE_WIDTH))
    counts.push(hashes)
  return counts
}

/** The partial tiles, the lowest first, and the partial bundle of entries. */
export function partialTiles(size: number): TilePlace[] {
  const places: TilePlace[] = []
  for (let level = 0, hashes = size; hashes > 0; level += 1, hashes = Math.floor(hashes / TILE_WIDTH)) {
    const place = { index: Math.floor(hashes / TILE_WIDTH), width: hashes % TILE_WIDTH }
    if (place.width === 0) continue
    places.push({ level, ...place })
    if (level === 0) places.push({ level: 'entries', ...place })
  }
  return places
}
