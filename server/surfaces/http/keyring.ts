// Serves `/.well-known/keyring.json`: every key that ever signed, for anybody who verifies a proof. No credential.
import { hash } from 'node:crypto'
import type { Middleware } from 'koa'
import type { KeyringDocument } from '../../domain/proofs/keyrings.ts'
import { underWay } from '../../kernel/flow/under_way.ts'
import type { Log } from '../../kernel/log.ts'
import { type Problem, refuse } from '../../kernel/refusal.ts'
import { problemsOf, retryAfterHeader, statusOf } from './error_document.ts'
import { sendStatic } from './static_file.ts'

const PATH = '/.well-known/keyring.json'

/**
 * @param read returns the current document. Concurrent requests share one read, so requests without a credential cause
 * at most one at a time.
 */
export function serveKeyring(read: () => Promise<KeyringDocument>, log: Log): Middleware {
  const reading = underWay<typeof PATH, KeyringDocument>()
  return async (ctx, next) => {
    if (ctx.path !== PATH) return next()
    try {
      if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
        ctx.set('Allow', 'GET, HEAD')
        throw refuse('method_not_allowed')
      }
      const body = Buffer.from(JSON.stringify(await reading.join(PATH, read)))
      // A new key must be found at once, so it is not immutable: caches revalidate their copy before each use.
      await sendStatic(ctx, {
        ...{ type: 'application/json; charset=utf-8', scope: 'public' },
        plain: { bytes: () => body, etag: () => hash('sha256', body, 'base64url') },
      })
    } catch (error) {
      const problems = problemsOf(error, log)
      ctx.status = statusOf(problems)
      ctx.set(retryAfterHeader(problems))
      ctx.set('Cache-Control', 'no-store')
      ctx.body = { errors: problems.map(entryOf) }
    }
  }
}

const entryOf = ({
  id,
  status,
  code,
  detail,
}: Problem & { readonly id: string; readonly status: number }) => ({
  id,
  status: String(status),
  code,
  detail,
})
