// Health checks for monitoring: whether the process is alive, and whether it can do its work.
import type { Middleware } from 'koa'
import { sharedAnswer } from '../../kernel/flow/shared_work.ts'
import { isDatabaseFull, isDatabaseUnavailable } from '../../store/database_errors.ts'

export interface Readiness {
  readonly ready: boolean
  readonly [detail: string]: unknown
}

/**
 * Milliseconds. Readiness needs no credential and charges no budget, so its cost must not grow
 * with the number of requests.
 */
export const READINESS = { fresh: 1_000, patience: 2_000 } as const

/**
 * `/health/live` answers while the event loop runs. `/health/ready` queries the database at most once a second,
 * shares that answer among all requests, and returns 503 while the database is unavailable or hangs.
 * @param leaving true once this server was told to stop, so that load balancers see it before requests are refused
 */
export function health(readiness: () => Promise<Readiness>, leaving: () => boolean): Middleware {
  const look = async (): Promise<Readiness> => {
    try {
      return await readiness()
    } catch (error) {
      if (isDatabaseFull(error)) return { ...notReady('disk_full'), reason: 'disk_full' }
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

const notReady = (database: 'unavailable' | 'failing' | 'disk_full'): Readiness => ({
  ready: false,
  database,
})
