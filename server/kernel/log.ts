// One wide line per outcome, as JSON on standard output; what may hold a secret never reaches it.
import { type Logger, pino } from 'pino'

export type Log = Pick<Logger, 'info' | 'warn' | 'error' | 'debug' | 'fatal'>

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

export const createLog = (level: LogLevel): Log =>
  pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: plainError },
    formatters: { level: (label) => ({ level: label }) },
    redact: {
      paths: ['token', '*.token', 'authorization', '*.authorization', 'password', '*.password'],
      remove: true,
    },
  })

/** What an error says, and nothing it holds on to: a driver's error carries its whole connection. */
function plainError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) }
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {}
  const cause =
    error.cause === undefined
      ? {}
      : { cause: error.cause instanceof Error ? error.cause.message : String(error.cause) }
  return { type: error.name, message: error.message, ...code, ...cause, stack: error.stack }
}
