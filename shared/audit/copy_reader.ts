// How an audit reads the files of a copy of the log: with ceilings, several at a time; and what is wrong in one.
import { MAX_EPOCH_FILE_BYTES } from '../log/copy_files.ts'
import { MAX_ENTRY_BYTES } from '../log/log_entry.ts'
import { NOTE_CEILINGS } from '../log/signed_note.ts'
import { HASH_BYTES, TILE_WIDTH, type TilePlace, tilePath } from '../log/tiles.ts'
import { type Disagreement, describeDisagreement } from './disagreement.ts'

export interface CopyFinding extends Disagreement {
  /** From the root of the copy, e.g. `tile/entries/000.p/12`. */
  readonly file: string
}

export type CopyFindings = Generator<CopyFinding, void, undefined>

/** Of no block: by default a whole file that is missing or cannot be read. */
export const fileFinding = (
  file: string,
  expected: string,
  found?: string,
  field = 'the file',
): CopyFinding => ({
  ...{ file, height: null, field, expected },
  ...(found === undefined ? {} : { found }),
})

/** Example: `tile/entries/000: block 12: signature should be that of key 5ebf12a9 over the block hash` */
export const describeCopyFinding = ({ file, ...disagreement }: CopyFinding): string =>
  `${file}: ${describeDisagreement(disagreement).replace(/^no block: /, '')}`

/** Undefined when there is no such file. Throws when it cannot be read, or has more than `most` bytes. */
export type CopyReader = (path: string, most: number) => Promise<Uint8Array | undefined>

/** The most bytes of a file. */
export const COPY_CEILINGS = {
  checkpoint: NOTE_CEILINGS.bytes,
  tile: TILE_WIDTH * HASH_BYTES,
  bundle: TILE_WIDTH * (2 + MAX_ENTRY_BYTES),
  keyring: 1_048_576,
  epoch: MAX_EPOCH_FILE_BYTES,
} as const

/**
 * A partial tile may be gone once the full one is there, which begins with it.
 * @returns the path of the file that was there, and how many hashes or entries it must have: at least those asked for
 */
export async function readTileFile(read: CopyReader, tile: TilePlace) {
  const most = tile.level === 'entries' ? COPY_CEILINGS.bundle : COPY_CEILINGS.tile
  const file = tilePath(tile)
  const bytes = await read(file, most)
  if (bytes !== undefined || tile.width === TILE_WIDTH) return { file, width: tile.width, bytes }
  const full = tilePath({ ...tile, width: TILE_WIDTH })
  const instead = await read(full, most)
  return instead === undefined
    ? { file, width: tile.width, bytes }
    : { file: full, width: TILE_WIDTH, bytes: instead }
}

export type FoundTile = Awaited<ReturnType<typeof readTileFile>>

/** Calls `read` for 0, 1, 2 … up to `count`, `ahead` of them at once, and yields the answers in order. */
export async function* readAhead<T>(
  count: number,
  ahead: number,
  read: (number: number) => Promise<T>,
): AsyncGenerator<T> {
  const under: Promise<T>[] = []
  for (let next = 0; next < count || under.length > 0; ) {
    while (next < count && under.length < ahead) {
      const begun = read(next)
      // It is awaited in its turn. Until then a failure must not count as unhandled.
      begun.catch(() => undefined)
      under.push(begun)
      next += 1
    }
    const first = under.shift()
    if (first !== undefined) yield await first
  }
}
