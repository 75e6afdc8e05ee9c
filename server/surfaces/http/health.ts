// For whoever watches the service: is the process alive, and is it of use.
import type { Middleware } from 'koa'
import { sharedAnswer } from '../../kernel/shared_answer.ts'
import { isDatabaseUnavailable } from '../../store/database_faults.ts'

export interface Readiness {
  readonly ready: boolean
  readonly [detail: string]: unknown
}

/** Milliseconds. No credential and no budget stand before it, so what it costs must not grow with how often it is asked. */
export const READINESS = { fresh: 1_000, patience: 2_000 } as const

/**
 * `/health/live` answers while the event loop turns; `/health/ready` asks the database, once a second at most for
 * everybody together, and answers 503 while it is away or hangs.
 * @param leaving true once this server was told to stop: whoever sends requests here must hear it before anything ends
 */
export function health(readiness: () => Promise<Readiness>, leaving: () => boolean): Middleware {
  const look = async (): Promise<Readiness> => {
    try {
      return await readiness()
    } catch (error) {
      return notReady(isDatabaseUnavailable(error) ? 'unavailable' : 'failing')
    }
  }
  const standing = sharedAnswer(look, {
    freshMs: READINESS.fresh,
    patienceMs: READINESS.patience,
    late: () => notReady('unavailable'),
  })
  return async (ctx, next) => {
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD'
    if (!isRead || (ctx.path !== '/health/live' && ctx.path !== '/health/ready')) return next()
    ctx.set('Cache-Control', 'no-store')
    if (ctx.path === '/health/live') {
      ctx.body = { live: true }
      return
    }
    const answer = leaving() ? { ready: false, stopping: true } : await standing()
    ctx.status = answer.ready ? 200 : 503
    ctx.body = answer
  }
}

const notReady = (database: 'unavailable' | 'failing'): Readiness => ({ ready: false, database })
