// Writes one JSON line per outcome to standard output, with the id of its request. Members that may hold a secret are
// removed. Of lines that anybody can cause, a few a second are written.
import { inspect } from 'node:util'
import { type DestinationStream, type Logger, pino } from 'pino'
import { atMost } from './flow/at_most.ts'
import { requestFields } from './request_scope.ts'

export type Log = Pick<Logger, 'info' | 'warn' | 'error' | 'debug' | 'fatal'>

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const
type LogLevel = (typeof LOG_LEVELS)[number]

/**
 * @param out destination of the lines, for tests. The default is standard output.
 * @param everywhere members of every line
 */
export const createLog = (
  level: LogLevel,
  out?: DestinationStream,
  everywhere: Readonly<Record<string, unknown>> | null = null,
): Log =>
  pino(
    {
      level,
      base: everywhere,
      mixin: requestFields,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: plainError },
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: ['token', '*.token', 'authorization', '*.authorization', 'password', '*.password'],
        remove: true,
      },
    },
    out,
  )

/** The texts of an error without its references. A driver's error refers to its whole connection. */
function plainError(error: unknown): object {
  if (!(error instanceof Error)) return { message: wordsOf(error) }
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {}
  const cause =
    error.cause === undefined
      ? {}
      : { cause: error.cause instanceof Error ? error.cause.message : String(error.cause) }
  return { type: error.name, message: error.message, ...code, ...cause, stack: error.stack }
}

/** Some libraries pass a plain object with the parts of an error. */
function wordsOf(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null) return String(thrown)
  return 'message' in thrown ? String(thrown.message) : inspect(thrown, { depth: 1 }).slice(0, 1_000)
}

const PER_SECOND = 10

/** Lines beyond that are for debugging only. The next line that is written has their number in `left_out`. */
export function fewLines(
  log: Pick<Log, 'info' | 'debug'>,
  nowMs?: () => number,
): (members: object, message: string) => void {
  const mayWrite = atMost(PER_SECOND, nowMs)
  let leftOut = 0
  return (members, message) => {
    if (!mayWrite()) {
      leftOut += 1
      log.debug(members, message)
      return
    }
    log.info(leftOut === 0 ? members : { ...members, left_out: leftOut }, message)
    leftOut = 0
  }
}
