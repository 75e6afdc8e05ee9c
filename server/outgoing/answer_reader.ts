// Reads one answer of HTTP/1.1 piece by piece, within the bounds for receivers (RFC 9112).
import { bodyOf, isInterim, NO_HEAD, readField, readStatusLine } from './answer_head.ts'
import { RECEIVER_BOUNDS, ReceiverFailure } from './receiver_bounds.ts'

/** The answer as far as it was received. `body` may be cut by us or by the receiver. */
export interface ReceivedAnswer {
  readonly status: number
  readonly retryAfter: string | undefined
  readonly contentType: string | undefined
  readonly body: Buffer
  /** The receiver sent more than the bounds allow, so the endpoint rests for a while. */
  readonly isFlood: boolean
}

const { headerBytes, bodyBytes, interim } = RECEIVER_BOUNDS

const NOTHING = Buffer.alloc(0)
const LF = 10
const CR = 13

/** What the next bytes are. `rest` is a body that ends with the connection. */
type Place = 'status' | 'fields' | 'length' | 'rest' | 'size' | 'chunk' | 'gap' | 'trailers' | 'end'

/** After the status is known, a mistake in the body does not make the answer fail. It ends the body. */
export function answerReader() {
  let place: Place = 'status'
  let waiting: Buffer = NOTHING
  let headSize = 0
  let hints = 0
  let head = NO_HEAD
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

  /** The empty line after the fields. */
  const endFields = (): void => {
    headSize = 0
    if (isInterim(head.status)) {
      hints += 1
      if (hints > interim)
        throw new ReceiverFailure(`the receiver sent more than ${interim} interim answers`, true)
      place = 'status'
      return
    }
    const body = bodyOf(head)
    status = head.status
    if (body === 'chunks') place = 'size'
    else if (body === 'rest') place = 'rest'
    else if (body === 0) end(true)
    else {
      left = body
      place = 'length'
    }
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
        if (!couldBeHttp(waiting)) throw new ReceiverFailure('the answer is no HTTP')
        const text = line()
        if (text === undefined) return false
        // Empty lines before an answer are skipped (RFC 9112, 2.2).
        if (text === '') headSize = 0
        else {
          head = readStatusLine(text)
          place = 'fields'
        }
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
    /**
     * Takes the next bytes. Returns true when the answer is complete.
     * @throws ReceiverFailure while there is no status, because what arrives is no HTTP or too much
     */
    take: (piece: Buffer): boolean => {
      waiting = waiting.length === 0 ? piece : Buffer.concat([waiting, piece])
      try {
        while (place !== 'end' && waiting.length > 0 && step());
      } catch (error) {
        if (status === undefined) throw error
        end(false)
      }
      return place === 'end'
    },
    /** The answer as far as it was read. Undefined while there is no status. */
    answer: (): Omit<ReceivedAnswer, 'isFlood'> | undefined =>
      status === undefined
        ? undefined
        : { status, retryAfter: head.retryAfter, contentType: head.contentType, body: Buffer.concat(parts) },
    /**
     * Milliseconds for which the connection may wait for another request. 0 when it may carry none, because the answer is
     * incomplete, or something follows it, or the receiver says so.
     */
    keptMs: (): number => (isWhole && waiting.length === 0 ? head.keptMs : 0),
  }
}

const CHUNK_SIZE = /^([0-9a-f]{1,12})[ \t]*(?:;.*)?$/is

const START = 'HTTP/'
/** Judges the first bytes before the line is complete. An empty line may come first. */
const couldBeHttp = (bytes: Buffer): boolean =>
  bytes[0] === CR || bytes[0] === LF || START.startsWith(bytes.toString('latin1', 0, START.length))
