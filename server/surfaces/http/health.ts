// For whoever watches the service: is the process alive, and is it of use.
import type { Middleware } from 'koa'
import { isDatabaseUnavailable } from '../../store/database_faults.ts'

export interface Readiness {
  readonly ready: boolean
  readonly [detail: string]: unknown
}

/**
 * `/health/live` answers while the event loop turns; `/health/ready` asks the database and answers 503 while it is away.
 * @param leaving true once this server was told to stop: whoever sends requests here must hear it before anything ends
 */
export function health(readiness: () => Promise<Readiness>, leaving: () => boolean): Middleware {
  return async (ctx, next) => {
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD'
    if (!isRead || (ctx.path !== '/health/live' && ctx.path !== '/health/ready')) return next()
    ctx.set('Cache-Control', 'no-store')
    if (ctx.path === '/health/live') {
      ctx.body = { live: true }
      return
    }
    if (leaving()) {
      ctx.status = 503
      ctx.body = { ready: false, stopping: true }
      return
    }
    try {
      const answer = await readiness()
      ctx.status = answer.ready ? 200 : 503
      ctx.body = answer
    } catch (error) {
      ctx.status = 503
      ctx.body = { ready: false, database: isDatabaseUnavailable(error) ? 'unavailable' : 'failing' }
    }
  }
}
