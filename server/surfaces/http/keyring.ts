// Serves `/.well-known/keyring.json`: every key that ever signed, for anybody who verifies a proof. No credential.
import { hash } from 'node:crypto'
import type { Middleware } from 'koa'
import type { KeyringDocument } from '../../domain/proofs/keyrings.ts'
import { underWay } from '../../kernel/flow/shared_work.ts'
import type { Log } from '../../kernel/log.ts'
import { refuseWith } from './error_document.ts'
import { requireReading, sendStatic } from './static_file.ts'

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
      requireReading(ctx)
      const body = Buffer.from(JSON.stringify(await reading.join(PATH, read)))
      // A new key must be found at once, so it is not immutable: caches revalidate their copy before each use.
      await sendStatic(ctx, {
        ...{ type: 'application/json; charset=utf-8', scope: 'public' },
        plain: { bytes: () => body, etag: () => hash('sha256', body, 'base64url') },
      })
    } catch (error) {
      const problems = refuseWith(ctx, error, log)
      ctx.set('Cache-Control', 'no-store')
      ctx.body = {
        errors: problems.map(({ id, status, code, detail }) => ({
          id,
          status: String(status),
          code,
          detail,
        })),
      }
    }
  }
}
