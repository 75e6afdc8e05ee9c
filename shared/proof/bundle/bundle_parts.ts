// The parts of a bundle as they were carried, under their names, and the error for one that is refused before it is
// verified. No member is checked here; each check examines the members it uses.
import { isJsonObject, type JsonObject, type JsonValue, memberAt, memberOf } from '../json_value.ts'
import { isChainName } from '../public_chains.ts'

/** Undefined when the member is absent. Null counts as absent, so the value is never null. */
export type Carried = Exclude<JsonValue, null> | undefined

export type Layout = 'published' | 'compact'

export type ReadBlock = Readonly<ReturnType<typeof readBlock>>

export type ReadEntry = Readonly<NonNullable<ReturnType<typeof readEntry>>>

/** The value of an own member, when the value is an object that has it. Undefined when it is absent or null. */
export function carried(value: JsonValue | undefined, name: string): Carried {
  return memberAt(value, name) ?? undefined
}

export function readBlock(map: JsonObject, layout: Layout = 'published') {
  return {
    id: carried(map, 'id'),
    previousBlockHash: carried(map, 'previous_block_hash'),
    merkleRoot: carried(map, 'merkle_root'),
    ...readMetadata(map, layout),
    signingKeyId: carried(map, 'signing_key_id'),
  }
}

/** The compact layout has the hash in place of the metadata. */
export const readMetadata = (map: JsonObject, layout: Layout) => ({
  metadata: layout === 'published' ? carried(map, 'metadata') : undefined,
  metadataHash: layout === 'published' ? undefined : carried(map, 'metadata_hash'),
})

/**
 * Undefined when the entry lacks a required member: a known chain, a path as text, and an epoch root of any
 * form.
 */
export function readEntry(value: JsonValue | undefined) {
  if (!isJsonObject(value)) return undefined
  const chain = carried(value, 'chain')
  const epochProof = carried(value, 'epoch_proof')
  const epochMerkleRoot = carried(value, 'epoch_merkle_root')
  if (!isChainName(chain) || typeof epochProof !== 'string') return undefined
  if (epochMerkleRoot === undefined) return undefined
  return {
    chain,
    epochMerkleRoot,
    epochProof,
    transactionHash: carried(value, 'transaction_hash'),
    network: carried(value, 'network'),
    timestamp: carried(value, 'timestamp'),
    ledger: carried(value, 'ledger'),
    blockHeight: carried(value, 'block_height'),
    rawTransaction: carried(value, 'raw_transaction'),
    txoutproof: carried(value, 'txoutproof'),
    blockMerkleRoot: carried(value, 'block_merkle_root'),
  }
}

/** In the order in which they are checked. The first that applies is the answer. */
const REJECTION_REASONS = [
  'not_a_json_object',
  'invalid_subject_data',
  'unsupported_layout',
  'invalid_subject_type',
  'missing_block',
  'unexpected_subject_fields_for_block_like',
  'missing_subject',
  'missing_inclusion_proof',
  'missing_metadata',
  'no_external_commitments',
  'invalid_commitment_entry',
] as const

export type RejectionReason = (typeof REJECTION_REASONS)[number]

export class BundleRejected extends Error {
  override readonly name = 'BundleRejected'
  readonly reason: RejectionReason

  constructor(reason: RejectionReason) {
    super(`not a proof bundle: ${reason}`)
    this.reason = reason
  }
}

type Map<Name extends string> = { readonly [name in Name]?: JsonValue | undefined }

/**
 * The listed members that are present. Null counts as absent, as in every reader. Members that are not listed
 * are left out.
 */
export function presentMembers<Name extends string>(map: Map<Name>, names: readonly Name[]): JsonObject {
  return Object.fromEntries(
    names.flatMap((name): [string, JsonValue][] => {
      const value = map[name]
      return value === undefined || value === null ? [] : [[name, value]]
    }),
  )
}

/** As `presentMembers`, with new names: each entry of the table gives the old and the new name. */
export function renamedMembers(
  map: JsonObject,
  names: Iterable<readonly [from: string, to: string]>,
): JsonObject {
  const renamed: JsonObject = {}
  for (const [from, to] of names) {
    const value = memberOf(map, from)
    if (value !== undefined && value !== null) renamed[to] = value
  }
  return renamed
}

/** False also for null, which parsed JSON may have in place of an absent part. */
export function isPresent<T>(value: T | null | undefined): value is T {
  return value !== undefined && value !== null
}
