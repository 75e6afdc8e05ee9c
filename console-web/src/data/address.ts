// The address bar, as the router uses it: which addresses a pattern names, and where each step came from.
import type { AroundNavHandler, Parser } from 'wouter'
import { routePattern } from '../../../shared/wire/route_pattern.ts'

/** The server matches with the same expression, so both agree on what is a page. `*` is a route without a pattern. */
export const parseRoute: Parser = (route) => ({ pattern: route === '*' ? /^/ : routePattern(route) })

/** `replace` keeps the history short while one thing is swapped for its like; where we came from stays the same. */
export const stepTo: AroundNavHandler = (navigate, to, options) => {
  const { pathname, search } = window.location
  if (to === pathname + search) return
  const state: unknown = options?.replace ? window.history.state : { from: pathname }
  navigate(to, { ...options, state })
}

/** Whether "back" leads to `path`. */
export const cameFrom = (path: string): boolean => {
  const state: unknown = window.history.state
  return typeof state === 'object' && state !== null && 'from' in state && state.from === path
}
