// The newest blocks of the public log, from its files: each one's inclusion in the signed tree, its hash and its link are
// computed here.
import type { TreeHead } from '../../../shared/log/checkpoint.ts'
import { entryLeafHash, readBlockComposite, readLogEntry } from '../../../shared/log/log_entry.ts'
import { TILE_WIDTH, type TileReader, tileAt, tilePath } from '../../../shared/log/tiles.ts'
import { inclusionProof, verifyInclusion } from '../../../shared/log/tree_proofs.ts'
import { bytesEqual, toHex } from '../../../shared/proof/bytes.ts'
import { sha256 } from '../../../shared/proof/domain_hash.ts'
import { uuid7Time } from '../../../shared/proof/ids.ts'
import { entriesAtEnd } from './bundle_tail.ts'
import type { LogFiles } from './log_files.ts'

export type LogBlock = {
  readonly height: number
  /** 64 hex characters: SHA-256 of the block's composite, computed here. */
  readonly hash: string
  /** Milliseconds, from the block's id, which its hash covers. */
  readonly at: number
}

/** A file of the log contradicts its checkpoint, which says so in the words of `message`. */
export class LogContradiction extends Error {}

/** The entries of about a dozen blocks. */
const TAIL_BYTES = 8_192

/** Newest first, at most `most`. @throws LogContradiction, or ApiFailure when a file cannot be read */
export const newestBlocks = async (
  files: LogFiles,
  { size, root }: TreeHead,
  most: number,
): Promise<readonly LogBlock[]> => {
  const readTiles = tilesFrom(files)
  const blocks: LogBlock[] = []
  let next: Uint8Array | null = null
  for (const { height, entry } of await newestEntries(files, size, most)) {
    const proof = await inclusionProof(readTiles, height, size).catch(contradicts('has too few hashes'))
    if (!verifyInclusion({ index: height, size, leaf: entryLeafHash(entry), proof, root }))
      throw new LogContradiction(`Block ${height} is not in the tree that the checkpoint signs.`)
    const { composite } = readLogEntry(entry)
    const { id, previousBlockHash } = readBlockComposite(composite)
    const hash = sha256(composite)
    if (next !== null && !bytesEqual(next, hash))
      throw new LogContradiction(`Block ${height + 1} does not name block ${height} as the one before it.`)
    next = previousBlockHash
    blocks.push({ height, hash: toHex(hash), at: uuid7Time(id) ?? 0 })
  }
  return blocks
}

type PlacedEntry = { readonly height: number; readonly entry: Uint8Array }

/** Newest first, from the last bundle and, when that has few, the one before it. */
const newestEntries = async (
  files: LogFiles,
  size: number,
  most: number,
): Promise<readonly PlacedEntry[]> => {
  const placed: PlacedEntry[] = []
  for (let end = size; end > 0 && placed.length < most; ) {
    const index = Math.floor((end - 1) / TILE_WIDTH)
    const width = tileAt(size, 0, index)?.width ?? 0
    const path = `/log/${tilePath({ level: 'entries', index, width })}`
    const entries = entriesAtEnd(await files.tail(path, TAIL_BYTES))
    if (entries.length === 0) throw new LogContradiction('The newest entries of the log cannot be read.')
    const found = entries.map((entry, at) => ({ height: end - entries.length + at, entry }))
    placed.push(...found.toReversed())
    if (placed.length < most && entries.length < width) break
    end = index * TILE_WIDTH
  }
  return placed.slice(0, most)
}

/** Reads each tile once. */
const tilesFrom = (files: LogFiles): TileReader => {
  const read = new Map<string, Promise<Uint8Array>>()
  return (tiles) =>
    Promise.all(
      tiles.map((tile) => {
        const path = `/log/${tilePath(tile)}`
        const known = read.get(path) ?? files.bytes(path)
        read.set(path, known)
        return known
      }),
    )
}

const contradicts =
  (why: string) =>
  (error: unknown): never => {
    if (error instanceof RangeError) throw new LogContradiction(`A tile of the log ${why}.`)
    throw error
  }
