// Audits what a leaf is of: an item, an observation, or the tombstone of one. The witnesses that items name, a block and
// observations, are looked up for all items of a page at once.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import type { KeyChain } from '../../../../shared/audit/chain_audit.ts'
import {
  agree,
  type Disagreements,
  holds,
  readCanonical,
  type StoredPlace,
} from '../../../../shared/audit/disagreement.ts'
import { fromHex, isHex } from '../../../../shared/proof/bytes.ts'
import { canonicalTextHash, itemHash, observationHash } from '../../../../shared/proof/composites.ts'
import { isEntropyName } from '../../../../shared/proof/entropy_names.ts'
import { isUlid, isUuid7, ulidTime, uuid7Time } from '../../../../shared/proof/ids.ts'
import { isJsonObject, memberOf } from '../../../../shared/proof/json_value.ts'
import { float8, int4, text } from '../../../store/columns.ts'
import { rows, statement } from '../../../store/statement.ts'
import { textOrNull } from '../item.ts'
import { type BlockRow, exactMs } from './block_rows.ts'
import type { LeafRow, SubjectRow } from './subject_rows.ts'

export type MetadataWitnesses = Awaited<ReturnType<typeof findWitnesses>>

/**
 * Makes two queries for a page of any size. Indexes: blocks_block_hash_key,
 * entropy_observations_source_entropy_hash_key.
 */
export async function findWitnesses(em: EntityManager, metadataOfItems: readonly string[]) {
  // Items that were submitted together share their metadata, so a page has few different texts.
  const maps = new Map([...new Set(metadataOfItems)].map((text) => [text, readWitnesses(text)]))
  const { block = [], source = [] } = Object.groupBy(
    [...maps.values()].flatMap((map) => [...(map ?? [])]),
    ([name]) => (name === 'block' ? 'block' : 'source'),
  )
  const blocks = await findBlocks(em, block)
  const observed = await findObserved(em, source)
  return Object.freeze({
    /** Undefined when the metadata is not a canonical witness map of known names and 32-byte hashes. */
    of: (metadata: string) => maps.get(metadata),
    block: (hash: string) => blocks.get(hash),
    /** True when an observation of this source with this entropy hash is recorded. */
    observed: (source: string, hash: string) => observed.has(`${source} ${hash}`),
  })
}

type Named = readonly [name: string, hash: string]

async function findBlocks(em: EntityManager, named: readonly Named[]) {
  const found = await rows(em, BLOCKS({ hashes: named.map(([, hash]) => Buffer.from(fromHex(hash))) }))
  return new Map(found.map(({ hash, height, finalized_ms }) => [hash, { height, finalizedMs: finalized_ms }]))
}

async function findObserved(em: EntityManager, named: readonly Named[]): Promise<Set<string>> {
  const sources = named.map(([source]) => source)
  const found = await rows(
    em,
    OBSERVED({ sources, hashes: named.map(([, hash]) => Buffer.from(fromHex(hash))) }),
  )
  return new Set(found.map(({ source, hash }) => `${source} ${hash}`))
}

const BLOCKS = statement(
  { hash: text, height: int4, finalized_ms: float8 },
  ({ hashes }: { hashes: readonly Buffer[] }) => sql`
  SELECT encode(block_hash, 'hex') AS hash, height, ${exactMs('finalized_at')} AS finalized_ms
    FROM blocks WHERE block_hash = ANY(${hashes}::bytea[])`,
)

const OBSERVED = statement(
  { source: text, hash: text },
  ({ sources, hashes }: { sources: readonly string[]; hashes: readonly Buffer[] }) => sql`
  SELECT o.source, encode(o.entropy_hash, 'hex') AS hash
    FROM unnest(${sources}::text[], ${hashes}::bytea[]) AS w (source, hash)
    JOIN entropy_observations o ON o.source = w.source COLLATE "C" AND o.entropy_hash = w.hash`,
)

function readWitnesses(metadata: string): ReadonlyMap<string, string> | undefined {
  const value = readCanonical(metadata)
  if (!isJsonObject(value) || Object.keys(value).join() !== 'witnesses') return undefined
  const witnesses = memberOf(value, 'witnesses')
  if (!isJsonObject(witnesses) || !Object.hasOwn(witnesses, 'block')) return undefined
  const named = new Map<string, string>()
  for (const [name, hash] of Object.entries(witnesses)) {
    if ((name !== 'block' && !isEntropyName(name)) || typeof hash !== 'string' || !isHex(hash, 32))
      return undefined
    named.set(name, hash)
  }
  return named
}

/**
 * The claims are gone, so the item hash cannot be recomputed. Only the root of its block proves the hash, if the item
 * has a block.
 */
