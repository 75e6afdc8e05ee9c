// Answers with bytes as a static file server does: validators, conditional and range requests (RFC 9110). Keeps
// compressed forms that were asked for lately, within a number of bytes.
import { hash } from 'node:crypto'
import type Koa from 'koa'
import { codingFor, compress, keepForAYear } from '../http/send_file.ts'

export interface GzipShelf {
  /** The bytes of this name, compressed. Requests for the same name share one compression. */
  readonly take: (name: string, bytes: Uint8Array) => Promise<Uint8Array>
}

/** Bytes of all compressed bundles together, in one process. */
const SHELF_BYTES = 16 * 1_024 * 1_024

/**
 * A bundle never changes, so what was made once stays right. When there are too many bytes, those that were not asked
 * for the longest go first. Compressions run outside the event loop.
 */
export function gzipShelf(mostBytes = SHELF_BYTES): GzipShelf {
  /** The last one asked for is at the end. */
  const held = new Map<string, Uint8Array>()
  const underWay = new Map<string, Promise<Uint8Array>>()
  let size = 0

  const keep = (name: string, made: Uint8Array): void => {
    held.set(name, made)
    size += made.length
    for (const [oldest, { length }] of held) {
      if (size <= mostBytes) return
      held.delete(oldest)
      size -= length
    }
  }

  return Object.freeze({
    take: async (name: string, bytes: Uint8Array) => {
      const known = held.get(name)
      if (known !== undefined) {
        held.delete(name)
        held.set(name, known)
        return known
      }
      const running =
        underWay.get(name) ??
        compress(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), 'gzip', 'file')
          .then((made) => {
            keep(name, made)
            return made
          })
          .finally(() => underWay.delete(name))
      underWay.set(name, running)
      return running
    },
  })
}

export interface StaticBytes {
  readonly type: string
  readonly bytes: Uint8Array
  /** True when the address always has these bytes. */
  readonly immutable: boolean
  /** Makes the bytes compressed, for clients that accept it. */
  readonly gzip?: () => Promise<Uint8Array>
}

/** @param isPublic whether caches that many people share may keep the answer */
export async function answerStatic(
  ctx: Koa.Context,
  { type, bytes, immutable, gzip }: StaticBytes,
  isPublic: boolean,
): Promise<void> {
  const range = rangeOf(ctx)
  ctx.status = 200
  ctx.set('Content-Type', type)
  const scope = isPublic ? 'public' : 'private'
  if (immutable) keepForAYear(ctx, scope)
  else ctx.set('Cache-Control', `${scope}, no-cache`)
  ctx.set('Accept-Ranges', 'bytes')
  if (!isPublic) ctx.vary('Authorization')
  if (gzip !== undefined) ctx.vary('Accept-Encoding')
  const isGzip = gzip !== undefined && range === undefined && codingFor(ctx, ['gzip']) === 'gzip'
  const digest = hash('sha256', bytes, 'base64url')
  // Each form of the bytes has a validator of its own.
  const etag = isGzip ? `"${digest}-gzip"` : `"${digest}"`
  ctx.set('ETag', etag)
  if (ctx.fresh) {
    ctx.status = 304
    ctx.body = null
    return
  }
  if (isGzip) {
    ctx.set('Content-Encoding', 'gzip')
    ctx.body = Buffer.from(await gzip())
    return
  }
  const part = range === undefined || !holds(ctx, etag) ? undefined : partOf(range, bytes.length)
  if (part === 'unsatisfiable') {
    for (const field of ['ETag', 'Content-Type']) ctx.remove(field)
    ctx.set('Cache-Control', 'no-store')
    ctx.set('Content-Range', `bytes */${bytes.length}`)
    ctx.status = 416
    ctx.body = ''
    return
  }
  if (part === undefined) {
    ctx.body = bufferOf(bytes)
    return
  }
  ctx.status = 206
  ctx.set('Content-Range', `bytes ${part.first}-${part.last}/${bytes.length}`)
  ctx.body = bufferOf(bytes.subarray(part.first, part.last + 1))
}

/** From a first byte, to a last byte, or the last bytes. */
interface Range {
  readonly first: number | undefined
  readonly last: number | undefined
}

/** One range of bytes in a GET. Anything else is ignored, and the whole is answered (RFC 9110, 14.2). */
function rangeOf(ctx: Koa.Context): Range | undefined {
  const match = ctx.method === 'GET' ? /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(ctx.get('Range').trim()) : null
  if (match === null) return undefined
  const [first, last] = match.slice(1, 3).map((digits) => (digits === '' ? undefined : Number(digits)))
  if (first === undefined && last === undefined) return undefined
  if (first !== undefined && last !== undefined && last < first) return undefined
  return { first, last }
}

/** Whether the range may be answered: there is no If-Range, or it names this form of the bytes. */
const holds = (ctx: Koa.Context, etag: string): boolean => {
  const condition = ctx.get('If-Range').trim()
  return condition === '' || condition === etag
}

function partOf(
  { first, last }: Range,
  length: number,
): { readonly first: number; readonly last: number } | 'unsatisfiable' {
  if (first === undefined)
    return last === undefined || last === 0 || length === 0
      ? 'unsatisfiable'
      : { first: Math.max(0, length - last), last: length - 1 }
  if (first >= length) return 'unsatisfiable'
  return { first, last: Math.min(last ?? length - 1, length - 1) }
}

const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
