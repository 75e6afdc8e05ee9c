// Opaque page cursors: the last place of a page and its sort. Cursors are authenticated, so clients cannot make their
// own.
import { createHmac, timingSafeEqual } from 'node:crypto'

/** One place in a sorted list: the values of the row's sort keys, with the id last. Times are unix milliseconds. */
export type KeysetValue = string | number | boolean | null

export interface CursorCodec {
  readonly encode: (scope: string, values: readonly KeysetValue[]) => string
  /** Returns undefined when the text is no valid cursor, or belongs to another scope (resource and sort). */
  readonly decode: (scope: string, text: string) => KeysetValue[] | undefined
}

const TAG_BYTES = 12
const MAX_LENGTH = 4_096

/**
 * `base64url( tag(12) ‖ JSON values )`. The tag is HMAC-SHA-256 over scope and values, so the text need not contain
 * the scope.
 */
export function cursorCodec(key: Uint8Array): CursorCodec {
  const tagOf = (scope: string, body: Uint8Array): Buffer =>
    createHmac('sha256', key).update(`${scope.length}:${scope}`).update(body).digest().subarray(0, TAG_BYTES)
  return Object.freeze({
    encode: (scope: string, values: readonly KeysetValue[]) => {
      const body = Buffer.from(JSON.stringify(values))
      return Buffer.concat([tagOf(scope, body), body]).toString('base64url')
    },
    decode: (scope: string, text: string) => {
      if (text.length > MAX_LENGTH || !/^[A-Za-z0-9_-]+$/.test(text)) return undefined
      const bytes = Buffer.from(text, 'base64url')
      const body = bytes.subarray(TAG_BYTES)
      if (body.length === 0 || bytes.toString('base64url') !== text) return undefined
      if (!timingSafeEqual(bytes.subarray(0, TAG_BYTES), tagOf(scope, body))) return undefined
      // The tag is valid, so these bytes were written by `encode`.
      return JSON.parse(body.toString('utf8')) as KeysetValue[]
    },
  })
}
