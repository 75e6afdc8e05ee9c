// What never changes may be kept for a year, and then says nothing of the one request that brought it.
import type Koa from 'koa'
import { RATE_LIMIT_FIELDS } from '../../admission/rate_limit_headers.ts'
import { REQUEST_ID } from './answer_request.ts'

const SECONDS = 31_536_000

/** @param scope `public` where caches that many people share may keep it too */
export function keepForAYear(ctx: Koa.Context, scope: 'public' | 'private'): void {
  ctx.set('Cache-Control', `${scope}, max-age=${SECONDS}, immutable`)
  for (const field of [REQUEST_ID, ...RATE_LIMIT_FIELDS]) ctx.remove(field)
}
