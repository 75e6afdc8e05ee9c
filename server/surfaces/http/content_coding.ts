// Chooses the compressed form of an answer (RFC 9110 section 12.5.3) and makes it.
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Context } from 'koa'

/** The best first. */
export const CODINGS = ['br', 'gzip'] as const
export type Coding = (typeof CODINGS)[number]

/** What is smaller fits into one packet as it is. */
export const LEAST_CODED_BYTES = 1_024

/** The best of the codings that the client takes. Undefined: the answer is sent as it is. */
export function codingFor(ctx: Context, available: readonly Coding[] = CODINGS): Coding | undefined {
  ctx.vary('Accept-Encoding')
  return available.find((coding) => ctx.acceptsEncodings(coding) === coding)
}

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/** For files that are compressed once and sent often. Works in the thread pool. */
const FILE_QUALITY = 9

export const compressFile = (bytes: Buffer, coding: Coding): Promise<Buffer> =>
  coding === 'br'
    ? brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: FILE_QUALITY } })
    : zip(bytes, { level: FILE_QUALITY })
