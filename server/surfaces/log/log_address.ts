// What an address below `/log` asks for.
import { readDecimal } from '../../../shared/log/decimal.ts'
import { type EpochPlace, readEpochPath } from '../../../shared/log/epoch_file.ts'
import { readTilePath, type TilePlace } from '../../../shared/log/tile_path.ts'

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

function numberOf(text: string): number | undefined {
  try {
    return readDecimal(text)
  } catch {
    return undefined
  }
}
