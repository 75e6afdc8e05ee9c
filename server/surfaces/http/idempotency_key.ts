// Reads the Idempotency-Key of a write, and computes the bytes that identify the same request.
import type Koa from 'koa'
import { MAX_IDEMPOTENCY_KEY } from '../../domain/accounts/idempotency.ts'
import { refuse } from '../../kernel/refusal.ts'

/**
 * Returns undefined when there is no key; an empty key counts as none. @throws invalid_argument when it is too long
 */
export function idempotencyKey(ctx: Koa.Context): string | undefined {
  const key = ctx.get('idempotency-key')
  if (key.length > MAX_IDEMPOTENCY_KEY)
    throw refuse('invalid_argument', {
      parameter: 'Idempotency-Key',
      detail: `has at most ${MAX_IDEMPOTENCY_KEY} characters`,
      meta: { maximum: MAX_IDEMPOTENCY_KEY },
    })
  return key === '' ? undefined : key
}

/**
 * The tenant is part of the request's identity, because the same document in another team creates another item.
 * @param place what takes the request: `POST /api/json/items`, or the name of a tool
 */
export async function onceOf(
  place: string,
  key: string,
  tenant: () => Promise<{ readonly id: string }>,
  body: Uint8Array,
): Promise<{ readonly key: string; readonly request: Uint8Array }> {
  const { id } = await tenant()
  return { key, request: Buffer.concat([Buffer.from(`${place} ${id}\n`), body]) }
}
