// Chooses the compressed form of an answer (RFC 9110 section 12.5.3) and makes it.
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Context } from 'koa'

/** The best first. */
export const CODINGS = ['br', 'gzip'] as const
export type Coding = (typeof CODINGS)[number]

/** What is smaller fits into one packet as it is. */
export const LEAST_CODED_BYTES = 1_024

/**
 * The best of the codings that the client takes. Undefined: the answer is sent as it is. Either way the answer varies by
 * Accept-Encoding, which the caller says.
 */
export const codingFor = (ctx: Context, available: readonly Coding[] = CODINGS): Coding | undefined =>
  ctx.req.headers['accept-encoding'] === undefined
    ? undefined
    : available.find((coding) => ctx.acceptsEncodings(coding) === coding)

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/** A file is compressed once and sent often, an answer is sent once. */
const QUALITY = { file: 9, answer: 4 } as const

/** Works in the thread pool. */
export const compress = (bytes: Buffer, coding: Coding, what: keyof typeof QUALITY): Promise<Buffer> =>
  coding === 'br'
    ? brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY[what] } })
    : zip(bytes, { level: QUALITY[what] })
