// Answers requests that the HTTP parser rejects before any route runs: too long, malformed, too
// slow. RFC 9112 section 9.6.
import type { Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { endWithAnswer } from '../../admission/places.ts'
import { fewLines, type Log } from '../../kernel/log.ts'
import { type Refusal, refuse } from '../../kernel/refusal.ts'
import { withinRequest } from '../../kernel/request_scope.ts'
import { REQUEST_ID } from './answer_request.ts'
import { errorDocument, JSON_API, problemsOf, retryAfterHeader } from './error_document.ts'
import { OPEN_TO_ALL } from './security_headers.ts'

interface ParserLimits {
  readonly maxHeaderBytes: number
  readonly maxBodyBytes: number
  readonly log: Log
}

/** Milliseconds that a client which keeps sending has to read the answer, before the connection is cut. */
const LINGER_MS = 2_000

/**
 * Every such connection ends with one answer, in the format of all errors. Earlier complete requests on the same
 * connection are answered first, because the client would read this answer as the answer to one of them.
 */
export function answerClientErrors(server: Server, limits: ParserLimits): void {
  const under = new WeakMap<Duplex, Set<ServerResponse>>()
  const judged = new WeakSet<Duplex>()
  const note = fewLines(limits.log)
  server.on('request', ({ socket }, response) => {
    const answers = under.get(socket) ?? new Set()
    under.set(socket, answers.add(response))
    response.once('close', () => answers.delete(response))
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (judged.has(socket)) return
    judged.add(socket)
    // The socket is closed for writing, after an answer that leaves a body unread, or the client disconnected.
    if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
    const waiting = [...(under.get(socket) ?? [])]
    const whole = waiting.filter(({ req }) => req.complete)
    let left = whole.length
    const finish = (): void => {
      if (waiting.some(({ req, headersSent }) => !req.complete && headersSent)) socket.destroy()
      else answerAndEnd(socket, refusalOf(error, limits), limits.log, note)
    }
    if (left === 0) return finish()
    for (const response of whole)
      response.once('close', () => {
        left -= 1
        if (left === 0) finish()
      })
  })
}

function refusalOf({ code, message }: NodeJS.ErrnoException, { maxHeaderBytes, maxBodyBytes }: ParserLimits) {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return refuse('request_header_fields_too_large', { meta: { max_bytes: maxHeaderBytes } })
    case 'HPE_INVALID_CONTENT_LENGTH':
      // The parser's integer overflowed, so the length exceeds every limit.
      return message.includes('overflow')
        ? refuse('request_too_large', { meta: { max_bytes: maxBodyBytes } })
        : refuse('malformed_request')
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return refuse('request_timeout')
    default:
      return refuse('malformed_request')
  }
}

function answerAndEnd(socket: Duplex, refusal: Refusal, log: Log, note: ReturnType<typeof fewLines>): void {
  if (!socket.writable) return void socket.destroy()
  withinRequest(undefined, ({ id }) => {
    const problems = problemsOf(refusal, log)
    const body = JSON.stringify(errorDocument(problems, ''))
    const headers = {
      ...OPEN_TO_ALL,
      [REQUEST_ID]: id,
      ...retryAfterHeader(problems),
      'Content-Type': JSON_API,
      Vary: 'Accept',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    }
    endWithAnswer(socket, refusal.status, headers, body)
    // Cutting the connection at once could lose the answer, because data still in transit would cause a reset.
    setTimeout(() => socket.destroy(), LINGER_MS).unref()
    const codes = problems.map(({ code }) => code)
    note({ status: refusal.status, codes, error_id: problems[0]?.id }, 'request.answered')
  })
}
