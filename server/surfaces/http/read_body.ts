// Reads the body of a request within its bounds, as bytes or as JSON, and drops what nobody reads.
import type { IncomingMessage } from 'node:http'
import type Koa from 'koa'
import type { JsonValue } from '../../../shared/proof/json_value.ts'
import { readStrictJson, StrictJsonError } from '../../../shared/proof/strict_json.ts'
import { hasLargeBody } from '../../admission/turns.ts'
import type { AtOnce } from '../../kernel/flow/at_once.ts'
import { type Refusal, refuse } from '../../kernel/refusal.ts'

/** @throws unsupported_media_type; the service never decompresses, so a small body cannot expand into a large one */
export function checkContentEncoding(ctx: Koa.Context): void {
  const codings = (ctx.req.headers['content-encoding'] ?? '').split(',').map((coding) => coding.trim())
  if (codings.every((coding) => coding === '' || /^identity$/i.test(coding))) return
  ctx.set('Accept-Encoding', 'identity')
  throw refuse('unsupported_media_type', {
    detail: 'a body with a Content-Encoding is not read: send it uncompressed, without that header field',
    meta: { header: 'Content-Encoding', accepted: ['identity'] },
  })
}

/** The longest time in milliseconds for a client to send its body. */
const BODY_TIMEOUT_MS = 30_000

const tooLarge = (maxBytes: number) => refuse('request_too_large', { meta: { max_bytes: maxBytes } })

/** Judges what the request says of the length of its body. @throws request_too_large, length_required */
export function checkLength(request: IncomingMessage, maxBytes: number): AtOnce<void> {
  checkDeclaredLength(request, maxBytes)
  return hasUnknownLength(request) ? checkLengthRule(request) : undefined
}

/** Refuses a declared length over the limit before reading a byte. @throws request_too_large */
function checkDeclaredLength(request: IncomingMessage, maxBytes: number): void {
  const declared = request.headers['content-length']
  if (declared !== undefined && Number(declared) > maxBytes) throw tooLarge(maxBytes)
}

const SELF_DELIMITING = /^(application\/([a-z0-9.+-]+\+)?json|application\/x-www-form-urlencoded)\s*(;|$)/i

/** True for a body that is sent without its length. */
const hasUnknownLength = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined && headers['content-length'] === undefined

/**
 * Refuses a non-empty body without Content-Length, unless it is JSON or form-encoded and the method takes a body. The
 * first chunk decides whether the body is empty.
 */
async function checkLengthRule(request: IncomingMessage): Promise<void> {
  const takesBody = request.method !== 'GET' && request.method !== 'HEAD'
  if (takesBody && SELF_DELIMITING.test(request.headers['content-type'] ?? '')) return
  await eachChunk(request, BODY_TIMEOUT_MS, (chunk) => {
    if (chunk.length > 0) throw refuse('length_required')
  })
}

/**
 * After these answers the body is unread, so the connection cannot carry another request and is
 * closed (RFC 9112 section 9.6).
 */
export const leavesBodyUnread = (status: number): boolean =>
  status === 408 || status === 411 || status === 413

/** Returns the whole body. @throws request_too_large as soon as it is known to exceed the limit; request_timeout */
export async function readBody(
  request: IncomingMessage,
  maxBytes: number,
  timeoutMs = BODY_TIMEOUT_MS,
): Promise<Buffer> {
  checkDeclaredLength(request, maxBytes)
  // The parser hands over a small body right after its head, before anything that waits goes on.
  if (!request.complete) await Promise.resolve()
  const arrived = arrivedBody(request, maxBytes)
  if (arrived !== undefined) return arrived
  const chunks: Buffer[] = []
  let length = 0
  await eachChunk(request, timeoutMs, (chunk) => {
    length += chunk.length
    if (length > maxBytes) throw tooLarge(maxBytes)
    chunks.push(chunk)
  })
  return Buffer.concat(chunks)
}

