// What a bundle is made from: the subject, if the caller may read it, with its contents and its hash; and the blocks: the
// subject's, the one that introduced the signing key, and those from the witness block on.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import type { BlockMap, Subject } from '../../../shared/proof/bundle/bundle.ts'
import { toHex } from '../../../shared/proof/bytes.ts'
import { blockHash, canonicalTextHash, itemHash, observationHash } from '../../../shared/proof/composites.ts'
import { type EntropyName, isEntropyName } from '../../../shared/proof/entropy_names.ts'
import { isJsonObject, type JsonObject } from '../../../shared/proof/json_value.ts'
import type { ProofType } from '../../../shared/proof/signed_payload.ts'
import { readStrictJson } from '../../../shared/proof/strict_json.ts'
import { refuse } from '../../kernel/refusal.ts'
import { bytes, float8, int4, nullable, text } from '../../store/columns.ts'
import { db, type RowFrom, rows, statement } from '../../store/statement.ts'
import { readableItem } from '../ledger/item.ts'
import { type ProofSlots, proofWait, refuseProof } from './proof_request.ts'

/** A block is its own subject. Every other subject is a leaf of a block. */
export type FoundSubject =
  | { readonly kind: 'block'; readonly blockId: string }
  | {
      readonly kind: 'leaf'
      readonly blockId: string
      readonly leafIndex: number
      /** 32 bytes, recomputed from `carried`. */
      readonly hash: Uint8Array
      /** Without witnesses. */
      readonly carried: Subject
    }

/**
 * A subject that the caller may not read gets the same error as an unknown one.
 * @param id in canonical spelling
 * @throws not_found, subject_not_ready, subject_not_recomputable
 */
export async function findSubject(
  { em, slots }: { em: EntityManager; slots: ProofSlots },
  userId: string,
  { type, id }: { readonly type: ProofType; readonly id: string },
): Promise<FoundSubject> {
  if (isEntropyName(type)) return findObservation({ em, slots }, type, id)
  switch (type) {
    case 'item':
      return itemSubject({ slots }, await readItem(em, userId, id))
    case 'block':
    case 'beacon':
      return { kind: 'block', blockId: id }
    default:
      return type satisfies never
  }
}

/** Read by primary key, in any team of the caller. */
const ITEM = statement(
  {
    id: text,
    claims: nullable(text),
    claims_hash: bytes,
    metadata: text,
    metadata_hash: bytes,
    item_hash: bytes,
    signing_key_id: bytes,
    block_id: nullable(text),
    leaf_index: nullable(int4),
    now_ms: float8,
  },
  ({ id, userId }: { id: string; userId: string }) => sql`
  SELECT i.id, i.claims, i.claims_hash, i.metadata, i.metadata_hash, i.item_hash, i.signing_key_id, i.block_id, i.leaf_index,
         unix_ms(pharos_now()) AS now_ms
    FROM shown_items i WHERE i.id = ${id} AND ${readableItem('i', userId)}`,
)

type ReadItem = RowFrom<typeof ITEM>

/** @throws not_found, also for an item that the caller may not read */
export async function readItem(em: EntityManager, userId: string, id: string): Promise<ReadItem> {
  const [item] = await rows(em, ITEM({ id, userId }))
  if (item === undefined) throw refuse('not_found')
  return item
}

/** @throws subject_not_ready, subject_not_recomputable */
export function itemSubject({ slots }: { readonly slots: ProofSlots }, item: ReadItem): FoundSubject {
  if (item.block_id === null || item.leaf_index === null) throw notReady(slots, item.now_ms)
  const { id, claims, metadata, signing_key_id: keyId } = item
  const claimsHash = claims === null ? undefined : canonicalTextHash('items_claims', claims)
  const metadataHash = canonicalTextHash('items_metadata', metadata)
  const hash = claimsHash && itemHash({ id, claimsHash, metadataHash, keyId })
  if (claims === null || hash === undefined || !item.item_hash.equals(hash))
    throw refuseProof('subject_not_recomputable', {
      meta: { drifted: drifted(item, claimsHash, metadataHash) },
    })
  return {
    kind: 'leaf',
    blockId: item.block_id,
    leafIndex: item.leaf_index,
    hash,
    carried: {
      id,
      claims: storedObject(claims),
      metadata: storedObject(metadata),
      signing_key_id: toHex(keyId),
    },
  }
}

/** Names the part that no longer matches its hash. Names both when that cannot be decided. */
function drifted(item: ReadItem, claimsHash: Uint8Array | undefined, metadataHash: Uint8Array): string {
  const claims = claimsHash === undefined || !item.claims_hash.equals(claimsHash)
  const metadata = !item.metadata_hash.equals(metadataHash)
  return claims === metadata ? 'claims and metadata' : claims ? 'claims' : 'metadata'
}

const notReady = (slots: ProofSlots, nowMs: number) =>
  refuseProof('subject_not_ready', { meta: proofWait(slots, nowMs) })

