// The tree of a manifest: a leaf for each entry in their order, and the last one over all of their paths.
import { sha256 as nobleSha256 } from '@noble/hashes/sha2.js'
import { sha256, sha256Into } from '../proof/domain_hash.ts'
import { LeafList, type TreeEntry } from './digest_tree.ts'
import { EvidenceRejected, judged } from './evidence.ts'

export const LONGEST_LINE_BYTES = 65_536

export interface ManifestEntry {
  /** Relative, with `/` between its parts. */
  readonly path: string
  readonly entry: TreeEntry
}

/** The tree of a manifest, entry by entry, whether it is written or read. */
export class ManifestTree {
  readonly #leaves: LeafList
  readonly #names = nobleSha256.create()
  /** Paths that `#names` has not heard yet, with their NULs: it takes many at once in half the time. */
  readonly #unheard = new Uint8Array(2 * LONGEST_LINE_BYTES)
  #unheardBytes = 0
  /** Of each path 8 bytes of its hash, because a million paths themselves take too much memory. */
  #marks: Uint8Array<ArrayBuffer>
  #size = 0

  /** @param expected how many entries there will be, when that is known. More are taken too. */
  constructor(expected = 1_024) {
    this.#leaves = new LeafList(expected + 1)
    this.#marks = new Uint8Array(MARK_BYTES * expected)
  }

  /** @throws EvidenceRejected for a path that is none, and for a digest of another length */
  add({ path, entry }: ManifestEntry): void {
    checkPath(path)
    this.#addMark(this.#addName(path))
    judged(() => this.#leaves.addEntry(entry))
    this.#size += 1
  }

  /** @returns its bytes, until the next is added */
  #addName(path: string): Uint8Array {
    if (this.#unheardBytes + LONGEST_LINE_BYTES >= this.#unheard.length) this.#hear()
    const start = this.#unheardBytes
    const { read, written } = UTF_8.encodeInto(
      path,
      this.#unheard.subarray(start, start + LONGEST_LINE_BYTES),
    )
    if (read < path.length) throw new EvidenceRejected(`${shownPath(path)} is longer than a line may be`)
    this.#unheard[start + written] = 0
    this.#unheardBytes += written + 1
    return this.#unheard.subarray(start, start + written)
  }

  #hear(): void {
    this.#names.update(this.#unheard.subarray(0, this.#unheardBytes))
    this.#unheardBytes = 0
  }

  #addMark(path: Uint8Array): void {
    const start = MARK_BYTES * this.#size
    if (start === this.#marks.length) {
      const larger = new Uint8Array(2 * start + MARK_BYTES)
      larger.set(this.#marks)
      this.#marks = larger
    }
    sha256Into(path, HASH, 0)
    for (let at = 0; at < MARK_BYTES; at += 1) this.#marks[start + at] = HASH[at] ?? 0
  }

  /**
   * To be called once, after all entries.
   * @throws EvidenceRejected when two of them have one path
   */
  close(namesSalt: Uint8Array) {
    const marks = new BigUint64Array(this.#marks.buffer, 0, this.#size).sort()
    if (marks.some((mark, at) => at > 0 && mark === marks[at - 1]))
      throw new EvidenceRejected('two entries have the same path')
    this.#hear()
    const names: TreeEntry = { type: 'names', value: this.#names.digest(), salt: namesSalt }
    judged(() => this.#leaves.addEntry(names))
    return {
      tree: this.#leaves.tree(),
      /** The last leaf. */
      names,
      /** Whether it has an entry with this path. */
      has: (path: string): boolean => isAmong(marks, path),
    }
  }
}

function isAmong(marks: BigUint64Array, path: string): boolean {
  const [mark = 0n] = new BigUint64Array(sha256(UTF_8.encode(path)).buffer, 0, 1)
  let [from, to] = [0, marks.length]
  while (from < to) {
    const middle = (from + to) >> 1
    const there = marks[middle] ?? 0n
    if (there === mark) return true
    if (there < mark) from = middle + 1
    else to = middle
  }
  return false
}

const MARK_BYTES = 8
/** Filled again for each path. */
const HASH = new Uint8Array(32)
const UTF_8 = new TextEncoder()

/** @throws EvidenceRejected */
function checkPath(path: string): void {
  if (!path.isWellFormed() || path.includes('\0') || path.includes('\\'))
    throw new EvidenceRejected(`${shownPath(path)} has a character that no path of a manifest has`)
  if (NO_PART.test(path))
    throw new EvidenceRejected(`${shownPath(path)} is no relative path without empty parts, . and ..`)
}

/** Empty, `.` or `..`. */
const NO_PART = /(?:^|\/)\.{0,2}(?:\/|$)/

export const shownPath = (path: string): string => JSON.stringify(path.slice(0, 200).toWellFormed())