/** A small body has usually arrived with its head. It needs no timer and no listeners. @throws request_too_large */
function arrivedBody(request: IncomingMessage, maxBytes: number): Buffer | undefined {
  if (request.destroyed || request.readableEnded || !hasArrived(request)) return undefined
  if (request.readableLength > maxBytes) throw tooLarge(maxBytes)
  const bytes: unknown = request.read()
  // The request ends when its end is read too, which may come after the last byte.
  request.resume()
  if (bytes === null) return Buffer.alloc(0)
  return Buffer.isBuffer(bytes) ? bytes : undefined
}

/** The parser reports the end of a body after its last byte, so a small one may be complete before it is called so. */
function hasArrived(request: IncomingMessage): boolean {
  if (request.complete) return true
  const declared = request.headers['content-length']
  return declared !== undefined && !hasLargeBody(request) && request.readableLength === Number(declared)
}

/**
 * Resolves when the body ends; rejects when `take` throws. The connection stays open, so that an answer can be sent.
 * @throws request_timeout; invalid_body when the client disconnected, because that is not a fault of ours
 */
function eachChunk(
  request: IncomingMessage,
  timeoutMs: number,
  take: (chunk: Buffer) => void,
): Promise<void> {
  const broken = () => refuse('invalid_body', { detail: 'the body did not arrive in full' })
  if (request.readableEnded) return Promise.resolve()
  if (request.destroyed) return Promise.reject(broken())
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      request.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose)
      request.pause()
    }
    const onEnd = (): void => {
      stop()
      resolve()
    }
    const fail = (error: unknown): void => {
      stop()
      reject(error)
    }
    const onClose = (): void => fail(broken())
    const onData = (chunk: Buffer): void => {
      try {
        take(chunk)
      } catch (error) {
        fail(error)
      }
    }
    const timer = setTimeout(() => fail(refuse('request_timeout')), timeoutMs)
    request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose)
  })
}

/**
 * Milliseconds between the answer and the end. Cutting the connection at once could lose the
 * answer (RFC 9112 section 9.6).
 */
const LINGER_MS = 500

/**
 * Call it when the answer is known and before it is sent. Refusals are sent before the body is read, so a client that
 * sends it anyway pays the cost.
 */
export function leaveUnread(ctx: Koa.Context): void {
  const { req, res } = ctx
  if (req.complete || !hasLargeBody(req)) return
  ctx.set('Connection', 'close')
  res.shouldKeepAlive = false
  // Node reads and discards the rest of a body that was never read. read(0) marks it as read, so
  // Node stops after one buffer.
  req.read(0)
  const { socket } = req
  socket.destroySoon = () => {
    socket.end()
    setTimeout(() => socket.destroy(), LINGER_MS).unref()
  }
}

/**
 * The most members of one object in a request. Claims cannot have more within their bytes, and parsing this many
 * takes a few milliseconds.
 */
const MOST_MEMBERS = 16_384

/** Every media type that is JSON (RFC 6838 section 4.2.8). */
export const JSON_TYPE = /^application\/([a-z0-9.+-]+\+)?json\s*(;|$)/i

/** @throws StrictJsonError */
export const readRequestJson = (body: string | Uint8Array): JsonValue =>
  readStrictJson(body, { maxMembers: MOST_MEMBERS })

/** @throws invalid_json with the strict reader's reason */
export function readJson(body: string | Uint8Array): JsonValue {
  try {
    return readRequestJson(body)
  } catch (error) {
    throw error instanceof StrictJsonError ? invalidJson(error) : error
  }
}

export const invalidJson = ({ reason, offset }: StrictJsonError): Refusal =>
  refuse('invalid_json', {
    detail: `${REASONS[reason]} at offset ${offset}`,
    meta: { reason, ...(reason === 'too_many_members' ? { maximum: MOST_MEMBERS } : {}) },
  })

const REASONS: Readonly<Record<StrictJsonError['reason'], string>> = {
  syntax: 'not well-formed JSON',
  duplicate_member: 'a member name is there twice',
  unpaired_surrogate: 'an unpaired surrogate',
  invalid_utf8: 'not UTF-8',
  too_deep: 'nested too deeply',
  too_many_members: `an object of more than ${MOST_MEMBERS} members`,
  number_out_of_range: 'a number out of range',
}
