// Reads the fields of a posted form (application/x-www-form-urlencoded), within ceilings of its own.
import type Koa from 'koa'
import { refuse } from '../../kernel/refusal.ts'
import { checkDeclaredLength, readBody } from '../http/read_body.ts'

const URLENCODED = /^application\/x-www-form-urlencoded\s*(;|$)/i

/** @throws unsupported_media_type, request_too_large, request_timeout, invalid_body */
export async function readFields(
  ctx: Koa.Context,
  most: { readonly bytes: number; readonly fields: number },
): Promise<URLSearchParams> {
  if (!URLENCODED.test(ctx.get('Content-Type')))
    throw refuse('unsupported_media_type', { detail: 'use application/x-www-form-urlencoded' })
  checkDeclaredLength(ctx.req, most.bytes)
  const fields = new URLSearchParams((await readBody(ctx.req, most.bytes)).toString('utf8'))
  if (fields.size > most.fields) throw refuse('invalid_body', { detail: 'has too many fields' })
  return fields
}
