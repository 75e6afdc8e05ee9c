// Lines of a note or a proof: decimal numbers without leading zeros, and hashes in base64, one a line.
import { fromBase64, toBase64 } from '../proof/bytes.ts'

/**
 * At most 2^53 - 1, so that it stays exact.
 * @throws RangeError on any other text
 */
export function readDecimal(text: string): number {
  if (!DECIMAL.test(text) || !Number.isSafeInteger(Number(text)))
    throw new RangeError('not a decimal number without leading zeros below 2^53')
  return Number(text)
}

const DECIMAL = /^(?:0|[1-9]\d{0,15})$/

/** The most hashes of a proof that witnesses take. No tree of 2^53 leaves needs more. */
export const MOST_PROOF_HASHES = 63

/** Each line ends in a newline. Empty text for no hashes. */
export function writeHashLines(hashes: readonly Uint8Array[]): string {
  return hashes.map((hash) => `${toBase64(hash)}\n`).join('')
}

/**
 * Reads lines without their newlines.
 * @throws RangeError when there are too many, or one is not the base64 of 32 bytes
 */
export function readHashLines(lines: readonly string[]): Uint8Array[] {
  if (lines.length > MOST_PROOF_HASHES)
    throw new RangeError(`a proof has at most ${MOST_PROOF_HASHES} hashes`)
  return lines.map(readHash)
}

/** @throws RangeError on any text but the base64 of 32 bytes */
export function readHash(line: string): Uint8Array {
  if (line.length !== HASH_CHARACTERS) throw new RangeError('a line is not a hash in base64')
  const hash = fromBase64(line)
  if (hash.length !== 32) throw new RangeError('a line is not a hash in base64')
  return hash
}

const HASH_CHARACTERS = 44
