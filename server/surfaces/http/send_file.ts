// Sends files: content coding, entity tags, and how long caches may keep them; and makes the stylesheet of our pages.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type Koa from 'koa'
import type { Context } from 'koa'
import { RATE_LIMIT_FIELDS } from '../../admission/door.ts'
import { REQUEST_ID } from './answer_request.ts'

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

const SECONDS = 31_536_000

/**
 * What never changes may be kept for a year, and then says nothing of the one request that brought it.
 * @param scope `public` where caches that many people share may keep it too
 */
export function keepForAYear(ctx: Koa.Context, scope: 'public' | 'private'): void {
  ctx.set('Cache-Control', `${scope}, max-age=${SECONDS}, immutable`)
  for (const field of [REQUEST_ID, ...RATE_LIMIT_FIELDS]) ctx.remove(field)
}

export interface HeldFile {
  readonly type: string
  readonly bytes: Buffer
  /** Made for one answer, so it is not worth the time for a smaller form. */
  readonly sentOnce?: boolean
}

interface Form {
  readonly bytes: Buffer
  readonly etag: string
}

/** The forms of each file that were sent: the file itself, and its compressed ones. */
const forms = new WeakMap<HeldFile, Map<Coding | undefined, Promise<Form>>>()

/** The bytes and the validator of each form are computed once per file. */
export async function sendFile(ctx: Koa.Context, file: HeldFile): Promise<void> {
  const coding = file.bytes.length < LEAST_CODED_BYTES ? undefined : codingFor(ctx)
  ctx.vary('Accept-Encoding')
  const { bytes, etag } = await formOf(file, coding)
  ctx.set('Content-Type', file.type)
  if (coding !== undefined) ctx.set('Content-Encoding', coding)
  ctx.set('Cache-Control', 'public, no-cache')
  ctx.set('ETag', etag)
  ctx.status = 200
  if (ctx.fresh) {
    ctx.status = 304
    ctx.body = null
    return
  }
  ctx.body = bytes
}

function formOf(file: HeldFile, coding: Coding | undefined): Promise<Form> {
  const made = forms.get(file) ?? new Map<Coding | undefined, Promise<Form>>()
  forms.set(file, made)
  const form = made.get(coding) ?? makeForm(file, coding)
  made.set(coding, form)
  return form
}

async function makeForm(file: HeldFile, coding: Coding | undefined): Promise<Form> {
  const how = file.sentOnce === true ? 'answer' : 'file'
  const bytes = coding === undefined ? file.bytes : await compress(file.bytes, coding, how)
  return { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url')}"` }
}

const THEME = join(import.meta.dirname, 'theme.css')

/** @param rules the path of a file */
export const pageStyle = async (rules: string): Promise<HeldFile> => ({
  type: 'text/css; charset=utf-8',
  bytes: Buffer.concat([await readFile(THEME), await readFile(rules)]),
})
