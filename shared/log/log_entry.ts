// An entry of the public log: everything from which a block's hash, links and signature can be checked. RFC 9162
// section 2.1.1 for its leaf hash.
import { concatBytes, lengthPrefixed, utf8 } from '../proof/bytes.ts'
import * as merkle from '../proof/merkle.ts'
import { COMPOSITE_BYTES } from './block_composite.ts'
import { ByteReader } from './byte_reader.ts'

export interface LogEntry {
  /** 157 bytes. SHA-256 of them is the block's hash: see `block_composite.ts`. */
  readonly composite: Uint8Array
  /** 64 bytes: the block's standing Ed25519 signature. */
  readonly signature: Uint8Array
  /** The block's metadata as canonical JSON text. */
  readonly metadata: string
}

/** The length of an entry is two bytes in an entry bundle. */
export const MAX_ENTRY_BYTES = 65_535

const SIGNATURE_BYTES = 64
const LENGTH_BYTES = 4

/** UTF-8 bytes that the metadata of a block may have, so that its entry fits. */
export const MAX_METADATA_BYTES = MAX_ENTRY_BYTES - COMPOSITE_BYTES - SIGNATURE_BYTES - 3 * LENGTH_BYTES

/** @throws RangeError for parts of other lengths, or metadata above `MAX_METADATA_BYTES` */
export function entryBytes({ composite, signature, metadata }: LogEntry): Uint8Array {
  if (composite.length !== COMPOSITE_BYTES) throw new RangeError(`a composite is ${COMPOSITE_BYTES} bytes`)
  if (signature.length !== SIGNATURE_BYTES) throw new RangeError(`a signature is ${SIGNATURE_BYTES} bytes`)
  const text = utf8(metadata)
  if (text.length > MAX_METADATA_BYTES)
    throw new RangeError(`metadata of a block is at most ${MAX_METADATA_BYTES} bytes, not ${text.length}`)
  return concatBytes(lengthPrefixed(composite), lengthPrefixed(signature), lengthPrefixed(text))
}

/** @throws RangeError unless the bytes are one entry. Whether its parts agree is not checked. */
export function readEntry(entry: Uint8Array): LogEntry {
  if (entry.length > MAX_ENTRY_BYTES) throw new RangeError(`an entry is at most ${MAX_ENTRY_BYTES} bytes`)
  const from = new ByteReader(entry)
  if (from.u32() !== COMPOSITE_BYTES) throw new RangeError(`a composite is ${COMPOSITE_BYTES} bytes`)
  const composite = from.take(COMPOSITE_BYTES)
  if (from.u32() !== SIGNATURE_BYTES) throw new RangeError(`a signature is ${SIGNATURE_BYTES} bytes`)
  const signature = from.take(SIGNATURE_BYTES)
  const metadata = textOf(from.take(from.u32()))
  from.end()
  return { composite, signature, metadata }
}

/** 32 bytes. */
export const leafHash = (entry: Uint8Array): Uint8Array => merkle.leafHash(entry)

/** A byte order mark stays, because an entry must have one reading. */
const utf8Decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function textOf(bytes: Uint8Array): string {
  try {
    return utf8Decoder.decode(bytes)
  } catch {
    throw new RangeError('the metadata is not UTF-8')
  }
}
