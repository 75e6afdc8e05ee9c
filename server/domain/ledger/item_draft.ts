// What a caller submits, judged and hashed before the database is asked anything.
import type { JsonValue } from '../../../shared/proof/json_value.ts'
import { refuseAny } from '../../kernel/refusal.ts'
import type { SubmittedClaims } from './claims.ts'
import type { Visibility } from './item.ts'

export interface Submission {
  readonly claims: SubmittedClaims
  readonly visibility?: Visibility
  /** As their kind let them through. */
  readonly tags?: readonly string[]
  readonly expiresAt?: Date
  readonly creatorId: string
  readonly teamId: string
}

export interface ItemDraft {
  /** Canonical JSON text. */
  readonly claims: string
  /** Of that text in UTF-8. */
  readonly claimsBytes: number
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
  const { claims } = submission
  refuseAny([...claims.problems()])
  const { kept } = claims
  return {
    claims: claims.text(),
    claimsBytes: claims.bytes(),
    claimsHash: claims.hash(),
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

export const textOrNull = (value: JsonValue | undefined): string | null =>
  typeof value === 'string' ? value : null
