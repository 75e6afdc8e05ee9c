// Sends what a request is answered with: its type, its validator and its body.
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { JsonParts } from '../../kernel/json_parts.ts'
import { JsonText } from '../../kernel/json_text.ts'
import { JSON_API } from '../http/error_document.ts'
import { setHeaders } from '../http/set_headers.ts'
import type { Exchange } from './exchange.ts'

/** The type has no charset parameter. */
const FIELDS = { 'Content-Type': JSON_API, Vary: 'Accept', 'Cache-Control': 'private, no-cache' } as const

/** The JSON of an answer. The ETag is made when it is asked for first. */
interface Written {
  readonly pieces: readonly string[]
  etag?: string
}

export function send({ ctx, operation, body }: Exchange): void {
  const written = write(body ?? null)
  // Before the body, because Koa looks for a type of its own otherwise.
  setHeaders(ctx.res, FIELDS)
  setBody(ctx, written)
  const isRead = ctx.method === 'GET' || ctx.method === 'HEAD'
  if (ctx.status !== 200 || !isRead || operation === undefined || operation.kind === 'list') return
  written.etag ??= etagOf(written.pieces)
  const { etag } = written
  ctx.res.setHeader('ETag', etag)
  if (!isKnown(etag, ctx.get('If-None-Match'))) return
  ctx.status = 304
  ctx.body = null
}

const isKnown = (etag: string, header: string): boolean =>
  header !== '' &&
  (header === '*' || header.split(',').some((one) => one.trim().replace(/^W\//, '') === etag))

/** Frozen objects are kept by who made them, such as beacons. Their JSON is kept as long as they are. */
const KEPT = new WeakMap<object, Written>()

function write(body: object | null): Written {
  const kept = body === null ? undefined : KEPT.get(body)
  if (kept !== undefined) return kept
  const written: Written = { pieces: piecesOf(partsOf(body)) }
  if (body !== null && Object.isFrozen(body)) KEPT.set(body, written)
  return written
}

const partsOf = (body: object | null): readonly string[] =>
  body instanceof JsonParts ? body.parts : [body instanceof JsonText ? body.text : JSON.stringify(body)]

/**
 * Characters. A short answer is sent as text, which Node writes together with the head in one write. A longer one is
 * sent as bytes, and a large one in pieces of about this size, as fast as the client takes them.
 */
const SHORT = 65_536
const PIECE = 1_048_576

/** The same text in pieces of about `PIECE` characters. */
function piecesOf(parts: readonly string[]): string[] {
  const pieces: string[] = []
  let from = 0
  let size = 0
  for (const [index, part] of parts.entries()) {
    size += part.length
    if (size < PIECE && index < parts.length - 1) continue
    pieces.push(parts.slice(from, index + 1).join(''))
    from = index + 1
    size = 0
  }
  return pieces
}

function setBody(ctx: Exchange['ctx'], { pieces }: Written): void {
  const [only = ''] = pieces
  if (pieces.length < 2) {
    ctx.body = only.length > SHORT ? Buffer.from(only) : only
    return
  }
  const bytes = pieces.map((piece) => Buffer.from(piece))
  ctx.body = Readable.from(bytes, { objectMode: false })
  ctx.length = bytes.reduce((sum, { length }) => sum + length, 0)
}

function etagOf(pieces: readonly string[]): string {
  const hash = createHash('sha256')
  for (const piece of pieces) hash.update(piece)
  return `"${hash.digest('base64url')}"`
}
