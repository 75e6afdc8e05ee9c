// The rules of claims that JSON Schema can express. `shared/proof/claims.ts` has all rules.
import {
  CLAIMS_BOUNDS,
  HASH_TYPES,
  MAX_CANONICAL_CLAIMS_BYTES,
  TELLING,
} from '../../../shared/proof/claims.ts'
import { membersIn } from '../../contract/bounds.ts'
import type { JsonSchema } from '../../contract/kinds/kind.ts'

const coordinate = (name: 'latitude' | 'longitude'): JsonSchema => ({
  type: 'number',
  ...CLAIMS_BOUNDS[name],
})

const lengths = ({
  minimum,
  maximum,
}: {
  readonly minimum: number
  readonly maximum: number
}): JsonSchema => ({
  minLength: minimum,
  maxLength: maximum,
})

/** A function, because the constants and functions that it uses are declared below it. */
export const claimsSchema = (): JsonSchema => ({
  type: 'object',
  'x-max-bytes': MAX_CANONICAL_CLAIMS_BYTES,
  description: [
    'What is claimed: a digest with its type, or else words or metadata.',
    'Members that are null are left out before anything else happens.',
    `Canonical JSON of it has at most ${MAX_CANONICAL_CLAIMS_BYTES} bytes. Lengths count code points.`,
    'Names are unique at every level, and numbers are those that a double holds exactly.',
  ].join(' '),
  properties: {
    name: {
      type: 'string',
      ...lengths(CLAIMS_BOUNDS.name),
      description: `What to call it: ${CLAIMS_BOUNDS.name.minimum} to ${CLAIMS_BOUNDS.name.maximum} characters without U+0000.`,
    },
    description: {
      type: 'string',
      ...lengths(CLAIMS_BOUNDS.description),
      description: `At most ${CLAIMS_BOUNDS.description.maximum} characters without U+0000.`,
    },
    hash: {
      type: 'string',
      pattern: '^([0-9a-f]{2}){16,64}$',
      description: 'The digest, in lowercase hex; needs `hash_type`, whose length it has.',
    },
    hash_type: {
      title: 'HashType',
      type: 'string',
      enum: Object.keys(HASH_TYPES),
      description: 'How `hash` was made.',
    },
    url: { type: 'string', pattern: '^https://', description: 'Where it can be found.' },
    timestamp: { type: 'string', format: 'date-time', description: 'With an offset, or `Z`.' },
    location: {
      type: 'object',
      description: '`latitude` and `longitude` in degrees.',
      properties: { latitude: coordinate('latitude'), longitude: coordinate('longitude') },
      required: ['latitude', 'longitude'],
      additionalProperties: false,
    },
    metadata: {
      type: 'object',
      maxProperties: membersIn(MAX_CANONICAL_CLAIMS_BYTES),
      description: 'Anything else.',
    },
  },
  required: ['name'],
  additionalProperties: false,
  dependentRequired: { hash: ['hash_type'], hash_type: ['hash'] },
  ...firstThat([
    ...digestLengths(),
    [{ properties: { description: { minLength: TELLING } }, required: ['description'] }, {}],
    [true, { properties: { metadata: { minProperties: 1 } }, required: ['metadata'] }],
  ]),
})

/** When the condition holds, the consequence must hold too. */
type Rule = readonly [condition: JsonSchema | true, consequence: JsonSchema]

/**
 * The consequence of the first rule whose condition holds must hold. The rules are written as one chain of `if`,
 * `then` and `else`, because client generators would make a separate type of each alternative in a list.
 */
function firstThat([rule, ...rest]: readonly Rule[]): JsonSchema {
  if (rule === undefined) return {}
  const [condition, consequence] = rule
  if (condition === true) return consequence
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  return { if: condition, then: consequence, else: firstThat(rest) }
}

/** One rule per digest length, for the hash types that have this length. */
function digestLengths(): Rule[] {
  const lengths = [...new Set(Object.values(HASH_TYPES))].sort((a, b) => a - b)
  return lengths.map((length) => [
    {
      properties: {
        hash_type: {
          enum: Object.entries(HASH_TYPES).flatMap(([name, own]) => (own === length ? [name] : [])),
        },
      },
      required: ['hash_type'],
    },
    { properties: { hash: { minLength: length, maxLength: length } } },
  ])
}
