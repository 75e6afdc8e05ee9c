// Refuses compressed request bodies and names the accepted encoding (RFC 9110, 8.4 and 15.5.16).
import type Koa from 'koa'
import { refuse } from '../../kernel/refusal.ts'

/** @throws unsupported_media_type; the service never decompresses, so a small body cannot expand into a large one */
export function checkContentEncoding(ctx: Koa.Context): void {
  const codings = (ctx.req.headers['content-encoding'] ?? '').split(',').map((coding) => coding.trim())
  if (codings.every((coding) => coding === '' || /^identity$/i.test(coding))) return
  ctx.set('Accept-Encoding', 'identity')
  throw refuse('unsupported_media_type', {
    detail: 'a body with a Content-Encoding is not read: send it uncompressed, without that header field',
    meta: { header: 'Content-Encoding', accepted: ['identity'] },
  })
}
