// Writes a copy of the log: its files as any web server may serve them, the checkpoint last.
import { readSignedCheckpoint } from '../../../shared/log/checkpoint.ts'
import { epochPath, type FiledKey, writeEpochFile, writeKeyringFile } from '../../../shared/log/copy_files.ts'
import { entryBundle } from '../../../shared/log/log_entry.ts'
import {
  fullTiles,
  partialTiles,
  readRoot,
  readTilePath,
  TILE_WIDTH,
  type TilePlace,
  type TileReader,
  tilePath,
} from '../../../shared/log/tiles.ts'
import { bytesEqual, readOrUndefined, utf8 } from '../../../shared/proof/bytes.ts'
import type { PlacedEpoch } from '../../domain/commitments/epoch_files.ts'
import { sideBySide } from '../../kernel/flow/side_by_side.ts'
import type { CopyFolder } from './copy_folder.ts'

/** What a copy of the log is made from, whatever stores it. */
export interface CopySource {
  /** The newest checkpoint that may be shown, a note. Undefined before there is one. */
  readonly shown: () => Promise<{ readonly size: number; readonly note: string } | undefined>
  readonly readTiles: TileReader
  /** The entries from `from` up to, not including, `to`: at most 256. */
  readonly readEntries: (from: number, to: number) => Promise<readonly Uint8Array[]>
  /** The keys that blocks below this height introduced, in their order. */
  readonly keys: (height: number) => Promise<readonly FiledKey[]>
  /** The epochs whose blocks are all below this height, in pages. */
  readonly epochs: (height: number) => AsyncIterable<readonly PlacedEpoch[]>
}

interface CopyWanted {
  /** Partial tiles of earlier checkpoints stay until they are full, for those who still hold such a checkpoint. */
  readonly keepsEarlier?: boolean
  /** Called after every piece. */
  readonly onProgress?: (blocks: { readonly done: number; readonly total: number }) => void
}

/** Tiles, and as many bundles, that are in memory at once. A bundle has 77 KB, and 16 MB at the most. */
const TILES_PER_PIECE = 4

/**
 * Brings the folder up to the newest checkpoint that may be shown, and returns its size. Undefined while there is none.
 * Full tiles that are there are not written again. Until the new checkpoint is written, the folder is the copy it was.
 * @throws Error when the folder has the copy of another history
 */
export async function writeCopy(
  source: CopySource,
  folder: CopyFolder,
  { keepsEarlier = false, onProgress }: CopyWanted = {},
): Promise<number | undefined> {
  const shown = await source.shown()
  if (shown === undefined) return undefined
  const { size, note } = shown
  await refuseAnother(source, folder, size)
  const [bundles = 0, ...above] = fullTiles(size)
  for (let index = 0; index < bundles; index += TILES_PER_PIECE) {
    const end = Math.min(bundles, index + TILES_PER_PIECE)
    await writeMissing(source, folder, [...places('entries', index, end), ...places(0, index, end)])
    onProgress?.({ done: end * TILE_WIDTH, total: size })
  }
  for (const [at, count] of above.entries())
    for (let index = 0; index < count; index += TILES_PER_PIECE)
      await writeMissing(source, folder, places(at + 1, index, Math.min(count, index + TILES_PER_PIECE)))
  await writeMissing(source, folder, partialTiles(size))
  await writeBeside(source, folder, size)
  // Whoever reads the checkpoint finds everything that it stands for.
  await folder.sync()
  await folder.write('checkpoint', utf8(note))
  await folder.sync()
  const own = new Set(partialTiles(size).map(tilePath))
  await folder.removePartial((path) => own.has(path) || (keepsEarlier && isGrowing(path, size)))
  return size
}

/** Whether the full tile is not there yet. */
function isGrowing(path: string, size: number): boolean {
  const place = readTilePath(path)
  if (place === undefined) return false
  return place.index >= (fullTiles(size)[place.level === 'entries' ? 0 : place.level] ?? 0)
}

const places = (level: TilePlace['level'], from: number, to: number): TilePlace[] =>
  Array.from({ length: to - from }, (_, at) => ({ level, index: from + at, width: TILE_WIDTH }))

async function writeMissing(
  { readTiles, readEntries }: CopySource,
  folder: CopyFolder,
  wanted: readonly TilePlace[],
): Promise<void> {
  const held = await Promise.all(wanted.map((place) => folder.has(tilePath(place))))
  const missing = wanted.filter((_, at) => held[at] === false)
  const tiles = missing.flatMap(({ level, ...place }) => (level === 'entries' ? [] : [{ level, ...place }]))
  const hashes = tiles.length === 0 ? [] : await readTiles(tiles)
  const bundles = missing.filter(({ level }) => level === 'entries')
  const writes = [
    ...tiles.map((tile, at) => () => write(folder, tile, hashes[at])),
    ...bundles.map((place) => async () => {
      const from = place.index * TILE_WIDTH
      const entries = await readEntries(from, from + place.width)
      await write(folder, place, entries.length === place.width ? entryBundle(entries) : undefined)
    }),
  ]
  await sideBySide(2 * TILES_PER_PIECE, writes, (begin) => begin())
}

async function write(folder: CopyFolder, place: TilePlace, bytes: Uint8Array | undefined): Promise<void> {
  if (bytes === undefined) throw new Error(`The log has no ${tilePath(place)}.`)
  await folder.write(tilePath(place), bytes)
}

/** The keyring, and the epochs. Both change with the size, and an epoch when it is confirmed. */
async function writeBeside(source: CopySource, folder: CopyFolder, size: number): Promise<void> {
  await writeChanged(folder, 'keyring.json', writeKeyringFile(await source.keys(size)))
  for await (const page of source.epochs(size))
    for (const { folder: series, epoch } of page)
      await writeChanged(folder, epochPath(series, epoch.sequence), writeEpochFile(epoch))
}

async function writeChanged(folder: CopyFolder, path: string, bytes: Uint8Array): Promise<void> {
  const held = await folder.read(path)
  if (held === undefined || !bytesEqual(held, bytes)) await folder.write(path, bytes)
}

/** A folder must not become a mixture of two histories. */
async function refuseAnother({ readTiles }: CopySource, folder: CopyFolder, size: number): Promise<void> {
  const held = await folder.read('checkpoint')
  if (held === undefined) return
  const head = readOrUndefined(() => readSignedCheckpoint(held))
  const same =
    head !== undefined && head.size <= size && bytesEqual(await readRoot(readTiles, head.size), head.root)
  if (!same)
    throw new Error(
      `The folder has a copy of another log, of another history, or of more than this server has: ${head === undefined ? 'its checkpoint cannot be read' : `${head.origin}, ${head.size} blocks`}. Name an empty folder. Nothing was written.`,
    )
}
