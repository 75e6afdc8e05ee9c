// Reads the witnesses that an item's metadata commits to, so that a verifier can check the hashes in the metadata.

import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import type { BlockMap, Subject } from '../../../shared/proof/bundle/bundle.ts'
import { fromHex, isHex } from '../../../shared/proof/bytes.ts'
import { isJsonObject, type JsonObject, memberOf } from '../../../shared/proof/json_value.ts'
import { text } from '../../store/columns.ts'
import { TABLES } from '../../store/database.ts'
import { rows } from '../../store/run.ts'
import { statement } from '../../store/statement.ts'
import { ENTROPY_SOURCES, type EntropySource } from '../ledger/observation.ts'
import { objectIn } from './find_subject.ts'
import type { ProofBlock } from './proof_blocks.ts'
import { refuseProof } from './proof_refusal.ts'
import type { WitnessName } from './proof_request.ts'

export interface CarriedWitnesses {
  /** By witness name. Empty when the bundle carries none. */
  readonly details: Readonly<Record<string, BlockMap | JsonObject>>
  /** The blocks between the witness block and the subject's block, oldest first. */
  readonly blockPath: readonly BlockMap[]
}

/** Returns the hash that an item's metadata commits to under this name, undefined when there is none. */
export function committedHash(subject: Subject, name: string): Uint8Array | undefined {
  const witnesses = memberOf(subject.metadata, 'witnesses')
  const hash = isJsonObject(witnesses) ? memberOf(witnesses, name) : undefined
  return typeof hash === 'string' && isHex(hash, 32) ? fromHex(hash) : undefined
}

/**
 * Returns only witnesses that are both wanted and committed to. Makes one statement.
 * @param run the blocks from the witness block to the one before the subject's block; empty when they are not
 * connected
 * @throws witness_unavailable with the name of the missing witness
 */
export async function carryWitnesses(
  { em }: { em: EntityManager },
  subject: Subject,
  { wanted, run }: { readonly wanted: ReadonlySet<WitnessName>; readonly run: readonly ProofBlock[] },
): Promise<CarriedWitnesses> {
  const details: Record<string, BlockMap | JsonObject> = {}
  const [witness, ...between] = run
  const isCarried = (name: WitnessName) => wanted.has(name) && committedHash(subject, name) !== undefined
  if (isCarried('block')) {
    if (witness === undefined) throw unavailable('block')
    details.block = witness.carried
  }
  const sources = ENTROPY_SOURCES.filter(isCarried)
  const payloads = await readPayloads({ em }, subject, sources)
  for (const source of sources) {
    const payload = payloads.get(source)
    if (payload === undefined) throw unavailable(source)
    details[source] = payload
  }
  return { details, blockPath: isCarried('block') ? between.map(({ carried }) => carried) : [] }
}

const unavailable = (witness: WitnessName) => refuseProof('witness_unavailable', { meta: { witness } })

/** Index: entropy_observations_source_entropy_hash_key. */
const PAYLOADS = statement(
  { source: TABLES.entropy_observations.source, entropy: text },
  ({
    sources,
    hashes,
  }: {
    sources: readonly EntropySource[]
    hashes: readonly (Uint8Array | undefined)[]
  }) => sql`
  SELECT o.source, o.entropy
    FROM unnest(${sources}::text[], ${hashes}::bytea[]) AS committed (source, hash)
    JOIN entropy_observations o ON o.source = committed.source COLLATE "C" AND o.entropy_hash = committed.hash`,
)

async function readPayloads(
  { em }: { em: EntityManager },
  subject: Subject,
  sources: readonly EntropySource[],
): Promise<ReadonlyMap<EntropySource, JsonObject>> {
  if (sources.length === 0) return new Map()
  const hashes = sources.map((source) => committedHash(subject, source))
  const found = await rows(em, PAYLOADS({ sources, hashes }))
  return new Map(found.map(({ source, entropy }) => [source, objectIn(entropy)]))
}
