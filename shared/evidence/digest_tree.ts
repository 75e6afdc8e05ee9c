// Trees of many digests, `pharos-tree-v1`: the root of one stands for all of them in the claims of one item. The shape
// is that of RFC 9162 section 2.1, so a path is what section 2.1.3 there says.
import { HASH_BYTES } from '../log/tiles.ts'
import { inclusionRoot } from '../log/tree_proofs.ts'
import { concatBytes, u64, utf8 } from '../proof/bytes.ts'
import { HASH_TYPES, type HashType, isHashType } from '../proof/claims.ts'
import { DOMAIN_BYTES, sha256, sha256Into } from '../proof/domain_hash.ts'
import { EMPTY_ROOT, pairHashInto } from '../proof/merkle.ts'

export const TREE_FORMAT = 'pharos-tree-v1'

/** The most entries of one tree. */
export const MAX_TREE_SIZE = 1_048_576

/** The most siblings of a path in a tree of that size. */
export const MAX_PATH_HASHES = 20

/** What an entry can stand for besides the digest of a file. Lengths in bytes. */
const OTHER_ENTRIES = {
  [TREE_FORMAT]: { least: HASH_BYTES + 8, most: HASH_BYTES + 8, salt: 'none' },
  ots: { least: 1, most: 64, salt: 'none' },
  'rfc3161-token': { least: HASH_BYTES, most: HASH_BYTES, salt: 'none' },
  round: { least: HASH_BYTES, most: HASH_BYTES, salt: 'none' },
  names: { least: HASH_BYTES, most: HASH_BYTES, salt: 'needed' },
} as const

export const SALT_BYTES = 16

/** A type says what was hashed, never who did it. */
export type EntryType = HashType | keyof typeof OTHER_ENTRIES

export interface TreeEntry {
  readonly type: EntryType
  readonly value: Uint8Array
  /** 16 bytes. They keep short data from being guessed by whoever holds the path of a neighbour. */
  readonly salt?: Uint8Array | undefined
}

export const isEntryType = (name: string): name is EntryType =>
  isHashType(name) || Object.hasOwn(OTHER_ENTRIES, name)

const rulesOf = (type: EntryType) =>
  isHashType(type)
    ? { least: HASH_TYPES[type] / 2, most: HASH_TYPES[type] / 2, salt: 'allowed' }
    : OTHER_ENTRIES[type]

/** @throws RangeError when the value or the salt does not have the length that its type asks for */
export function checkEntry({ type, value, salt }: TreeEntry): void {
  const rules = rulesOf(type)
  if (value.length < rules.least || value.length > rules.most) {
    const asked = rules.least === rules.most ? `${rules.least}` : `${rules.least} to ${rules.most}`
    throw new RangeError(`an entry of type ${type} has ${asked} bytes, not ${value.length}`)
  }
  if (salt === undefined ? rules.salt === 'needed' : rules.salt === 'none')
    throw new RangeError(`an entry of type ${type} has ${rules.salt === 'none' ? 'no salt' : 'a salt'}`)
  if (salt !== undefined && salt.length !== SALT_BYTES)
    throw new RangeError(`a salt has ${SALT_BYTES} bytes, not ${salt.length}`)
}

/**
 * The bytes of an entry, from which its leaf is hashed.
 * @throws RangeError as `checkEntry` does
 */
export const treeEntryBytes = (entry: TreeEntry): Uint8Array => hashedBytes(entry).slice(1)

/** @throws RangeError as `checkEntry` does */
export const entryLeaf = (entry: TreeEntry): Uint8Array => sha256(hashedBytes(entry))

/** What the leaf of an entry is the hash of. The next call changes it. @throws RangeError as `checkEntry` does */
function hashedBytes(entry: TreeEntry): Uint8Array {
  checkEntry(entry)
  const { type, value, salt } = entry
  const first = firstBytesOf(type)
  HASHED.set(first)
  HASHED.set(value, first.length)
  let end = first.length + value.length
  if (salt !== undefined) {
    HASHED.set(salt, end)
    end += salt.length
  }
  return HASHED.subarray(0, end)
}

/** Filled again for each entry, because large trees have many. Longer than any entry. */
const HASHED = new Uint8Array(128)

/** Made once for each type. */
const FIRST_BYTES = new Map<EntryType, Uint8Array>()

function firstBytesOf(type: EntryType): Uint8Array {
  const known = FIRST_BYTES.get(type)
  if (known !== undefined) return known
  const made = concatBytes(Uint8Array.of(DOMAIN_BYTES.leaf), utf8(`${type}\0`))
  FIRST_BYTES.set(type, made)
  return made
}

/** The entry by which a tree stands in the tree above it. */
export const treeEntry = (root: Uint8Array, size: number): TreeEntry => ({
  type: TREE_FORMAT,
  value: concatBytes(root, u64(size)),
})

/** Hashes of leaves, gathered one after the other in one piece of memory: 32 bytes each. */
export class LeafList {
  #bytes: Uint8Array
  #size = 0

  /** @param expected how many there will be, when that is known. More are taken too. */
  constructor(expected = 1_024) {
    this.#bytes = new Uint8Array(expected * HASH_BYTES)
  }

