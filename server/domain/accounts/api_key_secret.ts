// The text of an API key: `phk_`, 43 base62 characters of randomness, 6 of checksum. Only its SHA-256 is stored.
import { createHash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const PREFIX = 'phk_'
const RANDOM_LENGTH = 43
const CHECKSUM_LENGTH = 6
const SHAPE = /^phk_[0-9A-Za-z]{49}$/

/** The beginning of the key, to recognise it in a list. Too short to guess the rest: `phk_4fQ9mZ2x`. */
const SHOWN_LENGTH = 12

/** Lengths of the shown texts: the key itself, shown once, and its beginning. */
export const SECRET_LENGTHS = {
  whole: PREFIX.length + RANDOM_LENGTH + CHECKSUM_LENGTH,
  shown: SHOWN_LENGTH,
} as const

export interface ApiKeySecret {
  readonly secret: string
  readonly prefix: string
  readonly hash: Buffer
}

/** A new key with 256 bits of randomness, e.g. `phk_0Zq…`. */
export function makeApiKeySecret(): ApiKeySecret {
  let random = ''
  for (let i = 0; i < RANDOM_LENGTH; i += 1) random += ALPHABET.charAt(randomInt(ALPHABET.length))
  const secret = `${PREFIX}${random}${checksumOf(random)}`
  return { secret, prefix: secret.slice(0, SHOWN_LENGTH), hash: hashApiKeySecret(secret) }
}

/** True for text with the form and checksum of our keys. Detects typing mistakes without a query. */
export function looksLikeApiKey(text: string): boolean {
  if (!SHAPE.test(text)) return false
  const random = text.slice(PREFIX.length, PREFIX.length + RANDOM_LENGTH)
  return text.slice(PREFIX.length + RANDOM_LENGTH) === checksumOf(random)
}

export const hashApiKeySecret = (secret: string): Buffer => createHash('sha256').update(secret).digest()

function checksumOf(random: string): string {
  let rest = crc32(random)
  let text = ''
  for (let i = 0; i < CHECKSUM_LENGTH; i += 1) {
    text = ALPHABET.charAt(rest % ALPHABET.length) + text
    rest = Math.floor(rest / ALPHABET.length)
  }
  return text
}
