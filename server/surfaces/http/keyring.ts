// Serves `/.well-known/keyring.json`: every key that ever signed, for anybody who verifies a proof. No credential.
import { hash } from 'node:crypto'
import type { Middleware } from 'koa'
import type { KeyringDocument } from '../../domain/proofs/keyrings.ts'
import type { Log } from '../../kernel/log.ts'
import { type Problem, refuse } from '../../kernel/refusal.ts'
import { problemsOf, retryAfterHeader, statusOf } from './error_document.ts'
import { sendStatic } from './static_file.ts'

const PATH = '/.well-known/keyring.json'

/** @param read returns the current document; concurrent requests share one read */
export function serveKeyring(read: () => Promise<KeyringDocument>, log: Log): Middleware {
  const readOnce = shared(read)
  return async (ctx, next) => {
    if (ctx.path !== PATH) return next()
    try {
      if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
        ctx.set('Allow', 'GET, HEAD')
        throw refuse('method_not_allowed')
      }
      const body = Buffer.from(JSON.stringify(await readOnce()))
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

/** Concurrent calls share one read, so requests without a credential cause at most one read at a time. */
function shared<T>(read: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined
  return () => {
    running ??= read().finally(() => {
      running = undefined
    })
    return running
  }
}
