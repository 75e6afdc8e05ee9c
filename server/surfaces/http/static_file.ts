// Answers with a file: its compressed forms, validators, conditional and range requests (RFC 9110), and how long caches
// may keep it. Compresses other answers too, and makes the stylesheet of our pages.
import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Context } from 'koa'
import { RATE_LIMIT_FIELDS } from '../../admission/door.ts'
import type { AtOnce } from '../../kernel/flow/at_once.ts'
import { once } from '../../kernel/lru.ts'
import { REQUEST_ID } from './answer_request.ts'
import { refuseMethod } from './error_document.ts'
import type { Html } from './html.ts'

/** The best first. */
export const CODINGS = ['br', 'gzip'] as const
export type Coding = (typeof CODINGS)[number]

/** What is smaller fits into one packet as it is. */
export const LEAST_CODED_BYTES = 1_024

/**
 * The best of the codings that the client takes. Undefined: the answer is sent as it is. Either way the answer varies by
 * Accept-Encoding, which the caller says.
 */
export const codingFor = (ctx: Context, available: readonly Coding[] = CODINGS): Coding | undefined =>
  ctx.req.headers['accept-encoding'] === undefined
    ? undefined
    : available.find((coding) => ctx.acceptsEncodings(coding) === coding)

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/** A file is compressed once and sent often, an answer is sent once. */
const QUALITY = { file: 9, answer: 4 } as const

/** Works in the thread pool. */
export const compress = (bytes: Buffer, coding: Coding, what: keyof typeof QUALITY): Promise<Buffer> =>
  coding === 'br'
    ? brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY[what] } })
    : zip(bytes, { level: QUALITY[what] })

/** One form of a file, as it is or compressed. */
export interface FileForm {
  readonly bytes: () => AtOnce<Uint8Array>
  /** The validator of this form, without its quotes. Undefined where answers have none. */
  readonly etag?: () => AtOnce<string>
}

export interface StaticFile {
  readonly type: string
  readonly plain: FileForm
  /** The best first. Undefined where everybody gets it plain. */
  readonly coded?: ReadonlyMap<Coding, FileForm> | undefined
  /** The caches that may keep it: those that many people share too, or the client's own. */
  readonly scope?: 'public' | 'private'
  /** True when the address always has these bytes. */
  readonly immutable?: boolean
  /** True when it may be asked for in part. */
  readonly ranges?: boolean
}

/** @throws method_not_allowed */
export function requireReading(ctx: Context): void {
  if (ctx.method !== 'GET' && ctx.method !== 'HEAD') refuseMethod(ctx, 'GET, HEAD')
}

/** The page has another address, with a slash at its end or without one. */
export function moveTo(ctx: Context, address: string): void {
  ctx.status = 308
  ctx.set('Location', address)
  ctx.body = 'Permanent Redirect'
}

/** @param type the whole field: Koa would add a charset to one that it knows */
export function answerBody(ctx: Context, type: string, body: string | Buffer, caching = 'no-store'): void {
  ctx.set('Content-Type', type)
  ctx.set('Cache-Control', caching)
  ctx.body = body
}

export async function sendStatic(ctx: Context, file: StaticFile): Promise<void> {
  const { type, plain, coded, scope, immutable, ranges } = file
  const range = ranges === true ? rangeOf(ctx) : undefined
  const coding = coded === undefined || range !== undefined ? undefined : codingFor(ctx, [...coded.keys()])
  const form = (coding === undefined ? undefined : coded?.get(coding)) ?? plain
  const etag = form.etag === undefined ? undefined : `"${await form.etag()}"`
  ctx.status = 200
  ctx.set('Content-Type', type)
  const keep = immutable === true ? FOR_A_YEAR : 'no-cache'
  ctx.set('Cache-Control', scope === undefined ? keep : `${scope}, ${keep}`)
  // What is kept for a year says nothing of the one request that brought it.
  if (immutable === true) for (const field of [REQUEST_ID, ...RATE_LIMIT_FIELDS]) ctx.remove(field)
  if (ranges === true) ctx.set('Accept-Ranges', 'bytes')
  if (scope === 'private') ctx.vary('Authorization')
  if (coded !== undefined) ctx.vary('Accept-Encoding')
  if (coding !== undefined) ctx.set('Content-Encoding', coding)
  if (etag !== undefined) {
    ctx.set('ETag', etag)
    if (ctx.fresh) {
      ctx.status = 304
      ctx.body = null
      return
    }
  }
  const bytes = await form.bytes()
  if (range === undefined || !holds(ctx, etag)) ctx.body = bufferOf(bytes)
  else sendPart(ctx, bytes, range)
}

