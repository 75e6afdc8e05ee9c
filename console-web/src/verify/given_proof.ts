// A proof that a person gave for verification: read, or refused with the reason in words.
import { BundleRejected } from '../../../shared/proof/bundle/bundle_parts.ts'
import type { ReadBundle } from '../../../shared/proof/bundle/read_bundle.ts'
import { type BundleFacts, bundleFacts } from '../../../shared/verifier/bundle_facts.ts'
import {
  LARGEST_BUNDLE_BYTES,
  REJECTION_WORDS,
  readAnyBundle,
} from '../../../shared/verifier/read_any_bundle.ts'

export type GivenProof =
  | { readonly kind: 'unreadable'; readonly name: string; readonly why: string }
  | { readonly kind: 'read'; readonly name: string; readonly read: ReadBundle; readonly facts: BundleFacts }

export const readGiven = (name: string, given: string | Uint8Array): GivenProof => {
  if (given.length > LARGEST_BUNDLE_BYTES)
    return {
      kind: 'unreadable',
      name,
      why: 'It is larger than any proof. Is it the file the proof is about?',
    }
  try {
    const read = readAnyBundle(given)
    return { kind: 'read', name, read, facts: bundleFacts(read) }
  } catch (error) {
    if (!(error instanceof BundleRejected)) throw error
    return { kind: 'unreadable', name, why: REJECTION_WORDS[error.reason] }
  }
}

/** Reads a dropped file. Does not read a file that is too large for a proof. */
export const readGivenFile = async (file: File): Promise<GivenProof> => {
  const bytes = file.size > LARGEST_BUNDLE_BYTES ? file.slice(0, LARGEST_BUNDLE_BYTES + 1) : file
  return readGiven(file.name, new Uint8Array(await bytes.arrayBuffer()))
}
