// Explanations of the rejection reasons, for people.
import type { RejectionReason } from '../proof/bundle/bundle_rejected.ts'

export const REJECTION_WORDS: Readonly<Record<RejectionReason, string>> = {
  not_a_json_object:
    'It is neither a JSON object nor CBOR: the file is cut short, changed, or something else.',
  invalid_subject_data: 'The hashed data in it holds something that JSON cannot say.',
  unsupported_layout:
    'It mixes the members of two layouts, so no reader can tell which one counts. Generate it again, in the layout “published”, or in “compact” for an older client.',
  invalid_subject_type:
    'It does not say what kind of thing it proves. If an older client wrote it, let that ask for the layout “compact”, the only one that it reads.',
  missing_block: 'The block is missing.',
  unexpected_subject_fields_for_block_like: 'It is about a block, and carries a subject all the same.',
  missing_subject: 'The subject is missing.',
  missing_inclusion_proof: 'The path from the subject to the block is missing.',
  missing_metadata: 'The metadata of the subject or of the block is missing.',
  no_external_commitments: 'It carries no commitment to any chain.',
  invalid_commitment_entry: 'One of its commitments cannot be read.',
}
