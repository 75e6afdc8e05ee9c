// One wide line per request, when it has been answered.
import type Koa from 'koa'
import type { Middleware } from 'koa'
import type { Log } from '../../kernel/log.ts'

declare module 'koa' {
  interface DefaultState {
    /** Set by whoever answers: what the line should say besides. Never a secret. */
    answered?: Record<string, unknown>
  }
}

export const requestLog =
  (log: Log): Middleware =>
  async (ctx, next) => {
    const began = performance.now()
    const path = pathOf(ctx)?.slice(0, 200)
    if (path !== undefined) await next()
    else {
      ctx.status = 400
      ctx.body = 'Bad Request'
    }
    const duration_ms = Math.round((performance.now() - began) * 10) / 10
    log.info(
      { method: ctx.method, path, status: ctx.status, duration_ms, ...ctx.state.answered },
      'request.answered',
    )
  }

/** Undefined for a request target that is no address, such as `http://[/`: nobody behind could read its path. */
function pathOf(ctx: Koa.Context): string | undefined {
  try {
    return ctx.path
  } catch {
    return undefined
  }
}
