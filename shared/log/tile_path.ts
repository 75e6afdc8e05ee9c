// The paths of tiles and entry bundles (C2SP tlog-tiles): `tile/0/x001/234.p/5`, `tile/entries/067`; and those that a
// log of some size consists of.
import { TILE_WIDTH, type TileCoordinate } from './tile_reader.ts'

/** A tile of hashes, or the bundle of the entries below a tile of level 0. A width of 256 is the full one. */
export type TilePlace = Omit<TileCoordinate, 'level'> & { readonly level: number | 'entries' }

/** `tile/0/x001/x234/067` for the full tile 1234067 of level 0, and `.p/<width>` behind it for a partial one. */
export function tilePath({ level, index, width }: TilePlace): string {
  const groups = [String(index % 1_000).padStart(3, '0')]
  for (let rest = Math.floor(index / 1_000); rest > 0; rest = Math.floor(rest / 1_000))
    groups.unshift(`x${String(rest % 1_000).padStart(3, '0')}`)
  return `tile/${level}/${groups.join('/')}${width === TILE_WIDTH ? '' : `.p/${width}`}`
}

/** Undefined for every path that `tilePath` does not write. */
export function readTilePath(path: string): TilePlace | undefined {
  const match = PATH.exec(path)
  if (match === null) return undefined
  const [, level = '', groups = '', width] = match
  const index = Number(groups.replaceAll(/[x/]/g, ''))
  if (!Number.isSafeInteger(index)) return undefined
  const read = {
    level: level === 'entries' ? level : Number(level),
    index,
    width: width === undefined ? TILE_WIDTH : Number(width),
  } as const
  // One tile has one path: this refuses leading groups of zeros.
  return read.width <= TILE_WIDTH && tilePath(read) === path ? read : undefined
}

/** Levels are 0 to 63. Six groups of digits hold every safe integer. */
const PATH = /^tile\/(entries|\d|[1-5]\d|6[0-3])\/((?:x\d{3}\/){0,5}\d{3})(?:\.p\/([1-9]\d{0,2}))?$/

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
