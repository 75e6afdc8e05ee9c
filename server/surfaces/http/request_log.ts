// Logs one wide line per answered request; those of health checks that went well are for debugging only.
import type Koa from 'koa'
import type { Log } from '../../kernel/log.ts'

declare module 'koa' {
  interface DefaultState {
    /** Further members of the log line. The code that answers sets them. They must never contain a secret. */
    answered?: Record<string, unknown>
  }
}

export function logRequest(log: Log, ctx: Koa.Context, ms: number): void {
  const path = pathOf(ctx)?.slice(0, 200)
  const duration_ms = Math.round(ms * 10) / 10
  // A balancer asks several times a second, and its lines would push all others out of a log of limited size.
  const isRoutine = ctx.status === 200 && (path === '/health/live' || path === '/health/ready')
  log[isRoutine ? 'debug' : 'info'](
    { method: ctx.method, path, status: ctx.status, duration_ms, ...ctx.state.answered },
    'request.answered',
  )
}

/**
 * Returns undefined when the request target is not a valid address, such as `http://[/`; reading `path` would throw.
 */
export function pathOf(ctx: Koa.Context): string | undefined {
  try {
    return ctx.path
  } catch {
    return undefined
  }
}
