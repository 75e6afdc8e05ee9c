// Reads one answer of HTTP/1.1 piece by piece, within the bounds for receivers (RFC 9112).
import { RECEIVER_BOUNDS, ReceiverFailure } from './receiver_bounds.ts'

/** The answer as far as it was received. `body` may be cut by us or by the receiver. */
export interface Answer {
  readonly status: number
  readonly retryAfter: string | undefined
  readonly contentType: string | undefined
  readonly body: Buffer
  /** The receiver sent more than the bounds allow, so the endpoint rests for a while. */
  readonly isFlood: boolean
}

export interface AnswerReader {
  /**
   * Takes the next bytes. Returns true when the answer is complete.
   * @throws ReceiverFailure while there is no status, because what arrives is no HTTP or too much
   */
  readonly take: (piece: Buffer) => boolean
  /** The answer as far as it was read. Undefined while there is no status. */
  readonly answer: () => Omit<Answer, 'isFlood'> | undefined
  /**
   * Milliseconds for which the connection may wait for another request. 0 when it may carry none, because the answer is
   * incomplete, or something follows it, or the receiver says so.
   */
  readonly keptMs: () => number
}

const { headerBytes, bodyBytes, interim } = RECEIVER_BOUNDS

/** Less than the five seconds for which many servers keep an idle connection. */
const KEPT_MS = 4_000

const NOTHING = Buffer.alloc(0)
const LF = 10
const CR = 13

/** What the next bytes are. `rest` is a body that ends with the connection. */
type Place = 'status' | 'fields' | 'length' | 'rest' | 'size' | 'chunk' | 'gap' | 'trailers' | 'end'

/** After the status is known, a mistake in the body does not make the answer fail. It ends the body. */
export function answerReader(): AnswerReader {
  let place: Place = 'status'
  let waiting: Buffer = NOTHING
  let headSize = 0
  let hints = 0
  let head = newHead(0, 0)
  let status: number | undefined
  let left = 0
  let isWhole = false
  const parts: Buffer[] = []
  let size = 0

  const end = (whole: boolean): void => {
    place = 'end'
    isWhole = whole
  }

  /** The next line without its end. Undefined when it has not arrived completely. */
  const line = (): string | undefined => {
    const at = waiting.indexOf(LF)
    if (status === undefined) boundHead(at === -1 ? waiting.length : at + 1)
    if (at === -1) return undefined
    if (at === 0 || waiting[at - 1] !== CR) throw new ReceiverFailure('the answer has a broken line end')
    const text = waiting.toString('latin1', 0, at - 1)
    waiting = waiting.subarray(at + 1)
    if (status === undefined) headSize += at + 1
    return text
  }

  const boundHead = (more: number): void => {
    if (headSize + more > headerBytes) throw new ReceiverFailure('the answer has too large headers')
  }

  const readStatus = (text: string): void => {
    // Empty lines before an answer are skipped (RFC 9112, 2.2).
    if (text === '') {
      headSize = 0
      return
    }
    const [, version, code] = STATUS_LINE.exec(text) ?? []
    if (version === undefined) throw new ReceiverFailure(wordsOfStart(text))
    head = newHead(Number(code), version === '1.1' ? KEPT_MS : 0)
    place = 'fields'
  }

  /** The empty line after the fields. Decides where the body ends (RFC 9112, 6.3). */
  const endFields = (): void => {
    headSize = 0
    if (isInterim(head.status)) {
      hints += 1
      if (hints > interim)
        throw new ReceiverFailure(`the receiver sent more than ${interim} interim answers`, true)
      place = 'status'
      return
    }
    const codings = head.codings.join(',').toLowerCase()
    if (codings !== '' && head.lengths.length > 0) throw new ReceiverFailure(TWICE)
    if (head.lengths.length > 1) throw new ReceiverFailure(TWICE)
    const [length] = head.lengths
    if (length !== undefined && !/^\d{1,15}$/.test(length))
      throw new ReceiverFailure('the answer has a broken Content-Length')
    status = head.status
    left = Number(length ?? 0)
    if (BODILESS.has(status)) end(true)
    // We did not ask for another protocol.
    else if (status === SWITCHING) end(false)
    else if (codings !== '') place = /(^|,)[ \t]*chunked$/.test(codings) ? 'size' : 'rest'
    else if (length === undefined) place = 'rest'
    else if (left === 0) end(true)
    else place = 'length'
  }

  const keep = (most: number): void => {
    const part = waiting.subarray(0, Math.min(most, bodyBytes - size))
    parts.push(part)
    size += part.length
    waiting = waiting.subarray(part.length)
    // The rest of a longer body is not read.
    if (size === bodyBytes) end(false)
  }

  const readSized = (then: () => void): void => {
    const before = size
    keep(left)
    left -= size - before
    if (left === 0) then()
  }

  /** Reads what it can of the present place. Returns false when it needs more bytes. */
  const step = (): boolean => {
    switch (place) {
      case 'status': {
        if (!couldBeHttp(waiting)) throw new ReceiverFailure(NO_HTTP)
        const text = line()
        if (text === undefined) return false
        readStatus(text)
        return true
      }
      case 'fields': {
        const text = line()
        if (text === undefined) return false
        if (text === '') endFields()
        else readField(head, text)
        return true
      }
      case 'length':
        readSized(() => end(true))
        return waiting.length > 0
      case 'rest':
        keep(waiting.length)
        return false
      case 'size': {
        const text = line()
        if (text === undefined) return false
        const [, digits] = CHUNK_SIZE.exec(text) ?? []
        if (digits === undefined) end(false)
        else {
          left = Number.parseInt(digits, 16)
          place = left === 0 ? 'trailers' : 'chunk'
        }
        return true
      }
      case 'chunk':
        readSized(() => {
          if (place === 'chunk') place = 'gap'
        })
        return waiting.length > 0
      case 'gap': {
        const text = line()
        if (text === undefined) return false
        if (text === '') place = 'size'
        else end(false)
        return true
      }
      case 'trailers': {
        const text = line()
        if (text === undefined) return false
        // Trailers are not read, so the connection is not used again after one.
        end(text === '')
        return true
      }
      case 'end':
        return false
      default:
        return place satisfies never
    }
  }

  return {
    take: (piece) => {
      waiting = waiting.length === 0 ? piece : Buffer.concat([waiting, piece])
      try {
        while (place !== 'end' && waiting.length > 0 && step());
      } catch (error) {
        if (status === undefined) throw error
        end(false)
      }
      return place === 'end'
    },
    answer: () =>
      status === undefined
        ? undefined
        : { status, retryAfter: head.retryAfter, contentType: head.contentType, body: Buffer.concat(parts) },
    keptMs: () => (isWhole && waiting.length === 0 ? head.keptMs : 0),
  }
}

