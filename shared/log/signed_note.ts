// Signed notes (C2SP signed-note): a text, an empty line, and lines with signatures; and what other lines of notes and
// proofs are made of: decimal numbers without leading zeros, and hashes in base64, one a line.
import { concatBytes, fromBase64, strictUtf8, toBase64, u32, utf8 } from '../proof/bytes.ts'
import { verifySignature } from '../proof/ed25519.ts'
import { isKeyName, isSameKey, type NamedKey, SIGNATURE_TYPES, type VerifierKey } from './verifier_key.ts'

export type SignedNote = Readonly<ReturnType<typeof readNote>>

export type NoteSignature = Readonly<ReturnType<typeof readSignatureLine>>

/** The largest note that is read. A witness's signature by ML-DSA-44 has 3.3 KB, and a policy 64 witnesses. */
export const NOTE_CEILINGS = { bytes: 262_144, signatures: 128, signatureBytes: 8_192 } as const

/**
 * The parts of a note. Its text ends in a newline. Nothing is verified.
 * @throws RangeError on any other bytes, and above the ceilings
 */
export function readNote(bytes: Uint8Array) {
  if (bytes.length > NOTE_CEILINGS.bytes) throw new RangeError('a note is too long')
  if (bytes.some((byte) => byte < 0x20 && byte !== 0x0a))
    throw new RangeError('a note has control characters')
  const whole = strictUtf8(bytes, 'a note is not UTF-8')
  const split = whole.lastIndexOf('\n\n')
  if (split < 0) throw new RangeError('a note has no empty line before its signatures')
  return { text: whole.slice(0, split + 1), signatures: readSignatureLines(whole.slice(split + 2)) }
}

/**
 * One or more signature lines, each with its newline.
 * @throws RangeError on any other text, and above the ceilings
 */
export function readSignatureLines(text: string): readonly NoteSignature[] {
  if (!text.endsWith('\n')) throw new RangeError('the last line of a note has no newline')
  const lines = text.slice(0, -1).split('\n', NOTE_CEILINGS.signatures + 1)
  if (lines.length > NOTE_CEILINGS.signatures) throw new RangeError('a note has too many signatures')
  return lines.map(readSignatureLine)
}

/** The text of a note with its signatures, in their order. */
export function writeNote({ text, signatures }: SignedNote): string {
  return `${text}\n${writeSignatureLines(signatures)}`
}

export function writeSignatureLines(signatures: readonly NoteSignature[]): string {
  return signatures
    .map(({ name, id, signature }) => `— ${name} ${toBase64(concatBytes(u32(id), signature))}\n`)
    .join('')
}

/** The first signature with the key's name and id. Undefined when the key has not signed. */
export function signatureBy(signatures: readonly NoteSignature[], key: NamedKey): Uint8Array | undefined {
  return signatures.find((one) => isSameKey(one, key))?.signature
}

/** Whether the first signature with the name and id of this Ed25519 key is a valid one over the text. */
export function isSignedBy(note: SignedNote, key: VerifierKey): boolean {
  if (key.type !== SIGNATURE_TYPES.ed25519) return false
  const signature = signatureBy(note.signatures, key)
  return signature !== undefined && verifySignature(key.publicKey, utf8(note.text), signature)
}

function readSignatureLine(line: string) {
  const [dash, name, encoded, ...more] = line.split(' ', 4)
  if (dash !== '—' || name === undefined || encoded === undefined || more.length > 0 || !isKeyName(name))
    throw new RangeError('a signature line of a note is malformed')
  if (encoded.length > MOST_ENCODED) throw new RangeError('a signature of a note is too long')
  const bytes = fromBase64(encoded)
  if (bytes.length < 5) throw new RangeError('a signature of a note is too short')
  return {
    name,
    /** The id of the key, an unsigned integer of four bytes. */
    id: new DataView(bytes.buffer, bytes.byteOffset).getUint32(0),
    /** What stands behind the id, in the form of the key's type. */
    signature: bytes.subarray(4),
  }
}

const MOST_ENCODED = Math.ceil((NOTE_CEILINGS.signatureBytes + 4) / 3) * 4

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