async function findObservation(
  { em, slots }: { em: EntityManager; slots: ProofSlots },
  source: EntropyName,
  id: string,
): Promise<FoundSubject> {
  const observation = await db(em)
    .selectFrom('entropy_observations')
    .select(['entropy', 'metadata', 'signing_key_id', 'block_id', 'leaf_index'])
    .select(sql<number>`unix_ms(pharos_now())`.as('now_ms'))
    .where('id', '=', id)
    .where('source', '=', source)
    .executeTakeFirst()
  if (observation === undefined) throw refuse('not_found')
  const { entropy, metadata, signing_key_id: keyId, block_id, leaf_index, now_ms } = observation
  if (block_id === null || leaf_index === null) throw notReady(slots, now_ms)
  const entropyHash = canonicalTextHash('entropy', entropy)
  const metadataHash = canonicalTextHash('entropy_metadata', metadata)
  return {
    kind: 'leaf',
    blockId: block_id,
    leafIndex: leaf_index,
    hash: observationHash({ id, entropyHash, metadataHash, keyId }),
    carried: {
      id,
      entropy: storedObject(entropy),
      metadata: storedObject(metadata),
      signing_key_id: toHex(keyId),
    },
  }
}

/** Parses stored canonical text and keeps every digit. */
export function storedObject(text: string): JsonObject {
  const value = readStrictJson(text)
  if (!isJsonObject(value)) throw new Error('What is stored as an object is none.')
  return value
}

export type ProofBlock = ReturnType<typeof proofBlock>

interface WantedBlocks {
  readonly subjectId: string
  /** Height of the block that introduced the signing key. */
  readonly keyEventHeight: number
  /** Hash of the subject's witness block, if the bundle should carry it. */
  readonly witnessHash: Uint8Array | null
}

/**
 * Maximum number of blocks between the witness block and the subject's block. 512 blocks take 131 KB, which leaves
 * room for the largest claims within the size limit of a proof. An item goes into the next block or the one after;
 * only an item whose transaction stayed open for hours would need more.
 */
export const MAX_BLOCKS_BETWEEN = 512

/** Makes one statement. Indexes: blocks_pkey, blocks_height_key, blocks_block_hash_key. */
export async function readProofBlocks(
  em: EntityManager,
  { subjectId, keyEventHeight, witnessHash }: WantedBlocks,
) {
  const found = await rows(em, BLOCKS({ subjectId, keyEventHeight, witnessHash }))
  const blocks = found.map(proofBlock)
  const subject = blocks.find(({ id }) => id === subjectId)
  const witness = blocks.find(({ hash }) => witnessHash !== null && Buffer.compare(hash, witnessHash) === 0)
  return {
    subject,
    keyEvent: blocks.find(({ height }) => height === keyEventHeight),
    /** The blocks from the subject's witness block to the one before the subject's block, oldest first. */
    run:
      subject === undefined || witness === undefined
        ? []
        : blocks.filter(({ height }) => height >= witness.height && height < subject.height),
    /** Unix milliseconds by the database's clock. */
    nowMs: found[0]?.now_ms ?? 0,
  }
}

/** When the run is too long, its beginning is left out, and so the witness is missing. */
const BLOCKS = statement(
  {
    id: text,
    height: int4,
    leaf_count: int4,
    previous_block_hash: bytes,
    merkle_root: bytes,
    metadata: text,
    signing_key_id: bytes,
    now_ms: float8,
  },
  ({ subjectId, keyEventHeight, witnessHash }: WantedBlocks) => sql`
  WITH subject AS (SELECT height FROM blocks WHERE id = ${subjectId}),
       witness AS (SELECT height FROM blocks WHERE block_hash = ${witnessHash})
  SELECT id, height, leaf_count, previous_block_hash, merkle_root, metadata, signing_key_id,
         unix_ms(pharos_now()) AS now_ms
    FROM blocks
   WHERE id = ${subjectId} OR height = ${keyEventHeight}
      OR (height >= (SELECT height FROM witness) AND height >= (SELECT height FROM subject) - ${sql.lit(MAX_BLOCKS_BETWEEN + 1)}
          AND height < (SELECT height FROM subject))
   ORDER BY height`,
)

function proofBlock(row: RowFrom<typeof BLOCKS>) {
  return {
    id: row.id,
    height: row.height,
    leafCount: row.leaf_count,
    /** 32 bytes, recomputed from `carried`. */
    hash: blockHash({
      id: row.id,
      previousBlockHash: row.previous_block_hash,
      merkleRoot: row.merkle_root,
      metadataHash: canonicalTextHash('block_metadata', row.metadata),
      keyId: row.signing_key_id,
    }),
    carried: {
      id: row.id,
      previous_block_hash: toHex(row.previous_block_hash),
      merkle_root: toHex(row.merkle_root),
      metadata: storedObject(row.metadata),
      signing_key_id: toHex(row.signing_key_id),
    } satisfies BlockMap,
  }
}
