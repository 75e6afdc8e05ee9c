// Verifier keys of notes (C2SP signed-note): `name+id+base64(type, public key)`.
import { concatBytes, fromBase64, toBase64, toHex, utf8 } from '../proof/bytes.ts'
import { sha256 } from '../proof/domain_hash.ts'

/** The types that this reader knows: the log's own signature, and the two kinds of cosignatures. */
export const SIGNATURE_TYPES = {
  /** Ed25519 over the text of the note. */
  ed25519: 0x01,
  /** Ed25519 over a time and the text of a checkpoint. */
  ed25519Cosignature: 0x04,
  /** ML-DSA-44 over the name, a time and what the checkpoint says. */
  mlDsa44Cosignature: 0x06,
} as const

type SignatureType = (typeof SIGNATURE_TYPES)[keyof typeof SIGNATURE_TYPES]

export interface VerifierKey {
  readonly name: string
  /** The first four bytes of the hash over name, type and public key, as an unsigned integer. */
  readonly id: number
  readonly type: SignatureType
  readonly publicKey: Uint8Array
}

export type NamedKey = Pick<VerifierKey, 'name' | 'id'>

/** Bytes of UTF-8. A cosigner's name has its length in one byte. */
export const MOST_NAME_BYTES = 255

/**
 * A key with its id.
 * @throws RangeError when the name is not a key name, or the public key has the wrong length for its type
 */
export function verifierKey(name: string, type: SignatureType, publicKey: Uint8Array): VerifierKey {
  if (!isKeyName(name)) throw new RangeError('not a key name')
  if (publicKey.length !== PUBLIC_KEY_BYTES[type])
    throw new RangeError(`a public key of type ${hexByte(type)} has ${PUBLIC_KEY_BYTES[type]} bytes`)
  const hash = sha256(concatBytes(utf8(name), NEWLINE, Uint8Array.of(type), publicKey))
  return { name, id: new DataView(hash.buffer, hash.byteOffset).getUint32(0), type, publicKey }
}

/** @throws RangeError on any other text, on another id than the key's own, and on types that are not known here */
export function readVerifierKey(text: string): VerifierKey {
  if (text.length > MOST_KEY_CHARACTERS) throw new RangeError('a verifier key is too long')
  const match = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/.exec(text)
  if (match === null) throw new RangeError('not a verifier key: name+id+key')
  const [, name = '', id = '', encoded = ''] = match
  const [type, ...publicKey] = fromBase64(encoded)
  const known = Object.values(SIGNATURE_TYPES).find((one) => one === type)
  if (known === undefined) throw new RangeError(`keys of type ${hexByte(type ?? 0)} are not supported`)
  const key = verifierKey(name, known, Uint8Array.from(publicKey))
  if (keyLabel(key) !== `${name}+${id}`)
    throw new RangeError('the id of a verifier key is not that of its name and key')
  return key
}

export function writeVerifierKey(key: VerifierKey): string {
  return `${keyLabel(key)}+${toBase64(concatBytes(Uint8Array.of(key.type), key.publicKey))}`
}

/** `witness.example/w1+c249f154`: a key without its public key. Name and id together stand for one key. */
export function keyLabel(key: NamedKey): string {
  return `${key.name}+${key.id.toString(16).padStart(8, '0')}`
}

export function isSameKey(a: NamedKey, b: NamedKey): boolean {
  return a.name === b.name && a.id === b.id
}

/** Not empty, no spaces, no plus sign, no control characters. */
export function isKeyName(text: string): boolean {
  if (text === '' || !text.isWellFormed() || /[\p{White_Space}+]/u.test(text)) return false
  const bytes = utf8(text)
  return bytes.length <= MOST_NAME_BYTES && bytes.every((byte) => byte >= 0x20)
}

const NEWLINE = Uint8Array.of(0x0a)

const PUBLIC_KEY_BYTES = { 1: 32, 4: 32, 6: 1_312 } as const

/** A name, an id, and 1,313 bytes in base64, with the plus signs between them. */
const MOST_KEY_CHARACTERS = MOST_NAME_BYTES + 8 + 1_752 + 2

const hexByte = (byte: number): string => `0x${toHex(Uint8Array.of(byte))}`
