// Hashes that a bundle does not carry, derived from its parts. Undefined when a part is missing or malformed.
import type { Carried, ReadBlock, ReadEntry } from '../bundle/bundle_parts.ts'
import type { ReadSubject } from '../bundle/read_bundle.ts'
import { readOrUndefined } from '../bytes.ts'
import { type BlockParts, blockHash, itemHash, jsonHash, observationHash } from '../composites.ts'
import type { Domain } from '../domain_hash.ts'
import { isJsonObject, type JsonObject } from '../json_value.ts'
import { decodePath, walkPath } from '../merkle.ts'
import type { ProofType } from '../signed_payload.ts'
import { hexBytes, sameBytes } from './carried_values.ts'
import { type Finding, fail, pass } from './report.ts'

export function derivedBlockHash(block: ReadBlock): Uint8Array | undefined {
  const parts = blockParts(block)
  return parts && blockHash(parts)
}

export function blockParts(block: ReadBlock): BlockParts | undefined {
  const { id } = block
  const previousBlockHash = hexBytes(block.previousBlockHash, 32)
  const merkleRoot = hexBytes(block.merkleRoot, 32)
  const metadataHash = mapHash('block_metadata', block)
  const keyId = hexBytes(block.signingKeyId, 4)
  if (typeof id !== 'string' || previousBlockHash === undefined || merkleRoot === undefined) return undefined
  if (metadataHash === undefined || keyId === undefined) return undefined
  return { id, previousBlockHash, merkleRoot, metadataHash, keyId }
}

/** `flaw` names the part that prevents the derivation. */
export type DerivedSubject =
  | { readonly hash: Uint8Array; readonly data: JsonObject }
  | { readonly hash?: undefined; readonly flaw: 'data' | 'metadata' | 'identity' }

export function derivedSubject(type: ProofType, subject: ReadSubject): DerivedSubject {
  const { id, data } = subject
  const isItem = type === 'item'
  if (!isJsonObject(data)) return { flaw: 'data' }
  const metadataHash = mapHash(isItem ? 'items_metadata' : 'entropy_metadata', subject)
  if (metadataHash === undefined) return { flaw: 'metadata' }
  const keyId = hexBytes(subject.signingKeyId, 4)
  if (typeof id !== 'string' || keyId === undefined) return { flaw: 'identity' }
  const hash = isItem
    ? itemHash({ id, claimsHash: jsonHash('items_claims', data), metadataHash, keyId })
    : observationHash({ id, entropyHash: jsonHash('entropy', data), metadataHash, keyId })
  return { hash, data }
}

/** The root computed from `value` and a carried path. Undefined when the path is malformed. */
export const walked = (value: Uint8Array, path: string): Uint8Array | undefined =>
  readOrUndefined(() => walkPath(value, decodePath(path)))

/** The hash of the metadata, or the hash that the compact layout carries in its place. */
export function mapHash(
  domain: Domain,
  part: { readonly metadata: Carried; readonly metadataHash: Carried },
): Uint8Array | undefined {
  if (part.metadataHash !== undefined) return hexBytes(part.metadataHash, 32)
  return isJsonObject(part.metadata) ? jsonHash(domain, part.metadata) : undefined
}

export function epochFinding(blockHash: Uint8Array | undefined, entry: ReadEntry): Finding {
  const { chain } = entry
  if (blockHash === undefined) return fail(`Without a block hash nothing leads to the ${chain} epoch root.`)
  const reached = walked(blockHash, entry.epochProof)
  if (reached === undefined) return fail(`The path to the ${chain} epoch root is malformed.`)
  return sameBytes(reached, hexBytes(entry.epochMerkleRoot, 32))
    ? pass(`The path leads from the block hash to the ${chain} epoch root.`)
    : fail(`The path does not lead from the block hash to the ${chain} epoch root.`)
}
