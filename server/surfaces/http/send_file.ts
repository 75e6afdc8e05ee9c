// Sends a file from memory, compressed for those who take that, with a strong validator (RFC 9110 section 8.8.3).
import { createHash } from 'node:crypto'
import type Koa from 'koa'
import { type Coding, codingFor, compress, LEAST_CODED_BYTES } from './content_coding.ts'

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
