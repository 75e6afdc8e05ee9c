// Looks up the witnesses of all items of a page at once. The witnesses are the block and the observations that an
// item names.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { readCanonical } from '../../../../shared/audit/disagreement.ts'
import { fromHex, isHex } from '../../../../shared/proof/bytes.ts'
import { isJsonObject, memberOf } from '../../../../shared/proof/json_value.ts'
import { float8, int4, text } from '../../../store/columns.ts'
import { rows } from '../../../store/run.ts'
import { statement } from '../../../store/statement.ts'
import { ENTROPY_SOURCES } from '../observation.ts'
import { exactMs } from './block_rows.ts'

interface WitnessBlock {
  readonly height: number
  readonly finalizedMs: number
}

export interface MetadataWitnesses {
  /** Returns undefined when the metadata is not a canonical witness map of known names and 32-byte hashes. */
  readonly of: (metadata: string) => ReadonlyMap<string, string> | undefined
  readonly block: (hash: string) => WitnessBlock | undefined
  /** True when an observation of this source with this entropy hash is recorded. */
  readonly observed: (source: string, hash: string) => boolean
}

/**
 * Makes two queries for a page of any size. Indexes: blocks_block_hash_key,
 * entropy_observations_source_entropy_hash_key.
 */
export async function findWitnesses(
  em: EntityManager,
  metadataOfItems: readonly string[],
): Promise<MetadataWitnesses> {
  // Items that were submitted together share their metadata, so a page has few different texts.
  const maps = new Map([...new Set(metadataOfItems)].map((text) => [text, readWitnesses(text)]))
  const named = [...maps.values()].flatMap((map) => [...(map ?? [])])
  const blocks = await findBlocks(
    em,
    named.filter(([name]) => name === 'block'),
  )
  const observed = await findObserved(
    em,
    named.filter(([name]) => name !== 'block'),
  )
  return Object.freeze({
    of: (metadata: string) => maps.get(metadata),
    block: (hash: string) => blocks.get(hash),
    observed: (source: string, hash: string) => observed.has(`${source} ${hash}`),
  })
}

type Named = readonly [name: string, hash: string]

async function findBlocks(em: EntityManager, named: readonly Named[]): Promise<Map<string, WitnessBlock>> {
  if (named.length === 0) return new Map()
  const found = await rows(em, BLOCKS({ hashes: named.map(([, hash]) => Buffer.from(fromHex(hash))) }))
  return new Map(found.map(({ hash, height, finalized_ms }) => [hash, { height, finalizedMs: finalized_ms }]))
}

async function findObserved(em: EntityManager, named: readonly Named[]): Promise<Set<string>> {
  if (named.length === 0) return new Set()
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

const NAMES: ReadonlySet<string> = new Set(['block', ...ENTROPY_SOURCES])

function readWitnesses(metadata: string): ReadonlyMap<string, string> | undefined {
  const value = readCanonical(metadata)
  if (!isJsonObject(value) || Object.keys(value).join() !== 'witnesses') return undefined
  const witnesses = memberOf(value, 'witnesses')
  if (!isJsonObject(witnesses) || !Object.hasOwn(witnesses, 'block')) return undefined
  const named = new Map<string, string>()
  for (const [name, hash] of Object.entries(witnesses)) {
    if (!NAMES.has(name) || typeof hash !== 'string' || !isHex(hash, 32)) return undefined
    named.set(name, hash)
  }
  return named
}
