// What the log surface reads, whatever stores it.
import type { EpochPlace } from '../../../shared/log/epoch_file.ts'
import type { TileCoordinate, TileReader } from '../../../shared/log/tile_reader.ts'
import type { RetiredOrigin } from '../../domain/log/retired_origins.ts'

/** A checkpoint that may be shown. */
export interface Shown {
  /** Leaves of its tree. */
  readonly size: number
  /** The whole note, with its signatures. */
  readonly note: string
}

export interface LogSource {
  /** The newest one that may be shown. Undefined before there is one. */
  readonly shown: () => Promise<Shown | undefined>
  /** Undefined where there are fewer hashes. */
  readonly readTile: (tile: TileCoordinate) => Promise<Uint8Array | undefined>
  /** For proofs. */
  readonly readTiles: TileReader
  /** The entries from `start` up to, not including, `end`: at most 256. Fewer where there are fewer. */
  readonly readEntries: (start: number, end: number) => Promise<readonly Uint8Array[]>
  /** The policy of this log, as the bytes of its file. */
  readonly policy: () => Promise<Uint8Array>
  /** The oldest first. */
  readonly history: () => Promise<readonly RetiredOrigin[]>
  /** The file of the keys that the first `size` blocks introduced. */
  readonly keyring: (size: number) => Promise<Uint8Array>
  /** The file of an epoch. Undefined when there is none, or its blocks are not all among the first `size`. */
  readonly epoch: (place: EpochPlace, size: number) => Promise<Uint8Array | undefined>
}
