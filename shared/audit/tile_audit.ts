// Holds the tiles of a copy of the log against those that its entries make.
import type { TreeHead } from '../log/checkpoint.ts'
import { type MadeTile, TileBuilder } from '../log/tile_builder.ts'
import { HASH_BYTES } from '../log/tree_hash.ts'
import { bytesEqual, toBase64, toHex } from '../proof/bytes.ts'
import type { SoundBlock } from './bundle_audit.ts'
import {
  type CopyFinding,
  type CopyFindings,
  type CopyReader,
  type FoundTile,
  fileFinding,
  readTileFile,
} from './copy_reader.ts'

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
      if (this.#builder.size === this.#since?.size) yield* sameRoot(this.root(), this.#since)
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

function* sameRoot(root: Uint8Array, { size, root: before }: TreeHead): CopyFindings {
  if (!bytesEqual(root, before))
    yield {
      file: 'checkpoint',
      height: null,
      field: `the root at size ${size}`,
      expected: toBase64(before),
      found: toBase64(root),
    }
}

/** In place of the hash of an entry that neither its bundle nor its tile tells. */
const UNKNOWN = new Uint8Array(HASH_BYTES)

const hashesIn = ({ bytes, width }: FoundTile): Uint8Array | undefined =>
  bytes?.length === width * HASH_BYTES ? bytes : undefined

const notATile = ({ file, width, bytes }: FoundTile): CopyFinding =>
  fileFinding(file, `${width} hashes`, bytes === undefined ? 'missing' : `${bytes.length} bytes`)

function* compared(file: string, at: number, expected: Uint8Array, found: Uint8Array): CopyFindings {
  if (!bytesEqual(expected, found))
    yield { file, height: null, field: `hash ${at}`, expected: toHex(expected), found: toHex(found) }
}
