// What a verification finds: rows in the order of the checks, and the findings that they are made of. Names are those used
// in JSON.
import type { ReadEntry } from '../bundle/bundle_parts.ts'
import type { Lookups } from '../lookups/lookup.ts'
import type { ChainName } from '../public_chains.ts'
import type { ProofType } from '../signed_payload.ts'

export type RowCategory = 'data_integrity' | 'structural' | 'cryptographic' | 'blockchain' | 'timing'

/** `skip`: the check does not apply, or optional data or the network is missing. */
export type RowStatus = 'pass' | 'fail' | 'warn' | 'skip' | 'info'

export interface Row {
  /** Such as `Epoch Proof`. */
  readonly group: string
  readonly category: RowCategory
  readonly status: RowStatus
  /** One English sentence for people. */
  readonly message: string
}

/** UTC in whole seconds, such as `2027-01-01T00:01:40Z`. Only times that exist are present. */
export type Temporal = {
  readonly claimed_at?: string
  readonly submitted_at?: string
  readonly captured_at?: string
  readonly committed_at?: string
} & { readonly [Time in `${ChainName}_commit`]?: string }

export interface Report {
  /**
   * Id of the subject, or of the block in a block-like bundle. Null when the bundle has none or one of the
   * wrong length.
   */
  readonly id: string | null
  readonly source: ProofType
  readonly subject_id: string | null
  readonly subject_type: ProofType
  /** As carried. Null when it is not an integer. */
  readonly proof_version: number | null
  /** As carried. Null when it is not text, or text longer than any time. */
  readonly generated_at: string | null
  /** True when no row is `fail`. */
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

export interface Finding {
  readonly status: RowStatus
  /** One English sentence for people. */
  readonly message: string
  /** Given when it differs from the step's category. */
  readonly category?: RowCategory
}

/** Result of a check that may ask a public service. */
export interface CheckVerdict {
  readonly findings: readonly Finding[]
  /** True when the public service agreed. */
  readonly isConfirmed: boolean
}

/** Result of asking the chain about an entry. */
export interface ChainVerdict extends CheckVerdict {
  /**
   * Milliseconds since 1970: the time that the chain shows for the entry (header or ledger). Only for
   * confirmed entries.
   */
  readonly shownAt?: number | undefined
}

const finding =
  (status: RowStatus) =>
  (message: string): Finding => ({ status, message })

export const pass = finding('pass')
export const fail = finding('fail')
export const warn = finding('warn')
export const skip = finding('skip')
export const info = finding('info')

/** What is to be noted in rows. */
export const warningsIn = (rows: readonly Row[]): string[] =>
  rows.filter(({ status }) => status === 'warn').map(({ message }) => message)

export function unconfirmed(...findings: Finding[]): CheckVerdict {
  return { findings, isConfirmed: false }
}

export interface EntryEvidence {
  /**
   * What the bytes of the entry show: `info` where they agree, `fail` where they do not, `skip` where there
   * are none.
   */
  readonly findings: readonly Finding[]
  /** True when the entry carries none of the bytes of its chain. There is then nothing to look up. */
  readonly isBare: boolean
  /** Whether there is anything to ask the chain for. */
  readonly asks: boolean
  /** Without lookups, reports that the chain was not asked. */
  readonly confirm: (lookups: Lookups | undefined) => Promise<ChainVerdict>
}

export type ChainReader = (entry: ReadEntry) => EntryEvidence
