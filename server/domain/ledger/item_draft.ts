// What a caller submits, checked and hashed before the database is asked anything.
import { canonicalJson } from '../../../shared/proof/canonical_json.ts'
import { claimsProblems, dropNulls, MAX_CANONICAL_CLAIMS_BYTES } from '../../../shared/proof/claims.ts'
import { canonicalTextHash } from '../../../shared/proof/composites.ts'
import type { JsonObject, JsonValue } from '../../../shared/proof/json_value.ts'
import { type Problem, problem, refuseAny } from '../../kernel/refusal.ts'
import type { Visibility } from './item.ts'

export interface Submission {
  readonly claims: JsonObject
  readonly visibility?: Visibility
  /** As their kind let them through. */
  readonly tags?: readonly string[]
  readonly expiresAt?: Date
  readonly creatorId: string
  readonly teamId: string
}

export interface ItemDraft {
  readonly claims: string
  readonly claimsHash: Uint8Array
  readonly hash: string | null
  readonly displayName: string | null
  readonly displayDescription: string | null
  readonly visibility: Visibility
  readonly tags: readonly string[]
  readonly expiresAt: Date | null
  readonly creatorId: string
  readonly teamId: string
}

/** @throws every broken rule of the claims at once: `invalid_attribute` or `required`, with the path of the member */
export function draftItem(submission: Submission): ItemDraft {
  refuseAny([...checkItemClaims(submission.claims)])
  const { claims, claimsHash, kept } = hashClaims(submission.claims)
  return {
    claims,
    claimsHash,
    hash: textOrNull(kept.hash),
    displayName: textOrNull(kept.name),
    displayDescription: textOrNull(kept.description),
    visibility: submission.visibility ?? 'private',
    tags: submission.tags ?? [],
    expiresAt: submission.expiresAt ?? null,
    creatorId: submission.creatorId,
    teamId: submission.teamId,
  }
}

interface Canonical {
  readonly kept: JsonObject
  readonly text: string
  readonly bytes: number
}

/** Claims are weighed, checked and hashed: written canonically once. */
const canonical = new WeakMap<JsonObject, Canonical>()

/** Claims as they are stored: less their nulls, in canonical form. */
export function canonicalClaims(claims: JsonObject): Canonical {
  const known = canonical.get(claims)
  if (known !== undefined) return known
  const kept = dropNulls(claims)
  const text = canonicalJson(kept)
  const made = { kept, text, bytes: Buffer.byteLength(text) }
  canonical.set(claims, made)
  return made
}

/** The canonical text and hash of claims given once more, as they would be stored. */
export function hashClaims(claims: JsonObject): { claims: string; claimsHash: Uint8Array; kept: JsonObject } {
  const { kept, text } = canonicalClaims(claims)
  return { claims: text, claimsHash: canonicalTextHash('items_claims', text), kept }
}

export const textOrNull = (value: JsonValue | undefined): string | null =>
  typeof value === 'string' ? value : null

/** Every broken rule of claims that their kind let through, found one by one. */
export function* checkItemClaims(claims: JsonObject): Generator<Problem> {
  for (const { path, reason, message, bound } of claimsProblems(dropNulls(claims)))
    yield problem(reason === 'required' ? 'required' : 'invalid_attribute', {
      path: ['claims', ...path],
      detail: message,
      meta: { reason, ...bound },
    })
  const maximum = MAX_CANONICAL_CLAIMS_BYTES
  if (canonicalBytes(claims) > maximum)
    yield problem('invalid_attribute', {
      path: ['claims'],
      detail: `has at most ${maximum} bytes in canonical form`,
      meta: { reason: 'too_large', maximum },
    })
}

/** 0 for what has no canonical form, which is a mistake of another kind. */
function canonicalBytes(claims: JsonObject): number {
  try {
    return canonicalClaims(claims).bytes
  } catch (error) {
    if (error instanceof RangeError) return 0
    throw error
  }
}
