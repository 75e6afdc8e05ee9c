// What a copy of the log is made from, whatever stores it.
import type { FiledKey } from '../../../shared/log/keyring_file.ts'
import type { TileReader } from '../../../shared/log/tile_reader.ts'
import type { PlacedEpoch } from '../../domain/commitments/epoch_files.ts'

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
