// Follows the blocks of a copy of the log through its entry bundles, from genesis or from a block that is known, and
// holds its tiles against those that its entries make.
import type { TreeHead } from '../log/checkpoint.ts'
import { type MadeTile, TileBuilder } from '../log/growing_tree.ts'
import { entryLeafHash, readBlockComposite, readEntryBundle, readLogEntry } from '../log/log_entry.ts'
import { HASH_BYTES } from '../log/tiles.ts'
import { bytesEqual, readOrUndefined, toBase64, toHex } from '../proof/bytes.ts'
import { sha256 } from '../proof/domain_hash.ts'
import { uuid7Time } from '../proof/ids.ts'
import { auditChainBlock, type ChainBlock, type KeyChain } from './chain_audit.ts'
import {
  type CopyFinding,
  type CopyFindings,
  type CopyReader,
  type FoundTile,
  fileFinding,
  readTileFile,
} from './copy_reader.ts'
import type { Disagreement } from './disagreement.ts'

/** The hashes of a block that holds, 32 bytes each. */
interface SoundBlock {
  readonly leaf: Uint8Array
  readonly hash: Uint8Array
}

export class BundleAudit {
  readonly keys: KeyChain
  /** The last block that was read. Undefined before the first one, and behind one that did not hold. */
  #previous: ChainBlock | undefined

  constructor(keys: KeyChain) {
    this.keys = keys
  }

  /**
   * Checks the first `count` blocks of a bundle, or those that a checkpoint has of it. Yields what is wrong, and returns
   * one element a block: undefined where it does not hold.
   */
  *bundle(
    { file, width, bytes }: FoundTile,
    { firstHeight, count }: { readonly firstHeight: number; readonly count: number },
  ): Generator<CopyFinding, (SoundBlock | undefined)[], undefined> {
    const entries = bytes === undefined ? undefined : readOrUndefined(() => readEntryBundle(bytes, width))
    if (entries === undefined) {
      yield fileFinding(file, `${width} entries`, bytes === undefined ? 'missing' : 'something else')
      this.#previous = undefined
      return Array.from({ length: count }, () => undefined)
    }
    const sound: (SoundBlock | undefined)[] = []
    for (const [at, entry] of entries.slice(0, count).entries()) {
      const height = firstHeight + at
      const block = readOrUndefined(() => blockOf(entry, height))
      const found = block === undefined ? [notABlock(height)] : [...this.#block(block)]
      for (const disagreement of found) yield { file, ...disagreement }
      this.#previous = found.length === 0 ? block : undefined
      sound.push(
        block === undefined || found.length > 0
          ? undefined
          : { leaf: entryLeafHash(entry), hash: block.block_hash },
      )
    }
    return sound
  }

  *#block(block: ChainBlock): Generator<Disagreement> {
    const signer = yield* this.keys.follow(block)
    const previous = block.height === 0 ? undefined : (this.#previous ?? assumedBefore(block))
    yield* auditChainBlock(block, previous, signer)
  }
}

/** What the block says about the one before it, where that cannot be read or does not hold. */
const assumedBefore = (block: ChainBlock): ChainBlock => ({
  ...block,
  block_hash: block.previous_block_hash,
  finalized_ms: -1,
})

const notABlock = (height: number): Disagreement => ({
  height,
  field: 'the entry',
  expected: 'a composite, a signature and metadata',
})

/** @throws RangeError unless the entry has the form of a block */
function blockOf(entry: Uint8Array, height: number): ChainBlock {
  const { composite, signature, metadata } = readLogEntry(entry)
  const parts = readBlockComposite(composite)
  return {
    height,
    id: parts.id,
    previous_block_hash: parts.previousBlockHash,
    block_hash: sha256(composite),
    merkle_root: parts.merkleRoot,
    metadata,
    metadata_hash: parts.metadataHash,
    signing_key_id: parts.keyId,
    signature,
    finalized_ms: uuid7Time(parts.id) ?? -1,
  }
}

export class TileAudit {
  readonly #read: CopyReader
  readonly #builder = new TileBuilder()
  readonly #since: TreeHead | undefined
  tiles = 0

  /** The tree must have the root of `since` when it has its size. */
  constructor(read: CopyReader, since: TreeHead | undefined) {
    this.#read = read
    this.#since = since
  }

  /**
   * Checks a tile of level 0 with the blocks below it, and the tiles above that are full with it. Where a block does not
   * hold, the tile is believed, so that one damaged entry is not told as damage of every tile above.
   */
  async *leaves(
    tile: FoundTile,
    blocks: readonly (SoundBlock | undefined)[],
  ): AsyncGenerator<CopyFinding, void, undefined> {
    const found = hashesIn(tile)
    if (found === undefined) yield notATile(tile)
    this.tiles += 1
    for (const [at, block] of blocks.entries()) {
      const stored = found?.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES)
      if (block !== undefined && stored !== undefined) yield* compared(tile.file, at, block.leaf, stored)
      const full = this.#builder.add(block?.leaf ?? stored ?? UNKNOWN)
      for (const made of full) if (made.level > 0) yield* this.#above(made)
      if (this.#builder.size === this.#since?.size)
        yield* sameRoot(`the root at size ${this.#since.size}`, this.#since.root, this.root())
    }
  }

  /** Checks the partial tiles above level 0, once every block was added. */
  async *edges(): AsyncGenerator<CopyFinding, void, undefined> {
    for (const made of this.#builder.partial()) if (made.level > 0) yield* this.#above(made)
  }

  root(): Uint8Array {
    return this.#builder.root()
  }

  async *#above(made: MadeTile): AsyncGenerator<CopyFinding, void, undefined> {
    const tile = await readTileFile(this.#read, made)
    this.tiles += 1
    const found = hashesIn(tile)
    if (found === undefined) return yield notATile(tile)
    for (let at = 0; at < made.width; at += 1) {
      const [from, to] = [at * HASH_BYTES, (at + 1) * HASH_BYTES]
      yield* compared(tile.file, at, made.bytes.subarray(from, to), found.subarray(from, to))
    }
  }
}

export function* sameRoot(field: string, expected: Uint8Array, found: Uint8Array): CopyFindings {
  if (!bytesEqual(expected, found))
    yield fileFinding('checkpoint', toBase64(expected), toBase64(found), field)
}

/** In place of the hash of an entry that neither its bundle nor its tile tells. */
const UNKNOWN = new Uint8Array(HASH_BYTES)

const hashesIn = ({ bytes, width }: FoundTile): Uint8Array | undefined =>
  bytes?.length === width * HASH_BYTES ? bytes : undefined

const notATile = ({ file, width, bytes }: FoundTile): CopyFinding =>
  fileFinding(file, `${width} hashes`, bytes === undefined ? 'missing' : `${bytes.length} bytes`)

function* compared(file: string, at: number, expected: Uint8Array, found: Uint8Array): CopyFindings {
  if (!bytesEqual(expected, found)) yield fileFinding(file, toHex(expected), toHex(found), `hash ${at}`)
}
