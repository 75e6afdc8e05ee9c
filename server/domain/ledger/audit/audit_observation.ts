// Checks one observation: its entropy, its hashes and its signature.

import { readCanonical } from '../../../../shared/audit/canonical_text.ts'
import { agree, type Disagreements, holds, type Place } from '../../../../shared/audit/disagreement.ts'
import { canonicalTextHash, observationHash } from '../../../../shared/proof/composites.ts'
import { isJsonObject } from '../../../../shared/proof/json_value.ts'
import { isUuid7, uuid7Time } from '../../../../shared/proof/uuid7.ts'
import { ENTROPY_SOURCES } from '../observation.ts'
import type { SubjectContext } from './audit_item.ts'
import type { ObservationRow } from './subject_rows.ts'

const SOURCES: ReadonlySet<string> = new Set(ENTROPY_SOURCES)

/**
 * An observation has no witness, so the exact key is not determined. Any key may have signed it that was introduced
 * before the observation was made and before the observation's block.
 */
export function* auditObservation(
  observation: ObservationRow,
  { block, keys }: Omit<SubjectContext, 'witnesses'>,
): Disagreements {
  const { id, content, content_hash, metadata, metadata_hash, signing_key_id, subject_hash } = observation
  const place: Place = { height: block?.height ?? null, subject: id }
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

  yield* holds(place, 'source', SOURCES.has(observation.source), 'a known source')
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
