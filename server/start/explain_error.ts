// The message of a failed start: what happened and what to do, without unnecessary detail.
import { causes, errorCode } from '../kernel/error_code.ts'
import { isDatabaseUnavailable } from '../store/database_errors.ts'

/** By errno, or SQLSTATE (PostgreSQL appendix A). */
const ADVICE: Readonly<Record<string, string>> = {
  ENOSPC: 'The disk is full: make room, or set DATA_DIR to a folder on another one.',
  EDQUOT: 'The disk quota is used up: make room, or set DATA_DIR to a folder on another disk.',
  EROFS: 'The file system can only be read: set DATA_DIR to a folder that can be written.',
  EACCES: 'This account may not do that: set DATA_DIR to a folder that it may write.',
  EPERM: 'This account may not do that: set DATA_DIR to a folder that it may write.',
  EMFILE: 'Too many files are open: raise the limit (ulimit -n).',
  '25006': 'The database can only be read: name the primary, or allow it to be written.',
  '42501': 'The user of DATABASE_URL may not do that: let it own the database (ALTER DATABASE … OWNER TO …).',
  '53100': 'The disk of the database is full: make room there.',
}

export function explainError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // The message was written for people already and says what to do.
  if (error.name === 'Error' && error.cause !== undefined) return error.message
  const advice = adviceFor(error)
  if (advice !== undefined) return `${error.message}\n${advice}`
  if (isDatabaseUnavailable(error))
    return `The database went away: ${error.message}\nStart again when it answers.`
  // A fault of ours, so the message includes the stack trace for a report.
  const isBug = error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError
  return isBug ? (error.stack ?? error.message) : error.message
}

/** The driver wraps its errors. */
function adviceFor(error: Error): string | undefined {
  for (const cause of causes(error)) {
    const code = errorCode(cause) ?? ''
    if (cause !== error && code.length !== 5) continue
    if (Object.hasOwn(ADVICE, code)) return ADVICE[code]
  }
  return undefined
}
