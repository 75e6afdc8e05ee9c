// Trees, paths and entries once more, from RFC 9162 section 2.1 alone, with nothing of the service's own code.
import { hash } from 'node:crypto'

/** By way of text, because Node makes a buffer for a hash in four times as long. */
const sha256 = (bytes: Uint8Array): Buffer => Buffer.from(hash('sha256', bytes, 'binary'), 'binary')

const digest = (...parts: readonly Uint8Array[]): Buffer => sha256(Buffer.concat(parts))

export interface SecondEntry {
  readonly type: string
  readonly value: Uint8Array
  readonly salt?: Uint8Array | undefined
}

export const secondEntry = ({ type, value, salt = Buffer.of() }: SecondEntry): Buffer =>
  Buffer.concat([Buffer.from(type, 'ascii'), Buffer.of(0), value, salt])

/** MTH over entries that are not hashed yet. */
export function secondRoot(entries: readonly Uint8Array[]): Buffer {
  const [only] = entries
  if (only === undefined) return digest()
  if (entries.length === 1) return digest(Buffer.of(0), only)
  const split = splitOf(entries.length)
  return digest(Buffer.of(1), secondRoot(entries.slice(0, split)), secondRoot(entries.slice(split)))
}

/** PATH(m, D[n]). */
export function secondPath(index: number, entries: readonly Uint8Array[]): Buffer[] {
  if (entries.length === 1) return []
  const split = splitOf(entries.length)
  return index < split
    ? [...secondPath(index, entries.slice(0, split)), secondRoot(entries.slice(split))]
    : [...secondPath(index - split, entries.slice(split)), secondRoot(entries.slice(0, split))]
}

/** Section 2.1.3.2 of the RFC, step by step. */
export function secondCheck(
  { index, size, path }: { index: number; size: number; path: readonly Uint8Array[] },
  entry: Uint8Array,
  root: Uint8Array,
): boolean {
  if (index >= size) return false
  let fn = index
  let sn = size - 1
  let r: Buffer = digest(Buffer.of(0), entry)
  for (const p of path) {
    if (sn === 0) return false
    if (fn % 2 === 1 || fn === sn) {
      r = digest(Buffer.of(1), p, r)
      while (fn % 2 === 0 && fn !== 0) {
        fn = Math.floor(fn / 2)
        sn = Math.floor(sn / 2)
      }
    } else r = digest(Buffer.of(1), r, p)
    fn = Math.floor(fn / 2)
    sn = Math.floor(sn / 2)
  }
  return sn === 0 && r.equals(root)
}

const splitOf = (count: number): number => {
  let power = 1
  while (power * 2 < count) power *= 2
  return power
}

/** Checks every path of a tree. Neighbours share most of their way, so what was hashed just before is not hashed again. */
export class SecondPaths {
  readonly #size: number
  readonly #root: Uint8Array
  readonly #last: ({ left: Uint8Array; right: Uint8Array; node: Buffer } | undefined)[] = []

  constructor(size: number, root: Uint8Array) {
    this.#size = size
    this.#root = root
  }

  /** Section 2.1.3.2 of the RFC, as `secondCheck`. */
  check(index: number, path: readonly Uint8Array[], entry: Uint8Array): boolean {
    if (index >= this.#size) return false
    let fn = index
    let sn = this.#size - 1
    let r = digest(Buffer.of(0), entry)
    for (const [height, p] of path.entries()) {
      if (sn === 0) return false
      if (fn % 2 === 1 || fn === sn) {
        r = this.#node(height, p, r)
        while (fn % 2 === 0 && fn !== 0) {
          fn = Math.floor(fn / 2)
          sn = Math.floor(sn / 2)
        }
      } else r = this.#node(height, r, p)
      fn = Math.floor(fn / 2)
      sn = Math.floor(sn / 2)
    }
    return sn === 0 && r.equals(this.#root)
  }

  #node(height: number, left: Uint8Array, right: Uint8Array): Buffer {
    const last = this.#last[height]
    if (last !== undefined && isSame(last.left, left) && isSame(last.right, right)) return last.node
    PAIR.set(left, 1)
    PAIR.set(right, 33)
    const node = sha256(PAIR)
    this.#last[height] = { left, right, node }
    return node
  }
}

/** Filled again for each node. */
const PAIR = Buffer.alloc(65, 1)

/** The same place in memory has the same bytes. */
const isSame = (a: Uint8Array, b: Uint8Array): boolean =>
  a === b || (a.byteOffset === b.byteOffset && a.buffer === b.buffer) || Buffer.compare(a, b) === 0
