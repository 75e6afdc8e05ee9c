// Logs one wide line per answered request. Those of health checks are for debugging only, and of refusals that anybody
// can cause only a few a second are told.
import type Koa from 'koa'
import { fewLines } from '../../kernel/few_lines.ts'
import type { Log } from '../../kernel/log.ts'

declare module 'koa' {
  interface DefaultState {
    /** Further members of the log line. The code that answers sets them. They must never contain a secret. */
    answered?: Record<string, unknown>
  }
}

export function requestLog(log: Log): (ctx: Koa.Context, ms: number) => void {
  const few = fewLines(log)
  return (ctx, ms) => {
    const path = pathOf(ctx)?.slice(0, 200)
    const duration_ms = Math.round(ms * 10) / 10
    const members = { method: ctx.method, path, status: ctx.status, duration_ms, ...ctx.state.answered }
    if (isRoutine(ctx, path)) log.debug(members, MESSAGE)
    else if (isAnybodys(ctx)) few(members, MESSAGE)
    else log.info(members, MESSAGE)
  }
}

const MESSAGE = 'request.answered'

/** A balancer asks several times a second, and its lines would push all others out of a log of limited size. */
const isRoutine = ({ method, status }: Koa.Context, path: string | undefined): boolean =>
  status === 200
    ? path === '/health/live' || path === '/health/ready'
    : // A preflight has no credential and no budget.
      status === 204 && method === 'OPTIONS'

/** Refused to somebody who showed no valid credential, or to anybody for being one too many. */
const isAnybodys = ({ status, state: { credential = 'none' } }: Koa.Context): boolean =>
  status === 429 || (status >= 400 && status < 500 && (credential === 'none' || credential === 'refused'))

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
