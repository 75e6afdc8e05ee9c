// The operations from the digest of a file to the hash of the block that holds the item with that digest.
import type { ReadBlock } from '../bundle/bundle_parts.ts'
import type { ReadSubject } from '../bundle/read_bundle.ts'
import { concatBytes, lengthPrefixed, u8, u32, utf8 } from '../bytes.ts'
import { DOMAIN_BYTES, type Domain } from '../domain_hash.ts'
import { canonicalJson, type JsonObject, memberOf } from '../json_value.ts'
import { decodePath, type PathStep } from '../merkle.ts'
import { hexBytes } from '../verify/carried_values.ts'
import { mapHash } from '../verify/derived_hashes.ts'
import { OTS_HASHES } from './ots_format.ts'
import { NotExpressible, TimestampPath } from './timestamp_path.ts'

/** 32 bytes of sha256, or 20 of sha1. @throws NotExpressible `no_file_digest` or `hash_type` */
export function fileDigest(claims: JsonObject) {
  const hash = memberOf(claims, 'hash')
  const hashType = memberOf(claims, 'hash_type')
  if (typeof hash !== 'string' || typeof hashType !== 'string') throw new NotExpressible('no_file_digest')
  if (hashType !== 'sha256' && hashType !== 'sha1') throw new NotExpressible('hash_type')
  const bytes = hexBytes(hash, OTS_HASHES[hashType].bytes)
  if (bytes === undefined) throw new NotExpressible('no_file_digest')
  return { hashType, bytes } as const
}

/**
 * To the hash of the claims, whose canonical text has the digest in hex.
 * @throws NotExpressible `no_file_digest`, `hash_type` or `too_long`
 */
export function claimsPath(claims: JsonObject): TimestampPath {
  const { bytes } = fileDigest(claims)
  const { before, after } = textAroundHash(claims)
  return new TimestampPath(bytes)
    .hexlify()
    .prepend(concatBytes(u8(DOMAIN_BYTES.items_claims), utf8(before)))
    .append(utf8(after))
    .sha256()
}

/** Members stand in the order of their names. The digest may also occur elsewhere in the text, so nothing is searched. */
function textAroundHash(claims: JsonObject): { readonly before: string; readonly after: string } {
  const names = Object.keys(claims).sort()
  const place = names.indexOf('hash')
  const member = (name: string) => `${canonicalJson(name)}:${canonicalJson(memberOf(claims, name) ?? null)}`
  const inFront = names.slice(0, place).map((name) => `${member(name)},`)
  const behind = names.slice(place + 1).map((name) => `,${member(name)}`)
  return { before: `{${inFront.join('')}"hash":"`, after: `"${behind.join('')}}` }
}

/** From the hash of the claims to the hash of the item. */
export function itemSteps(path: TimestampPath, subject: ReadSubject): TimestampPath {
  const head = lengthPrefixed(utf8(present(subject.id)))
  return compositeSteps(path, 'item', head, tailOf('items_metadata', subject))
}

/** From the Merkle root of a block to its hash. */
export function blockSteps(path: TimestampPath, block: ReadBlock): TimestampPath {
  const previous = lengthPrefixed(bytesOf(block.previousBlockHash, 32))
  const head = concatBytes(lengthPrefixed(utf8(present(block.id))), previous)
  return compositeSteps(path, 'block', head, tailOf('block_metadata', block))
}

/**
 * From a hash to the root of the tree over it.
 * @param path as the bundle carries it
 */
export function merkleSteps(path: TimestampPath, encoded: string): TimestampPath {
  path.prepend(u8(DOMAIN_BYTES.leaf)).sha256()
  for (const step of decodePath(encoded)) nodeSteps(path, step)
  return path
}

function nodeSteps(path: TimestampPath, { side, hash }: PathStep): void {
  const domain = u8(DOMAIN_BYTES.node)
  if (side === 'left') path.prepend(concatBytes(domain, hash)).sha256()
  else path.prepend(domain).append(hash).sha256()
}

/** The present message is the 32-byte hash between `head` and `tail`. */
function compositeSteps(
  path: TimestampPath,
  domain: Domain,
  head: Uint8Array,
  tail: Uint8Array,
): TimestampPath {
  return path
    .prepend(concatBytes(u8(DOMAIN_BYTES[domain]), head, u32(path.message.length)))
    .append(tail)
    .sha256()
}

function tailOf(
  domain: Domain,
  part: Parameters<typeof mapHash>[1] & Pick<ReadBlock, 'signingKeyId'>,
): Uint8Array {
  const metadataHash = mapHash(domain, part)
  if (metadataHash === undefined) throw new RangeError('the metadata has no hash')
  return concatBytes(lengthPrefixed(metadataHash), lengthPrefixed(bytesOf(part.signingKeyId, 4)))
}

function bytesOf(value: ReadBlock['merkleRoot'], size: number): Uint8Array {
  const bytes = hexBytes(value, size)
  if (bytes === undefined) throw new RangeError(`not ${size} bytes in hex`)
  return bytes
}

function present(id: ReadBlock['id']): string {
  if (typeof id !== 'string') throw new RangeError('an id is missing')
  return id
}
