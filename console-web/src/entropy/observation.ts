// An entropy observation from the API: what a public source published at one time.

import { ENTROPY_WORDS, isEntropyName } from '../../../shared/proof/entropy_names.ts'
import type { JsonObject, JsonValue } from '../../../shared/proof/json_value.ts'
import { isProofType, type ProofType } from '../../../shared/proof/signed_payload.ts'
import { objectOrNull, type Resource, readDocument, textOf, textOrNull } from '../data/resource.ts'

export type Observation = {
  readonly id: string
  /** A name of `ENTROPY_WORDS`, e.g. `entropy_nist`. */
  readonly source: string
  readonly state: string
  readonly entropy: JsonObject
  readonly entropyHash: string
  readonly observationHash: string
  readonly keyId: string
  readonly publishedAt: string | null
  readonly blockId: string | null
  readonly insertedAt: string
  readonly raw: JsonObject
}

export const readObservationDocument = (document: JsonValue): Observation =>
  readObservation(readDocument(document))

const readObservation = (resource: Resource): Observation => ({
  id: resource.id,
  source: textOf(resource, 'source'),
  state: textOf(resource, 'state'),
  entropy: objectOrNull(resource, 'entropy') ?? {},
  entropyHash: textOf(resource, 'entropy_hash'),
  observationHash: textOf(resource, 'observation_hash'),
  keyId: textOf(resource, 'signing_key_id'),
  publishedAt: textOrNull(resource, 'source_published_at'),
  blockId: textOrNull(resource, 'block_id'),
  insertedAt: textOf(resource, 'inserted_at'),
  raw: resource.raw,
})

/** For a source that this page does not have, its plain name. */
export const sourceTitle = (source: string): string =>
  isEntropyName(source) ? ENTROPY_WORDS[source].title : source

/** Null for a source that this page does not have. */
export const proofTypeOf = ({ source }: Observation): ProofType | null =>
  isProofType(source) ? source : null
