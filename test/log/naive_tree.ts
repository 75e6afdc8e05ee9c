// RFC 9162 section 2.1 as it is written there: slow, and independent of tiles.
import { createHash } from 'node:crypto'
import { type TileReader, tileAt } from '../../shared/log/tiles.ts'

const hash = (...parts: readonly Uint8Array[]): Uint8Array => {
  const sha256 = createHash('sha256')
  for (const part of parts) sha256.update(part)
  return sha256.digest()
}

const LEAF = Uint8Array.of(0)
const NODE = Uint8Array.of(1)

/** The largest power of two smaller than n, for n > 1. */
const split = (n: number): number => 2 ** Math.ceil(Math.log2(n) - 1)

export interface NaiveTree {
  readonly leafOf: (index: number) => Uint8Array
  /** MTH(D[from:to]). */
  readonly root: (from: number, to: number) => Uint8Array
  /** PATH(m, D_n). */
  readonly path: (m: number, n: number) => Uint8Array[]
  /** PROOF(m, D_n). */
  readonly proof: (m: number, n: number) => Uint8Array[]
}

/** @param data the entries */
export function naiveTree(data: readonly Uint8Array[]): NaiveTree {
  const known = new Map<number, Uint8Array>()
  const leafOf = (index: number) => hash(LEAF, data[index] ?? new Uint8Array())
  const root = (from: number, to: number): Uint8Array => {
    const key = from * 65_536 + to
    const before = known.get(key)
    if (before !== undefined) return before
    const k = from + split(to - from)
    const made =
      to === from ? hash() : to - from === 1 ? leafOf(from) : hash(NODE, root(from, k), root(k, to))
    known.set(key, made)
    return made
  }
  const path = (m: number, from: number, to: number): Uint8Array[] => {
    if (to - from === 1) return []
    const k = split(to - from)
    return m < k
      ? [...path(m, from, from + k), root(from + k, to)]
      : [...path(m - k, from + k, to), root(from, from + k)]
  }
  const subproof = (m: number, from: number, to: number, isRoot: boolean): Uint8Array[] => {
    if (m === to - from) return isRoot ? [] : [root(from, to)]
    const k = split(to - from)
    return m <= k
      ? [...subproof(m, from, from + k, isRoot), root(from + k, to)]
      : [...subproof(m - k, from + k, to, false), root(from, from + k)]
  }
  return { leafOf, root, path: (m, n) => path(m, 0, n), proof: (m, n) => subproof(m, 0, n, true) }
}

/** The tiles of the tree of `size` entries, made from the roots of its own definition. */
export function naiveTiles(tree: NaiveTree, size: number): TileReader {
  const rows = new Map<string, Uint8Array>()
  for (let level = 0, leaves = 1; leaves <= size; level++, leaves *= 256)
    for (let index = 0; index * 256 * leaves < size; index++) {
      const width = tileAt(size, level, index)?.width ?? 0
      const roots = Array.from({ length: width }, (_, at) => (index * 256 + at) * leaves).map((from) =>
        tree.root(from, from + leaves),
      )
      rows.set(`${level}/${index}`, Buffer.concat(roots))
    }
  return async (tiles) =>
    tiles.map(({ level, index, width }) => rows.get(`${level}/${index}`)?.subarray(0, width * 32) ?? NODE)
}
