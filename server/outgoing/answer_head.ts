// The head of an answer of HTTP/1.1: its status line, the fields that are used, and what they say of its body (RFC
// 9112).
import { ReceiverFailure } from './receiver_bounds.ts'

/** Less than the five seconds for which many servers keep an idle connection. */
const KEPT_MS = 4_000

/** The fields that are used, and what the status line says. */
interface AnswerHead {
  readonly status: number
  keptMs: number
  retryAfter: string | undefined
  contentType: string | undefined
  readonly lengths: string[]
  readonly codings: string[]
}

export const NO_HEAD: AnswerHead = Object.freeze(newHead(0, 0))

function newHead(status: number, keptMs: number): AnswerHead {
  return { status, keptMs, retryAfter: undefined, contentType: undefined, lengths: [], codings: [] }
}

const STATUS_LINE = /^HTTP\/(1\.[01]) (\d{3})(?: .*)?$/s

/** @throws ReceiverFailure */
export function readStatusLine(text: string): AnswerHead {
  const [, version, code] = STATUS_LINE.exec(text) ?? []
  if (version !== undefined) return newHead(Number(code), version === '1.1' ? KEPT_MS : 0)
  throw new ReceiverFailure(
    /^HTTP\/(?!1\.[01](?: |$))/.test(text)
      ? 'the answer is of no known version of HTTP'
      : 'the answer has a broken status line',
  )
}

/** Never asked for. So it is a final answer, after which the connection carries no HTTP. */
const SWITCHING = 101
const BODILESS: ReadonlySet<number> = new Set([204, 304, SWITCHING])

/** Another answer to the same request follows. */
export const isInterim = (status: number): boolean => status >= 100 && status < 200 && status !== SWITCHING

/**
 * How the body ends (6.3): after so many bytes, with its last chunk, or with the connection.
 * @throws ReceiverFailure when the fields contradict each other
 */
export function bodyOf(head: AnswerHead): number | 'chunks' | 'rest' {
  const codings = head.codings.join(',').toLowerCase()
  const [length, ...others] = head.lengths
  if (others.length > 0 || (length !== undefined && codings !== ''))
    throw new ReceiverFailure('the answer says twice how long it is')
  if (length !== undefined && !/^\d{1,15}$/.test(length))
    throw new ReceiverFailure('the answer has a broken Content-Length')
  if (head.status === SWITCHING) head.keptMs = 0
  if (BODILESS.has(head.status)) return 0
  if (codings !== '') return /(^|,)[ \t]*chunked$/.test(codings) ? 'chunks' : 'rest'
  return length === undefined ? 'rest' : Number(length)
}

const FIELD_NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i

/**
 * Only the fields that are used are kept. The first one of a name counts. A line that continues a field is skipped,
 * because none of these needs one.
 * @throws ReceiverFailure
 */
export function readField(head: AnswerHead, text: string): void {
  if (/^[ \t]/.test(text)) return
  const colon = text.indexOf(':')
  const name = text.slice(0, Math.max(0, colon))
  const value = withoutBlanks(text.slice(colon + 1))
  if (!FIELD_NAME.test(name) || /[\0\r]/.test(value))
    throw new ReceiverFailure('the answer has a broken header')
  switch (name.toLowerCase()) {
    case 'content-length':
      head.lengths.push(value)
      return
    case 'transfer-encoding':
      head.codings.push(value)
      return
    case 'connection':
      if (/(^|,)[ \t]*close[ \t]*(,|$)/i.test(value)) head.keptMs = 0
      return
    case 'keep-alive': {
      // A second less than the receiver says, because it counts from an earlier moment.
      const [, seconds] = /(?:^|,)[ \t]*timeout=(\d{1,9})/i.exec(value) ?? []
      if (seconds !== undefined) head.keptMs = Math.min(head.keptMs, Math.max(0, Number(seconds) - 1) * 1_000)
      return
    }
    case 'retry-after':
      head.retryAfter ??= value
      return
    case 'content-type':
      head.contentType ??= value
      return
  }
}

/** Without the blanks around it. A pattern that removes them can take quadratic time. */
function withoutBlanks(text: string): string {
  let from = 0
  let to = text.length
  while (from < to && isBlank(text[from])) from += 1
  while (to > from && isBlank(text[to - 1])) to -= 1
  return text.slice(from, to)
}

const isBlank = (character: string | undefined): boolean => character === ' ' || character === '\t'
