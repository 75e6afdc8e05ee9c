// Request bodies: the length rules first, then at most so many bytes, whatever the client declared.
import type { IncomingMessage } from 'node:http'
import { refuse } from '../../kernel/refusal.ts'

/** A client that has not sent its body by then is not going to. */
const BODY_TIMEOUT_MS = 30_000

const tooLarge = (maxBytes: number) => refuse('request_too_large', { meta: { max_bytes: maxBytes } })

/** Refuses a declared length over the limit before a byte is read. */
export function checkDeclaredLength(request: IncomingMessage, maxBytes: number): void {
  const declared = request.headers['content-length']
  if (declared !== undefined && Number(declared) > maxBytes) throw tooLarge(maxBytes)
}

const SELF_DELIMITING = /^(application\/([a-z0-9.+-]+\+)?json|application\/x-www-form-urlencoded)\s*(;|$)/i

/**
 * Refuses a non-empty body without Content-Length, unless it is JSON or form-encoded and the method takes a body.
 * Emptiness is decided by the first chunk.
 */
export async function checkLengthRule(request: IncomingMessage): Promise<void> {
  if (request.headers['transfer-encoding'] === undefined || request.headers['content-length'] !== undefined)
    return
  const takesBody = request.method !== 'GET' && request.method !== 'HEAD'
  if (takesBody && SELF_DELIMITING.test(request.headers['content-type'] ?? '')) return
  for await (const chunk of bounded(request)) if (chunk.length > 0) throw refuse('length_required')
}

/** These answers leave a body unread: the connection cannot carry another request and is closed (RFC 9112 section 9.6). */
export const leavesBodyUnread = (status: number): boolean => status === 411 || status === 413

/** The whole body. @throws request_too_large as soon as it grows past the limit */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of bounded(request)) {
    length += chunk.length
    if (length > maxBytes) throw tooLarge(maxBytes)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** The request's chunks; the stream stays open when the reader leaves early, so that an answer can still be sent. */
async function* bounded(request: IncomingMessage): AsyncGenerator<Buffer> {
  const timer = setTimeout(
    () => request.destroy(new Error('the body did not arrive in time')),
    BODY_TIMEOUT_MS,
  )
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) yield chunk
  } catch {
    // The client went away or was too slow. It will hardly read this, but the log should not call it a fault of ours.
    throw refuse('invalid_body', { detail: 'the body did not arrive in full' })
  } finally {
    clearTimeout(timer)
  }
}
