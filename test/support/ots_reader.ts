// A reader of .ots files that is independent of the code under test: it walks every operation as the OpenTimestamps
// Python library does, within the same limits.
import { createHash } from 'node:crypto'

interface Followed {
  operations: number
  /** By Bitcoin. */
  readonly attestations: { readonly height: number; readonly message: Buffer }[]
  /** By calendars. */
  readonly pending: { readonly address: string; readonly message: Buffer }[]
}

export interface OtsRead extends Readonly<Followed> {
  readonly hashType: 'sha256' | 'sha1'
  readonly digest: Buffer
}

const MAGIC = Buffer.from('004f70656e54696d657374616d7073000050726f6f6600bf89e2e884e89294', 'hex')
const BITCOIN_HEADER = '0588960d73d71901'
const NESTED = 256
const LONGEST = 4_096
const LONGEST_ATTESTATION = 8_192
const PENDING_HEADER = '83dfe30d2ef90c8e'
const LONGEST_ADDRESS = 1_000

/** Throws for everything that the library would not read. */
export function readOts(bytes: Uint8Array): OtsRead {
  const cursor = cursorOver(Buffer.from(bytes))
  if (!cursor.take(MAGIC.length).equals(MAGIC)) throw new Error('This does not begin as an .ots file does.')
  if (cursor.byte() !== 1) throw new Error('This is of another version.')
  const hashType = hashTypes.get(cursor.byte())
  if (hashType === undefined) throw new Error('The digest is of an unknown kind.')
  const digest = cursor.take(hashType === 'sha1' ? 20 : 32)
  return { hashType, digest, ...follow(cursor, digest) }
}

/** Of an answer of a calendar, which is about the message that it was asked for. Throws as `readOts` does. */
export const readTimestamp = (bytes: Uint8Array, message: Uint8Array): Followed =>
  follow(cursorOver(Buffer.from(bytes)), Buffer.from(message))

function follow(cursor: Cursor, message: Buffer): Followed {
  const found: Followed = { operations: 0, attestations: [], pending: [] }
  walk(cursor, message, NESTED, found)
  if (!cursor.isAtEnd()) throw new Error('More bytes follow.')
  return found
}

const hashTypes = new Map<number, 'sha256' | 'sha1'>([
  [0x08, 'sha256'],
  [0x02, 'sha1'],
])

type Cursor = ReturnType<typeof cursorOver>

function walk(cursor: Cursor, message: Buffer, depth: number, found: Followed): void {
  if (depth === 0) throw new Error('The operations are nested too deeply.')
  if (message.length > LONGEST) throw new Error('A message is too long.')
  for (let isLast = false; !isLast; ) {
    const first = cursor.byte()
    isLast = first !== 0xff
    const tag = isLast ? first : cursor.byte()
    if (tag === 0x00) attestation(cursor, message, found)
    else {
      found.operations += 1
      walk(cursor, applied(cursor, tag, message), depth - 1, found)
    }
  }
}

function attestation(cursor: Cursor, message: Buffer, found: Followed): void {
  const header = cursor.take(8).toString('hex')
  const payload = cursorOver(cursor.sized(0, LONGEST_ATTESTATION))
  if (header === BITCOIN_HEADER) found.attestations.push({ height: payload.integer(), message })
  else if (header === PENDING_HEADER) {
    const address = payload.sized(0, LONGEST_ADDRESS).toString('latin1')
    if (!/^[A-Za-z0-9._/:-]*$/.test(address)) throw new Error('No address of a calendar.')
    found.pending.push({ address, message })
  } else throw new Error('An unknown attestation.')
  if (!payload.isAtEnd()) throw new Error('More bytes follow the attestation.')
}

function applied(cursor: Cursor, tag: number, message: Buffer): Buffer {
  switch (tag) {
    case 0x02:
      return createHash('sha1').update(message).digest()
    case 0x08:
      return createHash('sha256').update(message).digest()
    case 0xf0:
      return Buffer.concat([message, cursor.sized(1, LONGEST)])
    case 0xf1:
      return Buffer.concat([cursor.sized(1, LONGEST), message])
    case 0xf3:
      if (message.length === 0 || message.length > LONGEST / 2) throw new Error('No message for hexlify.')
      return Buffer.from(message.toString('hex'))
    default:
      throw new Error(`There is no operation ${tag}.`)
  }
}

function cursorOver(bytes: Buffer) {
  let at = 0
  const take = (length: number): Buffer => {
    if (at + length > bytes.length) throw new Error('The bytes end too early.')
    at += length
    return bytes.subarray(at - length, at)
  }
  const byte = (): number => take(1).readUInt8()
  const integer = (): number => {
    let value = 0
    for (let shift = 0, more = true; more; shift += 7) {
      const next = byte()
      value += (next & 0x7f) * 2 ** shift
      more = next >= 0x80
    }
    return value
  }
  return {
    take,
    byte,
    integer,
    sized: (least: number, most: number): Buffer => {
      const length = integer()
      if (length < least || length > most) throw new Error(`${length} bytes are none here.`)
      return take(length)
    },
    isAtEnd: () => at === bytes.length,
  }
}
