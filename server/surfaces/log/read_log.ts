// Reads what an address of the log asks for. Nothing beyond the newest checkpoint that is shown is there.
import { consistencyProof } from '../../../shared/log/consistency_proof.ts'
import { entryBundle } from '../../../shared/log/entry_bundle.ts'
import { writeHashLines } from '../../../shared/log/hash_lines.ts'
import { inclusionProof } from '../../../shared/log/inclusion_proof.ts'
import { writeLogProof } from '../../../shared/log/log_proof.ts'
import { type TilePlace, tilePath } from '../../../shared/log/tile_path.ts'
import { TILE_WIDTH, tileAt } from '../../../shared/log/tile_reader.ts'
import { HASH_BYTES } from '../../../shared/log/tree_hash.ts'
import type { GzipShelf } from './gzip_shelf.ts'
import type { LogAddress } from './log_address.ts'
import type { LogSource, Shown } from './log_source.ts'
import type { StaticBytes } from './static_answer.ts'

export interface LogReading {
  readonly source: LogSource
  readonly shelf: GzipShelf
  /**
   * A checkpoint that is shown and has at least this size, or the newest one. Undefined before there is one. It may be
   * remembered, because what lies below a checkpoint never changes.
   */
  readonly shownFrom: (size: number) => Promise<Shown | undefined>
}

/** Undefined when there is no such thing, or not yet. */
export async function readLog(reading: LogReading, address: LogAddress): Promise<StaticBytes | undefined> {
  const { source } = reading
  switch (address.of) {
    case 'checkpoint': {
      const shown = await source.shown()
      return shown && current(TEXT, Buffer.from(shown.note))
    }
    case 'policy':
      return current(TEXT, await source.policy())
    case 'history':
      return current(JSON_TYPE, Buffer.from(JSON.stringify(await source.history())))
    case 'keyring': {
      const shown = await source.shown()
      return shown && current(JSON_TYPE, await source.keyring(shown.size))
    }
    case 'epoch': {
      const shown = await source.shown()
      const bytes = shown && (await source.epoch(address.place, shown.size))
      return bytes && current(JSON_TYPE, bytes)
    }
    case 'tile':
      return readTile(reading, address.place)
    case 'proof': {
      const shown = await source.shown()
      if (shown === undefined || address.height >= shown.size) return undefined
      const hashes = await inclusionProof(source.readTiles, address.height, shown.size)
      const proof = writeLogProof({ index: address.height, hashes, checkpoint: shown.note })
      return current(TEXT, Buffer.from(proof))
    }
    case 'consistency': {
      const { oldSize, newSize } = address
      if (oldSize > newSize || newSize > ((await reading.shownFrom(newSize))?.size ?? 0)) return undefined
      const hashes = await consistencyProof(source.readTiles, oldSize, newSize)
      return { type: TEXT, bytes: Buffer.from(writeHashLines(hashes)), immutable: true }
    }
    default:
      return address satisfies never
  }
}

async function readTile(
  { source, shelf, shownFrom }: LogReading,
  { level, index, width }: TilePlace,
): Promise<StaticBytes | undefined> {
  const tileLevel = level === 'entries' ? 0 : level
  const end = (index * TILE_WIDTH + width) * TILE_WIDTH ** tileLevel
  const shown = await shownFrom(end)
  if (shown === undefined || width > (tileAt(shown.size, tileLevel, index)?.width ?? 0)) return undefined
  if (level === 'entries') {
    const first = index * TILE_WIDTH
    const entries = await source.readEntries(first, first + width)
    if (entries.length < width) return undefined
    const bytes = entryBundle(entries)
    const name = tilePath({ level, index, width })
    return { type: BYTES, bytes, immutable: true, gzip: () => shelf.take(name, bytes) }
  }
  const tile = await source.readTile({ level, index, width })
  return tile && { type: BYTES, bytes: tile.subarray(0, width * HASH_BYTES), immutable: true }
}

const TEXT = 'text/plain; charset=utf-8'
const BYTES = 'application/octet-stream'
const JSON_TYPE = 'application/json'

const current = (type: string, bytes: Uint8Array): StaticBytes => ({ type, bytes, immutable: false })