const FOR_A_YEAR = 'max-age=31536000, immutable'

/** From a first byte, to a last byte, or the last bytes. */
interface Range {
  readonly first: number | undefined
  readonly last: number | undefined
}

/** One range of bytes in a GET. Anything else is ignored, and the whole is answered (RFC 9110, 14.2). */
function rangeOf(ctx: Context): Range | undefined {
  const match = ctx.method === 'GET' ? /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(ctx.get('Range').trim()) : null
  if (match === null) return undefined
  const [first, last] = match.slice(1, 3).map((digits) => (digits === '' ? undefined : Number(digits)))
  if (first === undefined && last === undefined) return undefined
  if (first !== undefined && last !== undefined && last < first) return undefined
  return { first, last }
}

/** Whether the range may be answered: there is no If-Range, or it names this form of the bytes. */
function holds(ctx: Context, etag: string | undefined): boolean {
  const condition = ctx.get('If-Range').trim()
  return condition === '' || condition === etag
}

function sendPart(ctx: Context, bytes: Uint8Array, { first, last }: Range): void {
  const { length } = bytes
  const from = first ?? (last === 0 ? length : Math.max(0, length - (last ?? 0)))
  if (from >= length) {
    for (const field of ['ETag', 'Content-Type']) ctx.remove(field)
    ctx.set('Cache-Control', 'no-store')
    ctx.set('Content-Range', `bytes */${length}`)
    ctx.status = 416
    ctx.body = ''
    return
  }
  const to = first === undefined ? length - 1 : Math.min(last ?? length - 1, length - 1)
  ctx.status = 206
  ctx.set('Content-Range', `bytes ${from}-${to}/${length}`)
  ctx.body = bufferOf(bytes.subarray(from, to + 1))
}

const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** Its compressed forms and validators are made when they are first asked for, and kept as long as the file is. */
export function heldFile(type: string, bytes: Buffer, what: keyof typeof QUALITY = 'file'): StaticFile {
  const codings = bytes.length < LEAST_CODED_BYTES ? [] : CODINGS
  return {
    ...{ type, scope: 'public', plain: heldForm(() => bytes) },
    coded: new Map(codings.map((coding) => [coding, heldForm(() => compress(bytes, coding, what))])),
  }
}

export const heldPage = ({ markup }: Html, what?: keyof typeof QUALITY): StaticFile =>
  heldFile('text/html; charset=utf-8', Buffer.from(markup), what)

function heldForm(make: () => AtOnce<Buffer>): FileForm {
  const bytes = once(make)
  return { bytes, etag: once(async () => hash('sha256', await bytes(), 'base64url')) }
}

/** What our pages have in common with those of the console. */
const LOOK = join(import.meta.dirname, '..', '..', '..', 'shared', 'look')

/**
 * The colours of the console, without the attribute by which it chooses: without a script, the system does.
 * @param rules the paths of files
 * @param common names of files in `shared/look/` that come before them
 */
export async function pageStyle(rules: readonly string[], common: readonly string[] = []) {
  const colours = await readFile(join(LOOK, 'colours.css'), 'utf8')
  const night = colours.replace(NIGHT, '@media (prefers-color-scheme: dark) {\n:root $1\n}')
  const others = [...common.map((name) => join(LOOK, name)), ...rules]
  const texts = await Promise.all(others.map((path) => readFile(path, 'utf8')))
  return heldFile('text/css; charset=utf-8', Buffer.from([night, ...texts].join('')))
}

const NIGHT = /:root\[data-theme="dark"\] (\{[^}]*\})/
