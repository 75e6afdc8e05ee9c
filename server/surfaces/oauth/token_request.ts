// Reads the bodies of the token and the revocation endpoint, and hands them to the library.
import type { IncomingMessage } from 'node:http'
import type Koa from 'koa'
import { plainResource } from './authorization_request.ts'
import { readFields } from './form_guard.ts'

/** The ceilings of one request. */
const FORM = { bytes: 16_384, fields: 30 } as const

/**
 * The library reads bodies without a time limit, and compares resources by their spelling. So the body is read here,
 * written again with the usual spelling, and handed over as if it came from the connection.
 * @throws unsupported_media_type, request_too_large, request_timeout, invalid_body
 */
export async function withPlainBody(
  ctx: Koa.Context,
  base: string,
  work: () => Promise<void>,
): Promise<void> {
  const fields = await readFields(ctx, FORM)
  const plain = new URLSearchParams(
    [...fields].map(([name, value]) => [name, name === 'resource' ? plainResource(value, base) : value]),
  )
  const given = ctx.req
  const handed = asRead(given, Buffer.from(plain.toString()))
  setRequest(ctx, handed)
  try {
    await work()
  } finally {
    setRequest(ctx, given)
  }
}

function setRequest(ctx: Koa.Context, request: IncomingMessage): void {
  ctx.req = request
  ctx.request.req = request
  ctx.response.req = request
}

/** The same request with another body, which is there at once. */
function asRead(request: IncomingMessage, body: Buffer): IncomingMessage {
  const { 'transfer-encoding': _, ...headers } = request.headers
  return Object.create(request, {
    headers: { value: { ...headers, 'content-length': String(body.length) } },
    readable: { value: true },
    readableEncoding: { value: null },
    iterator: {
      value: async function* () {
        yield body
      },
    },
  })
}
