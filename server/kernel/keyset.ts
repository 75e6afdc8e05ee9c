// Opaque page cursors: where a page ended, under which sort, authenticated so that nobody can make one up.
import { createHmac, timingSafeEqual } from 'node:crypto'

/** One place in a sorted list: the sort keys' values of a row, the id last. Times are unix milliseconds. */
export type KeysetValue = string | number | boolean | null

export interface CursorCodec {
  readonly encode: (scope: string, values: readonly KeysetValue[]) => string
  /** Undefined when the text is no cursor of ours, or belongs to another scope (resource and sort). */
  readonly decode: (scope: string, text: string) => KeysetValue[] | undefined
}

const TAG_BYTES = 12
const MAX_LENGTH = 4_096

/** `base64url( tag(12) ‖ JSON values )`; the tag is HMAC-SHA-256 over scope and values, so the scope need not travel. */
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
      // Authenticated: these are the very bytes that `encode` wrote.
      return JSON.parse(body.toString('utf8')) as KeysetValue[]
    },
  })
}
