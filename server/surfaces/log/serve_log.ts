// Reads and serves the public log below `/log`: checkpoint, tiles and entries (C2SP tlog-tiles), proofs, policy,
// history, keyring and epochs. Nothing beyond the newest checkpoint that is shown is there.
import { hash } from 'node:crypto'
import type { Middleware } from 'koa'
import { type EpochPlace, readEpochPath } from '../../../shared/log/copy_files.ts'
import { entryBundle, readLogEntry } from '../../../shared/log/log_entry.ts'
import { readDecimal, writeHashLines } from '../../../shared/log/signed_note.ts'
import {
  HASH_BYTES,
  readTilePath,
  TILE_WIDTH,
  type TileCoordinate,
  type TilePlace,
  type TileReader,
  tileAt,
  tilePath,
} from '../../../shared/log/tiles.ts'
import { consistencyProof, inclusionProof, writeLogProof } from '../../../shared/log/tree_proofs.ts'
import { readOrUndefined } from '../../../shared/proof/bytes.ts'
import { type Door, requireCharge } from '../../admission/door.ts'
import type { RetiredOrigin } from '../../domain/log/log_rows.ts'
import { underWay } from '../../kernel/flow/shared_work.ts'
import { lru } from '../../kernel/lru.ts'
import { found, refuse } from '../../kernel/refusal.ts'
import { type Authenticate, identify, requireScopes } from '../http/identify.ts'
import { compress, requireReading, type StaticFile, sendStatic } from '../http/static_file.ts'

interface LogReading {
  readonly source: LogSource
  readonly shelf: ReturnType<typeof gzipShelf>
  /**
   * A checkpoint that is shown and has at least this size, or the newest one. Undefined before there is one. It may be
   * remembered, because what lies below a checkpoint never changes.
   */
  readonly shownFrom: (size: number) => Promise<ServedCheckpoint | undefined>
}

/** Undefined when there is no such thing, or not yet. */
async function readLog(reading: LogReading, address: LogAddress): Promise<StaticFile | undefined> {
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
      const proof = await logProof(source, address.height)
      return proof === undefined ? undefined : current(TEXT, Buffer.from(proof))
    }
    case 'consistency': {
      const { oldSize, newSize } = address
      if (oldSize > newSize || newSize > ((await reading.shownFrom(newSize))?.size ?? 0)) return undefined
      const hashes = await consistencyProof(source.readTiles, oldSize, newSize)
      return lasting(TEXT, Buffer.from(writeHashLines(hashes)))
    }
    default:
      return address satisfies never
  }
}

/**
 * The proof of a block. Its data of an application is the one part of the entry that no bundle carries: the signature.
 * Undefined while no checkpoint that is shown holds the block.
 */
export async function logProof(source: LogSource, height: number): Promise<string | undefined> {
  const shown = await source.shown()
  if (shown === undefined || height >= shown.size) return undefined
  const [entry] = await source.readEntries(height, height + 1)
  if (entry === undefined) throw new Error(`The log has no entry ${height}.`)
  const hashes = await inclusionProof(source.readTiles, height, shown.size)
  return writeLogProof({
    index: height,
    hashes,
    checkpoint: shown.note,
    extra: readLogEntry(entry).signature,
  })
}

async function readTile({ source, shelf, shownFrom }: LogReading, { level, index, width }: TilePlace) {
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
    return lasting(BYTES, bytes, () => shelf(name, bytes))
  }
  const tile = await source.readTile({ level, index, width })
  return tile && lasting(BYTES, tile.subarray(0, width * HASH_BYTES))
}

const TEXT = 'text/plain; charset=utf-8'
const BYTES = 'application/octet-stream'
const JSON_TYPE = 'application/json'

const current = (type: string, bytes: Uint8Array): StaticFile => ({
  ...{ type, ranges: true },
  plain: { bytes: () => bytes, etag: () => hash('sha256', bytes, 'base64url') },
})

/** What its address always has. @param gzip the compressed form, whose validator can be told before it is made */
function lasting(type: string, bytes: Uint8Array, gzip?: () => Promise<Uint8Array>): StaticFile {
  const etag = (): string => `${hash('sha256', bytes, 'base64url')}-gzip`
  const coded = gzip && new Map([['gzip', { bytes: gzip, etag }] as const])
  return { ...current(type, bytes), immutable: true, coded }
}

/** Bytes of all compressed bundles together, in one process. */
const SHELF_BYTES = 16 * 1_024 * 1_024

/**
 * A bundle never changes, so what was made once stays right. Requests for the same name share one compression, which
 * runs outside the event loop.
 */
function gzipShelf(): (name: string, bytes: Uint8Array) => Promise<Uint8Array> {
  const held = lru<string, Uint8Array>(SHELF_BYTES, ({ length }) => length)
  const making = underWay<string, Uint8Array>()
  return async (name, { buffer, byteOffset, byteLength }) =>
    held.get(name) ??
    making.join(name, async () => {
      const made = await compress(Buffer.from(buffer, byteOffset, byteLength), 'gzip', 'file')
      held.set(name, made)
      return made
    })
}

interface LogSurface {
  readonly source: LogSource
  /** Whether anybody may read it without a credential. */
  readonly isPublic: boolean
  readonly authenticate: Authenticate
  /** The public origin. */
  readonly base: () => string
  readonly chargeAddress: Door['address']
  /** For the many files that an audit takes: tiles, entry bundles, epochs. */
  readonly chargeTile: Door['address']
}

/** Charged to the address alone, so that a mirror does not spend the budget of its caller. */
export function serveLog({ source, isPublic, authenticate, base, ...charges }: LogSurface): Middleware {
  const reading = { source, shelf: gzipShelf(), shownFrom: rememberShown(source) }
  return async (ctx, next) => {
    if (ctx.path !== LOG_PATH && !ctx.path.startsWith(`${LOG_PATH}/`)) return next()
    const address = readLogAddress(ctx.path)
    const isOneOfMany = address?.of === 'tile' || address?.of === 'epoch'
    requireCharge(ctx, await (isOneOfMany ? charges.chargeTile : charges.chargeAddress)(ctx))
    if (!isPublic) requireScopes(await identify(ctx, { resource: 'api', base, authenticate }), ['api:read'])
    if (address === undefined) throw refuse('no_route_found')
    ctx.state.operation = address.of
    requireReading(ctx)
    const file = found(await readLog(reading, address))
    await sendStatic(ctx, { ...file, scope: isPublic ? 'public' : 'private' })
    // What is not sent again has no coding.
    if (ctx.status === 304) ctx.remove('Content-Encoding')
  }
}

/** Reads the newest checkpoint only when the remembered one is too small. */
function rememberShown(source: LogSource): (size: number) => Promise<ServedCheckpoint | undefined> {
  let remembered: ServedCheckpoint | undefined
  return async (size) => {
    if (remembered === undefined || remembered.size < size) remembered = (await source.shown()) ?? remembered
    return remembered
  }
}

type LogAddress =
  | { readonly of: 'checkpoint' | 'policy' | 'history' | 'keyring' }
  | { readonly of: 'tile'; readonly place: TilePlace }
  | { readonly of: 'epoch'; readonly place: EpochPlace }
  | { readonly of: 'proof'; readonly height: number }
  | { readonly of: 'consistency'; readonly oldSize: number; readonly newSize: number }

/** The address of the checkpoint and all else without its last part. */
export const LOG_PATH = '/log'

/** Undefined when there is no such address. */
function readLogAddress(path: string): LogAddress | undefined {
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
interface ServedCheckpoint {
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
