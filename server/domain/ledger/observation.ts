// An observation: the value that a public source published at a moment. It is hashed, signed, stored, and put into a block like
// an item.
import { randomBytes } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { canonicalTextHash, observationHash } from '../../../shared/proof/composites.ts'
import { ENTROPY_NAMES, type EntropyName } from '../../../shared/proof/entropy_names.ts'
import { canonicalJson, type JsonObject } from '../../../shared/proof/json_value.ts'
import { uuid7From } from '../../kernel/identifiers.ts'
import { RELATIONS } from '../../store/database.ts'
import { type LegibleRow, legibleRow, type PlainRow } from '../../store/row_reader.ts'
import { change, command } from '../../store/statement.ts'
import type { Signer } from './signing_key.ts'
import { readStanding } from './standing.ts'

const [first = ENTROPY_NAMES[0], ...others] = ENTROPY_NAMES.toSorted()

/** In ascending order. */
export const ENTROPY_SOURCES = [first, ...others] as const

export const CAPTURE_METHODS = ['poll'] as const

/** `entropy` and `metadata` are canonical JSON text. */
export type Observation = LegibleRow<PlainRow<typeof RELATIONS.entropy_observations>>

export const observationOf = legibleRow(RELATIONS.entropy_observations)

interface Captured {
  readonly source: EntropyName
  /** Exactly as the source published it. */
  readonly payload: JsonObject
  readonly publishedAt: Date | null
}

/**
 * Records the observation and its fact in one statement. `known` means that this pulse, ledger or block of the source
 * is already recorded; each is recorded once.
 */
export async function recordObservation(
  parts: SignParts,
  captured: Captured,
): Promise<{ outcome: 'recorded'; id: string } | { outcome: 'known' }> {
  const observation = await signObservation(parts, captured)
  const recorded = await change(parts.em, INSERT_OBSERVATION(observation))
  return recorded > 0 ? { outcome: 'recorded', id: observation.id } : { outcome: 'known' }
}

interface SignParts {
  readonly em: EntityManager
  readonly signer: Signer
}

async function signObservation({ em, signer }: SignParts, { source, payload, publishedAt }: Captured) {
  const { nowMs, head, keyId } = await readStanding(em)
  const timeMs = Math.max(nowMs, head.timeMs)
  const id = uuid7From(timeMs, randomBytes(10))
  const entropy = canonicalJson(payload)
  const metadata = canonicalJson({})
  const entropyHash = canonicalTextHash('entropy', entropy)
  const metadataHash = canonicalTextHash('entropy_metadata', metadata)
  const hash = observationHash({ id, entropyHash, metadataHash, keyId })
  const signature = await signer.sign(em, keyId, hash)
  return {
    ...{ id, source, entropy, entropyHash, metadata, metadataHash, hash, keyId, signature },
    publishedAt,
    timeMs,
  }
}

const INSERT_OBSERVATION = command(
  (made: Awaited<ReturnType<typeof signObservation>>) => sql`
  WITH made AS (
    INSERT INTO entropy_observations (id, source, entropy, entropy_hash, metadata, metadata_hash, observation_hash,
                                      signing_key_id, signature, source_published_at, inserted_at)
    VALUES (${made.id}, ${made.source}, ${made.entropy}, ${made.entropyHash}, ${made.metadata}, ${made.metadataHash},
            ${made.hash}, ${made.keyId}, ${made.signature}, ${made.publishedAt}, from_unix_ms(${made.timeMs}))
    ON CONFLICT (source, entropy_hash) DO NOTHING
    RETURNING id, source, entropy_hash, source_published_at, inserted_at)
  INSERT INTO facts (kind, subject_id, data, at)
  SELECT 'entropy.created', id, jsonb_build_object('id', id, 'source', source, 'state', 'created',
           'entropy_hash', encode(entropy_hash, 'hex'), 'source_published_at', iso_time(source_published_at),
           'inserted_at', iso_time(inserted_at)), inserted_at
    FROM made`,
)
