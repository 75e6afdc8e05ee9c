// Sends what a request is answered with: its type, its validator and its body, compressed for those who take that.
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { AtOnce } from '../../kernel/at_once.ts'
import { JsonParts } from '../../kernel/json_parts.ts'
import { JsonText } from '../../kernel/json_text.ts'
import { type Coding, codingFor, compress, LEAST_CODED_BYTES } from '../http/content_coding.ts'
import { JSON_API } from '../http/error_document.ts'
import { setHeaders } from '../http/set_headers.ts'
import type { Exchange } from './exchange.ts'

/** The type has no charset parameter. */
const FIELDS = { 'Content-Type': JSON_API, Vary: 'Accept', 'Cache-Control': 'private, no-cache' } as const

/** The JSON of an answer. Its hash, for validators, is made when it is asked for first. */
interface Written {
  readonly pieces: readonly string[]
  hash?: string
}

export function send({ ctx, operation, body }: Exchange): AtOnce<void> {
  const written = write(body ?? null)
  // Before the body, because Koa looks for a type of its own otherwise.
  setHeaders(ctx.res, FIELDS)
  setBody(ctx, written)
  const isRead = ctx.method === 'GET' || ctx.method === 'HEAD'
  if (ctx.status !== 200 || !isRead || operation === undefined) return
  const coding = codingOf(ctx, written)
  if (operation.kind !== 'list' && isUnchanged(ctx, written, coding)) {
    ctx.status = 304
    ctx.body = null
    return
  }
  if (coding !== undefined) return compressBody(ctx, coding)
}

/**
 * Only answers to reads are compressed: those to writes may show a secret. One that is sent in pieces is not, because
 * compressing it would take a thread too long from others.
 */
function codingOf(ctx: Exchange['ctx'], { pieces }: Written): Coding | undefined {
  const [only = ''] = pieces
  if (pieces.length > 1 || only.length < LEAST_CODED_BYTES) return undefined
  ctx.res.setHeader('Vary', 'Accept, Accept-Encoding')
  return codingFor(ctx)
}

async function compressBody(ctx: Exchange['ctx'], coding: Coding): Promise<void> {
  const { body } = ctx
  const bytes = await compress(Buffer.isBuffer(body) ? body : Buffer.from(String(body)), coding, 'answer')
  ctx.res.setHeader('Content-Encoding', coding)
  ctx.body = bytes
}

/** Each form of an answer has a validator of its own. */
function isUnchanged(ctx: Exchange['ctx'], written: Written, coding: Coding | undefined): boolean {
  written.hash ??= hashOf(written.pieces)
  const etag = coding === undefined ? `"${written.hash}"` : `"${written.hash}-${coding}"`
  ctx.res.setHeader('ETag', etag)
  return isKnown(etag, ctx.get('If-None-Match'))
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

function hashOf(pieces: readonly string[]): string {
  const hash = createHash('sha256')
  for (const piece of pieces) hash.update(piece)
  return hash.digest('base64url')
}
