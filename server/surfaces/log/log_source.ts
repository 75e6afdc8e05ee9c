// What the log surface reads, whatever stores it.
import type { TileReader } from '../../../shared/log/tile_reader.ts'

/** A checkpoint that may be shown. */
export interface Shown {
  /** Leaves of its tree. */
  readonly size: number
  /** The whole note, with its signatures. */
  readonly note: string
}

/** An origin that the log had before. */
export interface RetiredOrigin {
  readonly origin: string
  /** The verifier key. */
  readonly key: string
  /** The last checkpoint that it had signed, a note. Null when there was none. */
  readonly checkpoint: string | null
  /** When, in ISO 8601. */
  readonly retired_at: string
  readonly reason: string
}

export interface LogSource {
  /** The newest one that may be shown. Undefined before there is one. */
  readonly shown: () => Promise<Shown | undefined>
  readonly readTiles: TileReader
  /** The entries from `start` up to, not including, `end`: at most 256. */
  readonly readEntries: (start: number, end: number) => Promise<readonly Uint8Array[]>
  /** The policy of this log, as text. */
  readonly policy: () => Promise<string>
  /** The oldest first. */
  readonly history: () => Promise<readonly RetiredOrigin[]>
}