  /** @throws RangeError beyond `MAX_TREE_SIZE` */
  add(leaf: Uint8Array): void {
    const start = this.#startOfNext()
    this.#bytes.set(leaf, start)
  }

  /** The leaf of the entry. @throws RangeError as `add` and `checkEntry` do */
  addEntry(entry: TreeEntry): void {
    const bytes = hashedBytes(entry)
    const start = this.#startOfNext()
    sha256Into(bytes, this.#bytes, start)
  }

  #startOfNext(): number {
    if (this.#size === MAX_TREE_SIZE) throw new RangeError(`a tree has at most ${MAX_TREE_SIZE} entries`)
    const start = this.#size * HASH_BYTES
    if (start === this.#bytes.length) {
      const larger = new Uint8Array(Math.max(2 * start, HASH_BYTES))
      larger.set(this.#bytes)
      this.#bytes = larger
    }
    this.#size += 1
    return start
  }

  /** @throws RangeError when there is no leaf */
  tree(): DigestTree {
    return new DigestTree(this.#whole())
  }

  /**
   * As `tree`, in pieces of 4,096 nodes. No leaf may be added meanwhile.
   * @param pause called between two pieces
   */
  async treeInPieces(pause: () => Promise<unknown>): Promise<DigestTree> {
    const leaves = this.#whole()
    const building = levelsOver(leaves)
    for (;;) {
      const { done, value } = building.next()
      if (done === true) return new DigestTree(leaves, value)
      await pause()
    }
  }

  #whole(): Uint8Array {
    return this.#bytes.subarray(0, this.#size * HASH_BYTES)
  }
}

/** A whole tree in memory: 64 bytes a leaf. */
export class DigestTree {
  /** The leaves, then each level above them up to the root. A last node without a neighbour moves up as it is. */
  readonly #levels: readonly Uint8Array[]

  /**
   * @param leaves hashes of leaves in their order, one after the other. They must not change afterwards.
   * @param levels of these leaves, where they are there already
   * @throws RangeError unless they are from 1 to `MAX_TREE_SIZE` whole hashes
   */
  constructor(leaves: Uint8Array, levels: readonly Uint8Array[] = atOnce(levelsOver(leaves))) {
    this.#levels = levels
  }

  get size(): number {
    return (this.#levels[0]?.length ?? 0) / HASH_BYTES
  }

  /** 32 bytes. */
  get root(): Uint8Array {
    return this.#levels.at(-1) ?? EMPTY_ROOT
  }

  /**
   * The siblings of leaf `index`, the nearest first.
   * @throws RangeError when there is no such leaf
   */
  path(index: number): Uint8Array[] {
    if (!Number.isInteger(index) || index < 0 || index >= this.size)
      throw new RangeError(`a tree of ${this.size} leaves has no leaf ${index}`)
    const path: Uint8Array[] = []
    let place = index
    for (const level of this.#levels) {
      const start = (place ^ 1) * HASH_BYTES
      // A last node without a neighbour has no sibling.
      if (start < level.length) path.push(level.subarray(start, start + HASH_BYTES))
      place >>= 1
    }
    return path
  }
}

/** Nodes that are hashed without a pause. */
const PIECE = 4_096

/** Yields after each piece, and returns the leaves with the levels above them. */
function* levelsOver(leaves: Uint8Array): Generator<undefined, Uint8Array[], undefined> {
  const size = leaves.length / HASH_BYTES
  if (!Number.isInteger(size) || size < 1 || size > MAX_TREE_SIZE)
    throw new RangeError(`a tree has from 1 to ${MAX_TREE_SIZE} entries`)
  const levels = [leaves]
  for (let level = leaves; level.length > HASH_BYTES; ) {
    const count = level.length / HASH_BYTES
    const above = new Uint8Array(Math.ceil(count / 2) * HASH_BYTES)
    for (let node = 0; node < above.length / HASH_BYTES; node += 1) {
      const start = node * HASH_BYTES
      const below = level.subarray(2 * start, 2 * start + 2 * HASH_BYTES)
      if (below.length === HASH_BYTES) above.set(below, start)
      else pairHashInto(below, above, start)
      if (node % PIECE === PIECE - 1) yield
    }
    levels.push(above)
    level = above
  }
  return levels
}

function atOnce<T>(building: Generator<undefined, T, undefined>): T {
  for (;;) {
    const { done, value } = building.next()
    if (done === true) return value
  }
}

/** The place of an entry in a tree. */
export interface TreePlace {
  readonly size: number
  readonly index: number
  /** The siblings up to the root, the nearest first, 32 bytes each. */
  readonly path: readonly Uint8Array[]
}

/**
 * The root to which the path leads from the entry. Undefined when it is no path in a tree of that size.
 * @throws RangeError as `checkEntry` does
 */
export const rootOver = (entry: TreeEntry, { size, index, path }: TreePlace): Uint8Array | undefined =>
  size > MAX_TREE_SIZE ? undefined : inclusionRoot({ index, size, leaf: entryLeaf(entry), proof: path })
