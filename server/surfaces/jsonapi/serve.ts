// The JSON:API surface: every request below /api/json passes the steps, and each of them is answered: with its type, its
// validator and its body, compressed for those who take that.
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type Koa from 'koa'
import type { Middleware } from 'koa'
import { API_ROOT } from '../../catalog/catalog.ts'
import type { AtOnce } from '../../kernel/flow/at_once.ts'
import type { YieldToEventLoop } from '../../kernel/flow/in_pieces.ts'
import { JsonParts, JsonText } from '../../kernel/json_text.ts'
import type { Log } from '../../kernel/log.ts'
import { collectProblems } from '../../kernel/problems.ts'
import { setHeaders } from '../../kernel/set_headers.ts'
import { errorDocument, JSON_API, refuseWith } from '../http/error_document.ts'
import { answerInsufficientScope, InsufficientScope, noteOperation } from '../http/identify.ts'
import { type Coding, codingFor, compress, LEAST_CODED_BYTES } from '../http/static_file.ts'
import type { Exchange, JsonApiHouse } from './exchange.ts'
import { runSteps } from './pipeline.ts'

export function serveJsonApi(house: JsonApiHouse, log: Log): Middleware {
  const serve = (ctx: Koa.Context): AtOnce<void> => {
    const exchange: Exchange = {
      ctx,
      query: new URLSearchParams(ctx.querystring),
      parameters: {},
      given: { attributes: {} },
      problems: collectProblems(house.services.ceilings.problems),
    }
    const answered = (): AtOnce<void> => {
      noteAsked(exchange)
      const sent = send(exchange)
      // The collector may count an exchange that waited for its turn as old, and would then keep the answer with it
      // until the whole heap is collected.
      exchange.body = undefined
      return sent
    }
    const refused = (error: unknown): AtOnce<void> => {
      if (error instanceof InsufficientScope) withoutBody(exchange, error, house)
      else {
        const root = exchange.operation?.kind === 'action' ? '/data' : '/data/attributes'
        exchange.body = errorDocument(refuseWith(ctx, error, log), root)
        return answered()
      }
    }
    try {
      const underWay = house.drain.run(() => runSteps(exchange, house))
      if (underWay instanceof Promise) return underWay.then(answered, refused)
    } catch (error) {
      return refused(error)
    }
    return answered()
  }
  return (ctx, next) => (ctx.path === API_ROOT || ctx.path.startsWith(`${API_ROOT}/`) ? serve(ctx) : next())
}

function withoutBody(exchange: Exchange, missing: InsufficientScope, { base }: JsonApiHouse): void {
  answerInsufficientScope(exchange.ctx, missing, { resource: 'api', base })
  exchange.ctx.set('Vary', 'Accept')
  exchange.ctx.set('Cache-Control', 'private, no-cache')
  noteAsked(exchange)
}

function noteAsked({ ctx, operation }: Exchange): void {
  if (operation !== undefined) noteOperation(ctx, operation.name)
}

/** The type has no charset parameter. */
const FIELDS = { 'Content-Type': JSON_API, Vary: 'Accept', 'Cache-Control': 'private, no-cache' } as const

/** The JSON of an answer. Its hash, for validators, is made when it is asked for first. */
interface Written {
  readonly text: string
  hash?: string
}

function send(exchange: Exchange): AtOnce<void> {
  const { ctx, operation, body } = exchange
  // Before the body, because Koa looks for a type of its own otherwise.
  setHeaders(ctx.res, FIELDS)
  const isRead = ctx.method === 'GET' || ctx.method === 'HEAD'
  const hasValidator = isRead && operation !== undefined && operation.kind !== 'list'
  if (body instanceof JsonParts && isLarge(body)) return sendLarge(exchange, body.parts, hasValidator)
  const written = write(body ?? null)
  ctx.body = written.text.length > SHORT ? Buffer.from(written.text) : written.text
  if (operation === undefined || !isRead || ctx.status !== 200) return
  const coding = codingOf(ctx, written)
  if (hasValidator) {
    written.hash ??= hashOf(written.text)
    if (isUnchanged(ctx, coding === undefined ? written.hash : `${written.hash}-${coding}`)) return
  }
  if (coding !== undefined) return compressBody(ctx, coding)
}

