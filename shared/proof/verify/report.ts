// What a verification answers: rows in the order of the checks, and their sum. The words of the wire.
import type { ChainName } from '../public_chains.ts'
import type { ProofType } from '../signed_payload.ts'

export type RowCategory = 'data_integrity' | 'structural' | 'cryptographic' | 'blockchain' | 'timing'

/** `skip`: the check does not apply, or lacks optional data or the network. */
export type RowStatus = 'pass' | 'fail' | 'warn' | 'skip' | 'info'

export interface Row {
  /** Such as `Epoch Proof`. */
  readonly group: string
  readonly category: RowCategory
  readonly status: RowStatus
  /** One English sentence for people. */
  readonly message: string
}

/** UTC, whole seconds, such as `2027-01-01T00:01:40Z`; only those that exist. */
export type Temporal = {
  readonly claimed_at?: string
  readonly submitted_at?: string
  readonly captured_at?: string
  readonly committed_at?: string
} & { readonly [Time in `${ChainName}_commit`]?: string }

export interface Report {
  /** Of the subject, of the block when the bundle is about one; null when the bundle carries none, or none of such length. */
  readonly id: string | null
  readonly source: ProofType
  readonly subject_id: string | null
  readonly subject_type: ProofType
  /** As carried; null when that is no integer. */
  readonly proof_version: number | null
  /** As carried; null when that is no text, or a longer one than any time. */
  readonly generated_at: string | null
  /** No row is `fail`. */
  readonly passed: boolean
  readonly skipped_external: boolean
  /** The expected hash, trimmed and in lowercase. */
  readonly hash_provided: string | null
  readonly expected_hash_provided: boolean
  readonly hash_matched: boolean
  readonly temporal: Temporal
  readonly steps: readonly Row[]
  readonly pass_count: number
  readonly failed_count: number
  readonly warn_count: number
  readonly skip_count: number
  readonly info_count: number
}