interface Head {
  readonly status: number
  keptMs: number
  retryAfter: string | undefined
  contentType: string | undefined
  readonly lengths: string[]
  readonly codings: string[]
}

const newHead = (status: number, keptMs: number): Head => ({
  status,
  keptMs,
  retryAfter: undefined,
  contentType: undefined,
  lengths: [],
  codings: [],
})

const SWITCHING = 101
const BODILESS: ReadonlySet<number> = new Set([204, 304])
const isInterim = (status: number): boolean => status >= 100 && status < 200 && status !== SWITCHING

const STATUS_LINE = /^HTTP\/(1\.[01]) (\d{3})(?: .*)?$/s
const CHUNK_SIZE = /^([0-9a-f]{1,12})[ \t]*(?:;.*)?$/is
const FIELD = /^([!#$%&'*+.^_`|~0-9a-z-]+):[ \t]*(.*?)[ \t]*$/is

const NO_HTTP = 'the answer is no HTTP'
const TWICE = 'the answer says twice how long it is'

const START = 'HTTP/'
/** Judges the first bytes before the line is complete. An empty line may come first. */
const couldBeHttp = (bytes: Buffer): boolean =>
  bytes[0] === CR || bytes[0] === LF || START.startsWith(bytes.toString('latin1', 0, START.length))

const wordsOfStart = (text: string): string =>
  /^HTTP\/(?!1\.[01](?: |$))/.test(text)
    ? 'the answer is of no known version of HTTP'
    : 'the answer has a broken status line'

/**
 * Only the fields that are used are kept. The first one of a name counts. A line that continues a field is skipped,
 * because none of these needs one.
 */
function readField(head: Head, text: string): void {
  if (/^[ \t]/.test(text)) return
  const [, name, value = ''] = FIELD.exec(text) ?? []
  if (name === undefined || /[\0\r]/.test(value)) throw new ReceiverFailure('the answer has a broken header')
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
