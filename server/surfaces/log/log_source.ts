// The public log as the surface reads it: its addresses, and what is behind each.
import { type EpochPlace, readEpochPath } from '../../../shared/log/copy_files.ts'
import { readDecimal } from '../../../shared/log/signed_note.ts'
import {
  readTilePath,
  type TileCoordinate,
  type TilePlace,
  type TileReader,
} from '../../../shared/log/tiles.ts'
import { readOrUndefined } from '../../../shared/proof/bytes.ts'
import type { RetiredOrigin } from '../../domain/log/log_rows.ts'

export type LogAddress =
  | { readonly of: 'checkpoint' | 'policy' | 'history' | 'keyring' }
  | { readonly of: 'tile'; readonly place: TilePlace }
  | { readonly of: 'epoch'; readonly place: EpochPlace }
  | { readonly of: 'proof'; readonly height: number }
  | { readonly of: 'consistency'; readonly oldSize: number; readonly newSize: number }

/** The address of the checkpoint and all else without its last part. */
export const LOG_PATH = '/log'

/** Undefined when there is no such address. */
export function readLogAddress(path: string): LogAddress | undefined {
  const [, name = '', ...parts] = path.slice(LOG_PATH.length).split('/', MOST_PARTS)
  switch (name) {
    case 'checkpoint':
    case 'policy':
    case 'history':
      return parts.length === 0 ? { of: name } : undefined
    case 'keyring.json':
      return parts.length === 0 ? { of: 'keyring' } : undefined
    case 'epochs': {
      const place = readEpochPath(path.slice(LOG_PATH.length + 1))
      return place === undefined ? undefined : { of: 'epoch', place }
    }
    case 'tile': {
      const place = readTilePath(path.slice(LOG_PATH.length + 1))
      return place === undefined ? undefined : { of: 'tile', place }
    }
    case 'proof': {
      const [height, ...more] = parts.map(numberOf)
      return height === undefined || more.length > 0 ? undefined : { of: 'proof', height }
    }
    case 'consistency': {
      const [oldSize, newSize, ...more] = parts.map(numberOf)
      if (oldSize === undefined || newSize === undefined || more.length > 0) return undefined
      return { of: 'consistency', oldSize, newSize }
    }
    default:
      return undefined
  }
}

/** A longer path is no address of the log. */
const MOST_PARTS = 12

const numberOf = (text: string): number | undefined => readOrUndefined(() => readDecimal(text))

/** A checkpoint that may be shown. */
export interface ServedCheckpoint {
  /** Leaves of its tree. */
  readonly size: number
  /** The whole note, with its signatures. */
  readonly note: string
}

export interface LogSource {
  /** The newest one that may be shown. Undefined before there is one. */
  readonly shown: () => Promise<ServedCheckpoint | undefined>
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
