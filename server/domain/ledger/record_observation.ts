// Records what a public source said: hashed, signed, and waiting for the next block like an item.
import { randomBytes } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import { canonicalJson } from '../../../shared/proof/canonical_json.ts'
import { canonicalTextHash, observationHash } from '../../../shared/proof/composites.ts'
import type { JsonObject } from '../../../shared/proof/json_value.ts'
import { uuid7From } from '../../../shared/proof/uuid7.ts'
import { change } from '../../store/rows.ts'
import type { EntropySource } from './observation.ts'
import type { Signer } from './signer.ts'
import { readStanding } from './standing.ts'

export interface Captured {
  readonly source: EntropySource
  /** Exactly as captured; never reshaped. */
  readonly payload: JsonObject
  readonly publishedAt: Date | null
}

/** `known`: this pulse, ledger or block is recorded already; each is recorded once. */
export async function recordObservation(
  { em, signer }: { em: EntityManager; signer: Signer },
  { source, payload, publishedAt }: Captured,
): Promise<{ outcome: 'recorded'; id: string } | { outcome: 'known' }> {
  const { nowMs, head, keyId } = await readStanding({ em })
  const timeMs = Math.max(nowMs, head.timeMs)
  const id = uuid7From(timeMs, randomBytes(10))
  const entropy = canonicalJson(payload)
  const metadata = canonicalJson({})
  const entropyHash = canonicalTextHash('entropy', entropy)
  const metadataHash = canonicalTextHash('entropy_metadata', metadata)
  const hash = observationHash({ id, entropyHash, metadataHash, keyId })
  const recorded = await change(em, INSERT_OBSERVATION, [
    id,
    source,
    entropy,
    entropyHash,
    metadata,
    metadataHash,
    hash,
    keyId,
    await signer.sign(em, keyId, hash),
    publishedAt,
    timeMs,
  ])
  return recorded > 0 ? { outcome: 'recorded', id } : { outcome: 'known' }
}

const INSERT_OBSERVATION = `
  WITH made AS (
    INSERT INTO entropy_observations (id, source, entropy, entropy_hash, metadata, metadata_hash, observation_hash,
                                      signing_key_id, signature, source_published_at, inserted_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, from_unix_ms($11))
    ON CONFLICT (source, entropy_hash) DO NOTHING
    RETURNING id, source, entropy_hash, source_published_at, inserted_at)
  INSERT INTO facts (kind, subject_id, data, at)
  SELECT 'entropy.created', id, jsonb_build_object('id', id, 'source', source, 'state', 'created',
           'entropy_hash', encode(entropy_hash, 'hex'), 'source_published_at', iso_time(source_published_at),
           'inserted_at', iso_time(inserted_at)), inserted_at
    FROM made`
