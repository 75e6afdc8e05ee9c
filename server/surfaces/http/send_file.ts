// Sends a file from memory with a strong validator (RFC 9110 section 8.8.3).
import { createHash } from 'node:crypto'
import type Koa from 'koa'

export interface HeldFile {
  readonly type: string
  readonly bytes: Buffer
}

const tags = new WeakMap<HeldFile, string>()

/** The validator is computed once per file. */
export function sendFile(ctx: Koa.Context, file: HeldFile): void {
  const known = tags.get(file)
  const etag = known ?? `"${createHash('sha256').update(file.bytes).digest('base64url')}"`
  if (known === undefined) tags.set(file, etag)
  ctx.set('Content-Type', file.type)
  ctx.set('Cache-Control', 'public, no-cache')
  ctx.set('ETag', etag)
  ctx.status = 200
  if (ctx.fresh) {
    ctx.status = 304
    ctx.body = null
    return
  }
  ctx.body = file.bytes
}
