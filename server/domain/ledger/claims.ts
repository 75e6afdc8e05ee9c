// The claims of one submission. They are weighed, judged, written canonically and hashed, each at most once: whoever
// asks again is given what was found before.
import { canonicalJson } from '../../../shared/proof/canonical_json.ts'
import { claimsProblems, dropNulls, MAX_CANONICAL_CLAIMS_BYTES } from '../../../shared/proof/claims.ts'
import { canonicalTextHash } from '../../../shared/proof/composites.ts'
import type { JsonObject } from '../../../shared/proof/json_value.ts'
import { boundedObject } from '../../contract/bounds.ts'
import { type Kind, takenKind } from '../../contract/kinds/kind.ts'
import type { JsonText } from '../../kernel/json_text.ts'
import { type Problem, problem } from '../../kernel/refusal.ts'
import { claimsSchema } from './claims_schema.ts'

export interface SubmittedClaims {
  /** Less their nulls, as they are stored. */
  readonly kept: JsonObject
  /** Every broken rule: `invalid_attribute` or `required`, with the path of the member. Found one by one. */
  readonly problems: () => Iterable<Problem>
  /** The one spelling that is stored and hashed. @throws RangeError for what has none */
  readonly text: () => string
  /** Of that spelling in UTF-8; 0 for what has none, which is a mistake of another kind. */
  readonly bytes: () => number
  /** Domain-separated. @throws RangeError as `text` does */
  readonly hash: () => Uint8Array
}

/** The same answer for the same object: what weighs a request and what runs it need not know of each other. */
export function submittedClaims(claims: JsonObject): SubmittedClaims {
  const known = submitted.get(claims)
  if (known !== undefined) return known
  const kept = dropNulls(claims)
  const text = once(() => canonicalJson(kept))
  const bytes = once(() => bytesOf(text))
  const made = Object.freeze({
    kept,
    text,
    bytes,
    problems: remembered(findProblems(kept, bytes)),
    hash: once(() => canonicalTextHash('items_claims', text())),
  })
  submitted.set(claims, made)
  return made
}

const submitted = new WeakMap<JsonObject, SubmittedClaims>()

/** A digest of a file, as most items have it. */
export const CLAIMS_EXAMPLE = {
  name: 'contract.pdf',
  hash: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  hash_type: 'sha256',
}

/** The claims of an item; what is null in them does not count. `check` tells their own rules, `problems`. */
export const claims = (): Kind<SubmittedClaims, JsonText> =>
  takenKind(
    'claims',
    'JsonString',
    boundedObject(MAX_CANONICAL_CLAIMS_BYTES, (object) => submittedClaims(object).kept)
      .transform(submittedClaims)
      .meta(claimsSchema()),
    { named: { schema: 'Claims' }, example: CLAIMS_EXAMPLE },
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

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** Searches on only as far as somebody reads, and never again where somebody has read. */
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
