// The bytes whose SHA-256 is the hash of a block. An entry of the public log begins with them.
import { concatBytes, lengthPrefixed, u8, utf8 } from '../proof/bytes.ts'
import type { BlockParts } from '../proof/composites.ts'
import { DOMAIN_BYTES } from '../proof/domain_hash.ts'
import { isUuid7 } from '../proof/uuid7.ts'
import { ByteReader } from './byte_reader.ts'

/** A byte of the domain, then the parts, each with four bytes of its length. */
export const COMPOSITE_BYTES = 157

/** 157 bytes for an id that is a UUID and parts of the lengths that `BlockParts` says. */
export const blockComposite = (block: BlockParts): Uint8Array =>
  concatBytes(
    u8(DOMAIN_BYTES.block),
    lengthPrefixed(utf8(block.id)),
    lengthPrefixed(block.previousBlockHash),
    lengthPrefixed(block.merkleRoot),
    lengthPrefixed(block.metadataHash),
    lengthPrefixed(block.keyId),
  )

/** @throws RangeError unless the bytes are the composite of a block in its only spelling */
export function readBlockComposite(bytes: Uint8Array): BlockParts {
  const from = new ByteReader(bytes)
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
