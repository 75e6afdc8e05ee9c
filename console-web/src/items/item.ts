// An item from GET /api/json/items, and whether its hashes agree with its claims.
import type { JsonObject, JsonValue } from '../../../shared/proof/json_value.ts'
import {
  objectOrNull,
  type Resource,
  readDocument,
  readIncluded,
  textOf,
  textOrNull,
  textsOf,
} from '../data/resource.ts'

export type Item = {
  readonly id: string
  /** Null after redaction. */
  readonly claims: JsonObject | null
  readonly claimsHash: string
  readonly metadataHash: string
  readonly itemHash: string
  readonly metadata: JsonObject
  readonly keyId: string
  /** `created`, `committed` or `redacted`. */
  readonly state: string
  readonly visibility: string
  readonly tags: readonly string[]
  readonly name: string | null
  /** The digest that it claims. Null without one, and after redaction. */
  readonly digest: string | null
  readonly teamId: string
  readonly creatorId: string
  readonly blockId: string | null
  /**
   * `committed` when a public chain carries the block. Null when there is no block, or when it was not
   * requested.
   */
  readonly blockState: string | null
  readonly committedAt: string | null
  readonly proofAvailableAt: string | null
  readonly redactedAt: string | null
  readonly expiresAt: string | null
  readonly insertedAt: string
  readonly raw: JsonObject
}

/**
 * Includes the state of the block, because it changes before the item's own `proof_available_at` is written.
 */
export const WITH_BLOCK = 'include=block&fields[block]=state'

export const readItemDocument = (document: JsonValue): Item =>
  readItem(readDocument(document), blockStates(document))

type BlockStates = ReadonlyMap<string, string>

const blockStates = (document: JsonValue): BlockStates =>
  new Map(readIncluded(document, 'block').map((block) => [block.id, textOf(block, 'state')]))

const readItem = (resource: Resource, states: BlockStates): Item => ({
  id: resource.id,
  claims: objectOrNull(resource, 'claims'),
  claimsHash: textOf(resource, 'claims_hash'),
  metadataHash: textOf(resource, 'metadata_hash'),
  itemHash: textOf(resource, 'item_hash'),
  metadata: objectOrNull(resource, 'metadata') ?? {},
  keyId: textOf(resource, 'signing_key_id'),
  state: textOf(resource, 'state'),
  visibility: textOf(resource, 'visibility'),
  tags: textsOf(resource, 'tags'),
  name: textOrNull(resource, 'display_name'),
  digest: textOrNull(resource, 'hash'),
  teamId: textOf(resource, 'team_id'),
  creatorId: textOf(resource, 'creator_id'),
  blockId: textOrNull(resource, 'block_id'),
  blockState: states.get(textOrNull(resource, 'block_id') ?? '') ?? null,
  committedAt: textOrNull(resource, 'committed_at'),
  proofAvailableAt: textOrNull(resource, 'proof_available_at'),
  redactedAt: textOrNull(resource, 'redacted_at'),
  expiresAt: textOrNull(resource, 'expires_at'),
  insertedAt: textOf(resource, 'inserted_at'),
  raw: resource.raw,
})
