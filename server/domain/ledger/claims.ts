// The claims of one submission, and their rules that JSON Schema can express. Claims are measured, checked, written
// canonically and hashed at most once each.
import {
  CLAIMS_BOUNDS,
  claimsProblems,
  dropNulls,
  HASH_TYPES,
  MAX_CANONICAL_CLAIMS_BYTES,
  TELLING,
} from '../../../shared/proof/claims.ts'
import { canonicalTextHash } from '../../../shared/proof/composites.ts'
import { canonicalJson, type JsonObject } from '../../../shared/proof/json_value.ts'
import { boundedObject, membersIn } from '../../contract/bounds.ts'
import { type JsonSchema, type Kind, takenKind } from '../../contract/kind.ts'
import { asHashed } from '../../contract/kinds.ts'
import type { JsonText } from '../../kernel/json_text.ts'
import { kept, once } from '../../kernel/lru.ts'
import { type Problem, problem } from '../../kernel/refusal.ts'

const coordinate = (name: 'latitude' | 'longitude'): JsonSchema => ({
  type: 'number',
  ...CLAIMS_BOUNDS[name],
})

const lengths = (of: 'name' | 'description'): JsonSchema => ({
  minLength: CLAIMS_BOUNDS[of].minimum,
  maxLength: CLAIMS_BOUNDS[of].maximum,
})

/** A function, because the constants and functions that it uses are declared below it. */
const claimsSchema = (): JsonSchema => ({
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
      ...lengths('name'),
      description: `What to call it: ${CLAIMS_BOUNDS.name.minimum} to ${CLAIMS_BOUNDS.name.maximum} characters without U+0000.`,
    },
    description: {
      type: 'string',
      ...lengths('description'),
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

export type SubmittedClaims = ReturnType<typeof claimsOf>

function claimsOf(kept: JsonObject) {
  const text = once(() => canonicalJson(kept))
  const bytes = once(() => bytesOf(text))
  return Object.freeze({
    /** The claims without their null members, as they are stored. */
    kept,
    /** The canonical text, which is stored and hashed. @throws RangeError when the claims have no canonical form */
    text,
    /** The length of that in UTF-8 bytes. 0 when the claims have no canonical form, which `problems` reports. */
    bytes,
    /** The domain-separated hash of it. @throws RangeError when the claims have no canonical form */
    hash: once(() => canonicalTextHash('items_claims', text())),
    /**
     * Every broken rule, as `invalid_attribute` or `required` with the path of the member. Each problem is searched for
     * only when the iterator reaches it.
     */
    problems: remembered(findProblems(kept, bytes)),
  })
}

/**
 * Returns the same result for the same object, so that the code that measures a request and the code that runs it
 * share the work.
 */
export const submittedClaims = (claims: JsonObject): SubmittedClaims =>
  kept(submitted, claims, () => claimsOf(dropNulls(claims)))

const submitted = new WeakMap<JsonObject, SubmittedClaims>()

/** Example claims with the digest of a file, which is the most common kind. */
export const CLAIMS_EXAMPLE = {
  name: 'contract.pdf',
  hash: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  hash_type: 'sha256',
}

/**
 * The claims of an item. Null members are ignored. This kind checks only the size and the form of the object;
 * `problems` has the rules of the members.
 */
export const claims = (): Kind<SubmittedClaims, JsonText, string> =>
  takenKind(
    'claims',
    'JsonString',
    boundedObject(MAX_CANONICAL_CLAIMS_BYTES, (object) => submittedClaims(object).kept)
      .transform(submittedClaims)
      .meta(claimsSchema()),
    { show: asHashed, named: { schema: 'Claims' }, example: CLAIMS_EXAMPLE },
  )

function* findProblems(kept: JsonObject, bytes: () => number): Generator<Problem> {
  for (const { path, reason, message, bound } of claimsProblems(kept))
    yield problem(reason === 'required' ? 'required' : 'invalid_attribute', {
      path: ['claims', ...path],
      detail: message,
      meta: { reason, ...bound },
    })
  const maximum = MAX_CANONICAL_CLAIMS_BYTES
  if (bytes() > maximum)
    yield problem('invalid_attribute', {
      path: ['claims'],
      detail: `has at most ${maximum} bytes in canonical form`,
      meta: { reason: 'too_large', maximum },
    })
}

function bytesOf(text: () => string): number {
  try {
    return Buffer.byteLength(text())
  } catch (error) {
    if (error instanceof RangeError) return 0
    throw error
  }
}

/** Searches only as far as a reader reads, and keeps what it found for later readers. */
function remembered<T>(rest: Iterator<T>): () => Iterable<T> {
  const found: T[] = []
  return function* () {
    for (let index = 0; ; index += 1) {
      if (index === found.length) {
        const next = rest.next()
        if (next.done === true) return
        found.push(next.value)
      }
      yield* found.slice(index, index + 1)
    }
  }
}