/** Only answers to reads are compressed: those to writes may show a secret. */
function codingOf(ctx: Exchange['ctx'], { text }: Written): Coding | undefined {
  if (text.length < LEAST_CODED_BYTES) return undefined
  ctx.res.setHeader('Vary', 'Accept, Accept-Encoding')
  return codingFor(ctx)
}

async function compressBody(ctx: Exchange['ctx'], coding: Coding): Promise<void> {
  const { body } = ctx
  const bytes = await compress(Buffer.isBuffer(body) ? body : Buffer.from(String(body)), coding, 'answer')
  ctx.res.setHeader('Content-Encoding', coding)
  ctx.body = bytes
}

/** Sets the validator of this form of the answer. When the client has the same one, the answer is its name alone. */
function isUnchanged(ctx: Exchange['ctx'], validator: string): boolean {
  const etag = `"${validator}"`
  ctx.res.setHeader('ETag', etag)
  const isKnown = isAmong(etag, ctx.get('If-None-Match'))
  if (isKnown) {
    ctx.status = 304
    ctx.body = null
  }
  return isKnown
}

const isAmong = (etag: string, header: string): boolean =>
  header !== '' &&
  (header === '*' || header.split(',').some((one) => one.trim().replace(/^W\//, '') === etag))

/** Frozen objects are kept by who made them, such as beacons. Their JSON is kept as long as they are. */
const KEPT = new WeakMap<object, Written>()

function write(body: object | null): Written {
  const kept = body === null ? undefined : KEPT.get(body)
  if (kept !== undefined) return kept
  const written: Written = { text: textOf(body) }
  if (body !== null && Object.isFrozen(body)) KEPT.set(body, written)
  return written
}

const textOf = (body: object | null): string =>
  body instanceof JsonParts
    ? body.parts.join('')
    : body instanceof JsonText
      ? body.text
      : JSON.stringify(body)

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url')

/** Characters. A short answer is sent as text, which Node writes together with the head in one write. */
const SHORT = 65_536

/** Characters of a piece of a large answer. Writing one to a socket takes less than a millisecond. */
const PIECE = 262_144

const isLarge = ({ parts }: JsonParts): boolean => parts.reduce((sum, { length }) => sum + length, 0) > PIECE

/**
 * A large answer is made and sent in pieces, with other work between them, as fast as the client takes them. It is not
 * compressed, because that would take a thread too long from others.
 */
async function sendLarge(
  { ctx, context }: Exchange,
  parts: readonly string[],
  hasValidator: boolean,
): Promise<void> {
  const yieldToEventLoop: YieldToEventLoop = context?.yieldToEventLoop ?? (() => undefined)
  const hash = hasValidator ? createHash('sha256') : undefined
  const pieces: Buffer[] = []
  let from = 0
  let size = 0
  for (const [index, { length }] of parts.entries()) {
    size += length
    if (size < PIECE && index < parts.length - 1) continue
    const piece = Buffer.from(parts.slice(from, index + 1).join(''))
    pieces.push(piece)
    hash?.update(piece)
    from = index + 1
    size = 0
    const pause = yieldToEventLoop()
    if (pause !== undefined) await pause
  }
  if (hash !== undefined && isUnchanged(ctx, hash.digest('base64url'))) return
  ctx.body = Readable.from(inTurn(pieces, yieldToEventLoop), { objectMode: false, highWaterMark: 1 })
  ctx.length = pieces.reduce((sum, { length }) => sum + length, 0)
}

/** A piece that was sent is forgotten. */
async function* inTurn(pieces: Buffer[], yieldToEventLoop: YieldToEventLoop): AsyncGenerator<Buffer> {
  for (let piece = pieces.shift(); piece !== undefined; piece = pieces.shift()) {
    yield piece
    const pause = yieldToEventLoop()
    if (pause !== undefined) await pause
  }
}
