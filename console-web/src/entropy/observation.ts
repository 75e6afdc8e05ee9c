// An entropy observation from the API: what a public source published at one time.
import type { JsonObject } from '../../../shared/proof/json_value.ts'
import { documentOf } from '../data/resource.ts'
import { called, object, objectOrNull, or, shape, text, textOrNull } from '../data/shape.ts'

const readObservation = shape({
  id: text,
  /** A name of `ENTROPY_WORDS`, e.g. `entropy_nist`. */
  source: text,
  entropy: or<JsonObject>(objectOrNull, {}),
  entropyHash: text,
  observationHash: text,
  keyId: called('signing_key_id', text),
  publishedAt: called('source_published_at', textOrNull),
  blockId: textOrNull,
  insertedAt: text,
  raw: object,
})

export type Observation = ReturnType<typeof readObservation>

export const readObservationDocument = documentOf(readObservation)
