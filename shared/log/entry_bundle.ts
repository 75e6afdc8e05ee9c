// An entry bundle: the entries under one tile of leaves, each after two bytes of its length (C2SP tlog-tiles).
import { joinBytes, u16 } from '../proof/bytes.ts'
import { ByteReader } from './byte_reader.ts'
import { TILE_WIDTH } from './tile_reader.ts'

/** @throws RangeError for an entry above 65,535 bytes */
export const entryBundle = (entries: readonly Uint8Array[]): Uint8Array =>
  joinBytes(entries.flatMap((entry) => [u16(entry.length), entry]))

/**
 * The entries, as views of the bundle's memory.
 * @throws RangeError unless the bytes are exactly `width` entries, by default from 1 to 256
 */
export function readEntryBundle(bundle: Uint8Array, width?: number): Uint8Array[] {
  const from = new ByteReader(bundle)
  const entries: Uint8Array[] = []
  while (from.left > 0) {
    if (entries.length === (width ?? TILE_WIDTH)) throw new RangeError('the bundle has more entries')
    entries.push(from.take(from.u16()))
  }
  if (entries.length < (width ?? 1)) throw new RangeError(`the bundle has only ${entries.length} entries`)
  return entries
}