function* auditTombstone({ id }: RowOfKind<'tombstone'>, block: BlockRow | undefined): Disagreements {
  const place = { height: block?.height ?? null, subject: id }
  yield* holds(place, 'id', isUlid(id), 'a ULID')
  if (isUlid(id) && block !== undefined)
    yield* holds(place, 'id', ulidTime(id) <= block.finalized_ms, 'a time not after that of its block')
}

type RowOfKind<Kind extends SubjectRow['kind']> = Extract<SubjectRow, { readonly kind: Kind }>

/** `block` is undefined while the item waits for a block. */
interface SubjectContext {
  readonly block: BlockRow | undefined
  readonly keys: KeyChain
  readonly witnesses: MetadataWitnesses
}

function* auditItem(item: RowOfKind<'item'>, context: SubjectContext): Disagreements {
  const place: StoredPlace = { height: context.block?.height ?? null, subject: item.id }
  if (!isUlid(item.id)) {
    yield { ...place, field: 'id', expected: 'a ULID' }
    return
  }
  yield* hashes(place, item)
  yield* origin(place, item, context)
  yield* claims(place, item)
  yield* standing(place, item, context.block)
}

function* hashes(place: StoredPlace, item: RowOfKind<'item'>): Disagreements {
  const { id, content_hash, metadata, metadata_hash, signing_key_id } = item
  const hash = itemHash({ id, claimsHash: content_hash, metadataHash: metadata_hash, keyId: signing_key_id })
  yield* agree(place, 'item_hash', hash, item.subject_hash)
  yield* agree(place, 'metadata_hash', canonicalTextHash('items_metadata', metadata), metadata_hash)
}

/**
 * The witness block must be older than the item, must come before the item's block, and determines which key signed
 * the item.
 */
function* origin(
  place: StoredPlace,
  item: RowOfKind<'item'>,
  { block, keys, witnesses }: SubjectContext,
): Disagreements {
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

function* claims(place: StoredPlace, item: RowOfKind<'item'>): Disagreements {
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

function* standing(place: StoredPlace, item: RowOfKind<'item'>, block: BlockRow | undefined): Disagreements {
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

/**
 * An observation has no witness, so the exact key is not determined. Any key may have signed it that was introduced
 * before the observation was made and before the observation's block.
 */
function* auditObservation(
  observation: RowOfKind<'observation'>,
  { block, keys }: Omit<SubjectContext, 'witnesses'>,
): Disagreements {
  const { id, content, content_hash, metadata, metadata_hash, signing_key_id, subject_hash } = observation
  const place: StoredPlace = { height: block?.height ?? null, subject: id }
  const madeMs = isUuid7(id) ? uuid7Time(id) : undefined
  if (madeMs === undefined) {
    yield { ...place, field: 'id', expected: 'a UUIDv7' }
    return
  }
  const hash = observationHash({
    id,
    entropyHash: content_hash,
    metadataHash: metadata_hash,
    keyId: signing_key_id,
  })
  yield* agree(place, 'observation_hash', hash, subject_hash)
  yield* holds(place, 'metadata', metadata === '{}', '{}')
  yield* agree(place, 'metadata_hash', canonicalTextHash('entropy_metadata', metadata), metadata_hash)

  const key = keys.byId(signing_key_id)
  const inTime =
    key !== undefined && key.introducedMs <= madeMs && key.introducedAtHeight < (block?.height ?? Infinity)
  yield* holds(place, 'signing_key_id', inTime, 'a key introduced before the observation was made')
  if (key !== undefined)
    yield* holds(
      place,
      'signature',
      key.signed(subject_hash, observation.signature),
      `that of key ${key.keyId}`,
    )

  yield* holds(place, 'source', isEntropyName(observation.source), 'a known source')
  yield* holds(
    place,
    'entropy',
    content !== null && isJsonObject(readCanonical(content)),
    'a canonical JSON object',
  )
  yield* agree(place, 'entropy_hash', canonicalTextHash('entropy', content ?? ''), content_hash)
  yield* agree(place, 'state', block === undefined ? 'created' : 'committed', observation.state)
  yield* agree(place, 'inserted_at', madeMs, observation.inserted_ms)
  if (block !== undefined)
    yield* holds(place, 'id', madeMs <= block.finalized_ms, 'a time not after that of its block')
}

export function auditSubject(subject: SubjectRow, context: SubjectContext): Disagreements {
  switch (subject.kind) {
    case 'item':
      return auditItem(subject, context)
    case 'observation':
      return auditObservation(subject, context)
    case 'tombstone':
      return auditTombstone(subject, context.block)
    default:
      return subject satisfies never
  }
}

export const metadataOf = (subjects: readonly (SubjectRow | LeafRow)[]): string[] =>
  subjects.flatMap((subject) => (subject.kind === 'item' ? [subject.metadata] : []))
