// The rules of claims, as far as JSON Schema can say them; `shared/proof/claims.ts` has them all.
import { HASH_TYPES, MAX_CANONICAL_CLAIMS_BYTES } from '../../../shared/proof/claims.ts'
import type { Components, Node } from './components.ts'

/** A description this long says enough to stand without a hash. */
const TELLING = 32

const coordinate = (limit: number): Node => ({ type: 'number', minimum: -limit, maximum: limit })

export function putClaims(components: Components): Node {
  const hashType = components.put('schemas', 'HashType', {
    type: 'string',
    enum: Object.keys(HASH_TYPES),
    description: 'How `hash` was made.',
  })
  return components.put('schemas', 'Claims', {
    type: 'object',
    description: [
      'What is claimed: a digest with its type, or else words or metadata.',
      'Members that are null are left out before anything else happens.',
      `Canonical JSON of it has at most ${MAX_CANONICAL_CLAIMS_BYTES} bytes. Lengths count code points.`,
      'Names are unique at every level, and numbers are those that a double holds exactly.',
    ].join(' '),
    properties: {
      name: { type: 'string', minLength: 1, maxLength: 64, description: 'Without U+0000.' },
      description: { type: 'string', maxLength: 256, description: 'Without U+0000.' },
      hash: {
        type: 'string',
        pattern: '^([0-9a-f]{2}){16,64}$',
        description: 'Lowercase hex; its length is that of `hash_type`.',
      },
      hash_type: hashType,
      url: { type: 'string', pattern: '^https://' },
      timestamp: { type: 'string', format: 'date-time', description: 'With an offset, or `Z`.' },
      location: {
        type: 'object',
        properties: { latitude: coordinate(90), longitude: coordinate(180) },
        required: ['latitude', 'longitude'],
        additionalProperties: false,
      },
      metadata: { type: 'object', description: 'Anything else.' },
    },
    required: ['name'],
    additionalProperties: false,
    dependentRequired: { hash: ['hash_type'], hash_type: ['hash'] },
    allOf: digestLengths(),
    anyOf: [
      { required: ['hash', 'hash_type'] },
      { properties: { description: { minLength: TELLING } }, required: ['description'] },
      { properties: { metadata: { minProperties: 1 } }, required: ['metadata'] },
    ],
  })
}

/** One rule per length: these types have digests of so many characters. */
function digestLengths(): Node[] {
  const lengths = [...new Set(Object.values(HASH_TYPES))].sort((a, b) => a - b)
  return lengths.map((length) => ({
    if: {
      properties: {
        hash_type: {
          enum: Object.entries(HASH_TYPES).flatMap(([name, own]) => (own === length ? [name] : [])),
        },
      },
      required: ['hash_type'],
    },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { properties: { hash: { minLength: length, maxLength: length } } },
  }))
}
