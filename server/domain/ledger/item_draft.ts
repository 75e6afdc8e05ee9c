// Checks and hashes a submission before any database query.
import type { JsonValue } from '../../../shared/proof/json_value.ts'
import type { NothingLeft } from '../../kernel/nothing_left.ts'
import { refuseAny } from '../../kernel/refusal.ts'
import type { SubmittedClaims } from './claims.ts'
import type { Visibility } from './item.ts'

export interface Submission {
  readonly claims: SubmittedClaims
  readonly visibility?: Visibility
  /** Already checked by the kind of the attribute. */
  readonly tags?: readonly string[]
  readonly expiresAt?: Date
  readonly creatorId: string
  readonly teamId: string
}

export interface ItemDraft {
  /** Canonical JSON text. */
  readonly claims: string
  /** Length of `claims` in UTF-8 bytes. */
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

/** @throws invalid_attribute or required, with every broken rule of the claims and the path of each member */
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
