// Entries of the public log, alone (leaf hash: RFC 9162 section 2.1.1) and in bundles (C2SP tlog-tiles): everything
// from which a block's hash, links and signature can be checked.
import {
  ByteCursor,
  concatBytes,
  joinBytes,
  lengthPrefixed,
  strictUtf8,
  u8,
  u16,
  utf8,
} from '../proof/bytes.ts'
import { type BlockParts, blockFields } from '../proof/composites.ts'
import { DOMAIN_BYTES } from '../proof/domain_hash.ts'
import { isUuid7 } from '../proof/ids.ts'
import * as merkle from '../proof/merkle.ts'
import { TILE_WIDTH } from './tiles.ts'

/** A read position in an entry or a bundle, whose integers are big-endian. */
class EntryCursor extends ByteCursor {
  u16(): number {
    return this.view.getUint16(this.advance(2))
  }

  u32(): number {
    return this.view.getUint32(this.advance(4))
  }

  end(): void {
    if (!this.atEnd) throw new RangeError(`${this.bytes.length - this.at} bytes are left over`)
  }
}

/** A byte of the domain, then the parts, each with four bytes of its length. */
const COMPOSITE_BYTES = 157

/** 157 bytes for an id that is a UUID and parts of the lengths that `BlockParts` says. */
export const blockComposite = (block: BlockParts): Uint8Array =>
  concatBytes(u8(DOMAIN_BYTES.block), ...blockFields(block))

/** @throws RangeError unless the bytes are the composite of a block in its only spelling */
export function readBlockComposite(bytes: Uint8Array): BlockParts {
  const from = new EntryCursor(bytes)
  if (from.take(1)[0] !== DOMAIN_BYTES.block) throw new RangeError('not the composite of a block')
  const part = (length: number): Uint8Array => {
    if (from.u32() !== length) throw new RangeError(`a part of the composite is not ${length} bytes long`)
    return from.take(length)
  }
  const id = String.fromCharCode(...part(36))
  if (!isUuid7(id)) throw new RangeError('the id in the composite is not a UUIDv7')
  const parts = {
    id,
    previousBlockHash: part(32),
    merkleRoot: part(32),
    metadataHash: part(32),
    keyId: part(4),
  }
  from.end()
  return parts
}

interface LogEntry {
  /** 157 bytes. SHA-256 of them is the block's hash: see `blockComposite`. */
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
const MAX_METADATA_BYTES = MAX_ENTRY_BYTES - COMPOSITE_BYTES - SIGNATURE_BYTES - 3 * LENGTH_BYTES

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
export function readLogEntry(entry: Uint8Array): LogEntry {
  if (entry.length > MAX_ENTRY_BYTES) throw new RangeError(`an entry is at most ${MAX_ENTRY_BYTES} bytes`)
  const from = new EntryCursor(entry)
  if (from.u32() !== COMPOSITE_BYTES) throw new RangeError(`a composite is ${COMPOSITE_BYTES} bytes`)
  const composite = from.take(COMPOSITE_BYTES)
  if (from.u32() !== SIGNATURE_BYTES) throw new RangeError(`a signature is ${SIGNATURE_BYTES} bytes`)
  const signature = from.take(SIGNATURE_BYTES)
  const metadata = strictUtf8(from.take(from.u32()), 'the metadata is not UTF-8')
  from.end()
  return { composite, signature, metadata }
}

/** 32 bytes. */
export const entryLeafHash = (entry: Uint8Array): Uint8Array => merkle.leafHash(entry)

/** @throws RangeError for an entry above 65,535 bytes */
export const entryBundle = (entries: readonly Uint8Array[]): Uint8Array =>
  joinBytes(entries.flatMap((entry) => [u16(entry.length), entry]))

/**
 * The entries, as views of the bundle's memory.
 * @throws RangeError unless the bytes are exactly `width` entries, by default from 1 to 256
 */
export function readEntryBundle(bundle: Uint8Array, width?: number): Uint8Array[] {
  const from = new EntryCursor(bundle)
  const entries: Uint8Array[] = []
  while (!from.atEnd) {
    if (entries.length === (width ?? TILE_WIDTH)) throw new RangeError('the bundle has more entries')
    entries.push(from.take(from.u16()))
  }
  if (entries.length < (width ?? 1)) throw new RangeError(`the bundle has only ${entries.length} entries`)
  return entries
}
