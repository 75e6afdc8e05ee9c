// The error for bundles that are refused before verification.

/** In the order in which they are checked. The first that applies is the answer. */
const REJECTION_REASONS = [
  'not_a_json_object',
  'invalid_subject_data',
  'unsupported_layout',
  'invalid_subject_type',
  'missing_block',
  'unexpected_subject_fields_for_block_like',
  'missing_subject',
  'missing_inclusion_proof',
  'missing_metadata',
  'no_external_commitments',
  'invalid_commitment_entry',
] as const

export type RejectionReason = (typeof REJECTION_REASONS)[number]

export class BundleRejected extends Error {
  override readonly name = 'BundleRejected'
  readonly reason: RejectionReason

  constructor(reason: RejectionReason) {
    super(`not a proof bundle: ${reason}`)
    this.reason = reason
  }
}
