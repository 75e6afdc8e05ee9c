// Entropy observations: values from public sources, recorded like items and committed with their block.
import { base64, enumeration, hex8, hex64, instant, jsonObject, uuid7, word } from '../contract/kinds.ts'
import { field } from '../contract/resource.ts'
import { SOURCE_BYTES } from '../domain/entropy/source.ts'
import {
  CAPTURE_METHODS,
  ENTROPY_SOURCES,
  type Observation,
  observationOf,
} from '../domain/ledger/observation.ts'
import { get, list, resource, toOne } from './define.ts'

export const entropyObservation = resource<Observation>()({
  type: 'entropy_observation',
  path: '/entropy_observations',
  doc: 'What a public source of randomness said at a moment; items name the newest ones as their witnesses.',
  id: uuid7(),
  fields: {
    source: field(enumeration(ENTROPY_SOURCES), 'Which source.', { filter: true }),
    state: field(enumeration(['created', 'committed']), '`committed` once in a block.', { filter: true }),
    entropy: field(jsonObject({ bytes: SOURCE_BYTES }), 'The payload, exactly as captured and hashed.'),
    entropy_hash: field(hex64(), 'Domain-separated hash of the payload.', { filter: true }),
    metadata: field(jsonObject({ bytes: 2 }), 'Always empty.'),
    metadata_hash: field(hex64(), 'Domain-separated hash of the metadata.'),
    observation_hash: field(hex64(), 'What stands in the block’s tree.', { filter: true }),
    signing_key_id: field(hex8(), 'The key it was signed with.'),
    signature: field(base64({ bytes: 64 }), 'Ed25519 over the raw observation hash.'),
    capture_method: field(word(CAPTURE_METHODS), 'How it was captured: `poll`.'),
    source_published_at: field(instant(), 'When the source says it published it.', {
      nullable: true,
      filter: true,
      sort: true,
    }),
    block_id: field(uuid7(), 'The block that holds it; null until there is one.', {
      nullable: true,
      filter: true,
    }),
    inserted_at: field(instant(), 'The time in the id.', { filter: true, sort: true }),
  },
  relationships: { block: toOne('block_id', 'block', 'The block that holds it.') },
  table: 'entropy_observations',
  isLegible: true,
  hydrate: observationOf,
  operations: [
    list({
      name: 'listEntropyObservations',
      doc: 'Observations, newest first.',
      access: 'read',
      http: 'GET /entropy_observations',
    }),
    get({
      name: 'getEntropyObservation',
      doc: 'One observation.',
      access: 'read',
      http: 'GET /entropy_observations/:id',
    }),
  ],
})
