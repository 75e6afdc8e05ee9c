// What a caller submits, checked and hashed before the database is asked anything.
import { canonicalJson } from '../../../shared/proof/canonical_json.ts'
import { checkClaims, dropNulls, MAX_CANONICAL_CLAIMS_BYTES } from '../../../shared/proof/claims.ts'
import { canonicalTextHash } from '../../../shared/proof/composites.ts'
import type { JsonObject, JsonValue } from '../../../shared/proof/json_value.ts'
import { type Problem, problem, refuseAny } from '../../kernel/refusal.ts'
import type { Visibility } from './item.ts'
import { checkTags } from './tags.ts'

export interface Submission {
  readonly claims: JsonObject
  readonly visibility?: Visibility
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

/** @throws every broken rule at once: `invalid_attribute` or `required`, with the path of the member */
export function draftItem(submission: Submission): ItemDraft {
  refuseAny([...checkItemClaims(submission.claims), ...checkTags(submission.tags ?? [])])
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

/** Every broken rule of the claims, or that their canonical form is too large for a bundle to carry. */
export function checkItemClaims(claims: JsonObject): Problem[] {
  const problems = checkClaims(dropNulls(claims)).map(({ path, reason, message }) =>
    problem(reason === 'required' ? 'required' : 'invalid_attribute', {
      path: ['claims', ...path],
      detail: message,
      meta: { reason },
    }),
  )
  if (problems.length > 0) return problems
  const { bytes } = canonicalClaims(claims)
  if (bytes <= MAX_CANONICAL_CLAIMS_BYTES) return []
  const detail = `is ${bytes} bytes in canonical form; at most ${MAX_CANONICAL_CLAIMS_BYTES} are accepted`
  return [
    problem('invalid_attribute', {
      path: ['claims'],
      detail,
      meta: { max_bytes: MAX_CANONICAL_CLAIMS_BYTES },
    }),
  ]
}
