// Checks one item: its claims, its hashes, its signature, its witnesses, and the columns that are derived from them.

import { readCanonical } from '../../../../shared/audit/canonical_text.ts'
import { agree, type Disagreements, holds, type Place } from '../../../../shared/audit/disagreement.ts'
import type { KeyChain } from '../../../../shared/audit/key_chain.ts'
import { canonicalTextHash, itemHash } from '../../../../shared/proof/composites.ts'
import { isJsonObject, memberOf } from '../../../../shared/proof/json_value.ts'
import { isUlid, ulidTime } from '../../../../shared/proof/ulid.ts'
import { textOrNull } from '../item_draft.ts'
import type { BlockRow } from './block_rows.ts'
import type { ItemRow } from './subject_rows.ts'
import type { Witnesses } from './witnesses.ts'

/** `block` is undefined while the item waits for a block. */
export interface SubjectContext {
  readonly block: BlockRow | undefined
  readonly keys: KeyChain
  readonly witnesses: Witnesses
}

export function* auditItem(item: ItemRow, context: SubjectContext): Disagreements {
  const place: Place = { height: context.block?.height ?? null, subject: item.id }
  if (!isUlid(item.id)) {
    yield { ...place, field: 'id', expected: 'a ULID' }
    return
  }
  yield* hashes(place, item)
  yield* origin(place, item, context)
  yield* claims(place, item)
  yield* standing(place, item, context.block)
}

function* hashes(place: Place, item: ItemRow): Disagreements {
  const { id, content_hash, metadata, metadata_hash, signing_key_id } = item
  const hash = itemHash({ id, claimsHash: content_hash, metadataHash: metadata_hash, keyId: signing_key_id })
  yield* agree(place, 'item_hash', hash, item.subject_hash)
  yield* agree(place, 'metadata_hash', canonicalTextHash('items_metadata', metadata), metadata_hash)
}

/**
 * The witness block must be older than the item, must come before the item's block, and determines which key signed
 * the item.
 */
function* origin(place: Place, item: ItemRow, { block, keys, witnesses }: SubjectContext): Disagreements {
  const named = witnesses.of(item.metadata)
  if (named === undefined) {
    yield { ...place, field: 'metadata', expected: 'a canonical witness map' }
    return
  }
  for (const [source, hash] of named)
    if (source !== 'block')
      yield* holds(
        place,
        `metadata.witnesses.${source}`,
        witnesses.observed(source, hash),
        'an observation on record',
      )
  const head = witnesses.block(named.get('block') ?? '')
  yield* holds(place, 'metadata.witnesses.block', head !== undefined, 'the hash of a block')
  if (head === undefined) return
  yield* holds(
    place,
    'id',
    ulidTime(item.id) >= head.finalizedMs,
    'a time not before that of its witness block',
  )
  if (block !== undefined)
    yield* holds(place, 'block_id', block.height > head.height, 'a block after its witness block')
  const key = keys.currentAt(head.height)
  yield* agree(place, 'signing_key_id', key?.keyId, item.signing_key_id)
  if (key !== undefined) {
    const signed = key.signed(item.subject_hash, item.signature)
    yield* holds(place, 'signature', signed, `that of key ${key.keyId} over the item hash`)
  }
}

function* claims(place: Place, item: ItemRow): Disagreements {
  if (item.content === null) {
    yield* holds(place, 'hash', item.hash === null, 'nothing once redacted')
    yield* holds(place, 'display_name', item.display_name === null, 'nothing once redacted')
    yield* holds(place, 'display_description', item.display_description === null, 'nothing once redacted')
    return
  }
  const value = readCanonical(item.content)
  yield* holds(place, 'claims', isJsonObject(value), 'a canonical JSON object')
  const hashed = Buffer.from(canonicalTextHash('items_claims', item.content))
  yield* holds(place, 'claims', hashed.equals(item.content_hash), 'what hashes to claims_hash')
  if (!isJsonObject(value)) return
  const claimed = (member: string): string | null => textOrNull(memberOf(value, member))
  yield* holds(place, 'hash', item.hash === claimed('hash'), 'claims.hash')
  yield* holds(place, 'display_name', item.display_name === claimed('name'), 'claims.name')
  yield* holds(
    place,
    'display_description',
    item.display_description === claimed('description'),
    'claims.description',
  )
}

function* standing(place: Place, item: ItemRow, block: BlockRow | undefined): Disagreements {
  yield* holds(
    place,
    'redacted_at',
    item.redacted === (item.content === null),
    'a time when redacted, nothing otherwise',
  )
  yield* agree(place, 'inserted_at', ulidTime(item.id), item.inserted_ms)
  if (block !== undefined)
    yield* holds(place, 'id', ulidTime(item.id) <= block.finalized_ms, 'a time not after that of its block')
}
