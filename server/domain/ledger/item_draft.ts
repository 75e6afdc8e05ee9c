// What a caller submits, judged and hashed before the database is asked anything.
import type { JsonValue } from '../../../shared/proof/json_value.ts'
import type { NothingLeft } from '../../kernel/nothing_left.ts'
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
  const { claims, visibility, tags, expiresAt, creatorId, teamId, ...others } = submission
  others satisfies NothingLeft
  refuseAny([...claims.problems()])
  const { kept } = claims
  return {
    claims: claims.text(),
    claimsBytes: claims.bytes(),
    claimsHash: claims.hash(),
    hash: textOrNull(kept.hash),
    displayName: textOrNull(kept.name),
    displayDescription: textOrNull(kept.description),
    visibility: visibility ?? 'private',
    tags: tags ?? [],
    expiresAt: expiresAt ?? null,
    creatorId,
    teamId,
  }
}

export const textOrNull = (value: JsonValue | undefined): string | null =>
  typeof value === 'string' ? value : null
