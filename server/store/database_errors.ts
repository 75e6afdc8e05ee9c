// Tells "the database is away" from "our statement is wrong": the first is a 503 that heals by itself.

/** SQLSTATE classes and codes of an unreachable or closing server (PostgreSQL appendix A). */
const UNAVAILABLE_STATES = /^(08|53|57P0|25P03)/

const UNAVAILABLE_ERRNO = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ENOENT',
])

const UNAVAILABLE_MESSAGES =
  /Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|Client was closed|not queryable|Cannot use a pool after calling end|is not currently accepting connections/i

/** True when the error says that PostgreSQL could not be reached or went away; errors may be wrapped. */
export function isDatabaseUnavailable(error: unknown): boolean {
  for (const cause of causes(error)) {
    const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : ''
    if (UNAVAILABLE_ERRNO.has(code) || (code.length === 5 && UNAVAILABLE_STATES.test(code))) return true
    if (UNAVAILABLE_MESSAGES.test(cause.message)) return true
  }
  return false
}

/** True when the statement ran into its own statement timeout (not a lock or an operator's cancel by hand). */
export function isStatementTimeout(error: unknown): boolean {
  return causes(error).some(
    (cause) => 'code' in cause && cause.code === '57014' && /statement timeout/.test(cause.message),
  )
}

/** True when the statement waited too long for a lock that somebody else holds. */
function isLockTimeout(error: unknown): boolean {
  return causes(error).some((cause) => 'code' in cause && cause.code === '55P03')
}

/** True when the database does not come to do what is asked: it is away, or holds us up. */
export const isDatabaseHeldUp = (error: unknown): boolean =>
  isDatabaseUnavailable(error) || isStatementTimeout(error) || isLockTimeout(error)

/** True when a unique or primary key refused the row. */
export function isDuplicate(error: unknown): boolean {
  return causes(error).some((cause) => 'code' in cause && cause.code === '23505')
}

function causes(error: unknown): Error[] {
  const found: Error[] = []
  for (
    let next = error;
    next instanceof Error && found.length < 8;
    next = next.cause ?? ('previous' in next ? next.previous : undefined)
  )
    found.push(next)
  return found
}
