// Asks the service for a proof, and says in plain words why there is none yet.
import { fromBase64 } from '../../../shared/proof/bytes.ts'
import { bundleBytes, fileNameOf, type ProofInput } from '../../../shared/verifier/read_any_bundle.ts'
import type { Api } from '../data/api_client.ts'
import { ApiFailure, messageOf } from '../data/api_failure.ts'
import { memberAt } from '../data/resource.ts'

type ProofFile = { readonly name: string; readonly bytes: Uint8Array }

/** @throws ApiFailure */
export const fetchProof = async (api: Api, request: ProofInput, signal?: AbortSignal): Promise<ProofFile> => {
  const answer = await api.post(
    '/api/json/proof/generate',
    { data: { ...request } },
    signal === undefined ? {} : { signal },
  )
  const result = memberAt(answer, 'result')
  if (result === undefined)
    throw new ApiFailure('unreadable', 'The server sent something that is not a proof.')
  return { name: fileNameOf(request), bytes: bundleBytes(result) }
}

/**
 * The proof of an item as an .ots file.
 * @throws ApiFailure
 */
export const fetchOts = async (api: Api, id: string, signal: AbortSignal): Promise<ProofFile> => {
  const answer = await api.post('/api/json/proof/opentimestamps', { data: { id } }, { signal })
  const result = memberAt(answer, 'result')
  const [name, ots] = ['filename', 'ots'].map((member) => memberAt(result, member))
  if (typeof name !== 'string' || typeof ots !== 'string')
    throw new ApiFailure('unreadable', 'The server sent something that is not an .ots file.')
  return { name, bytes: fromBase64(ots) }
}

export const proofFailureWords = (error: unknown): string => {
  if (!(error instanceof ApiFailure) || error.code === null || neverPasses(error)) return messageOf(error)
  return WORDS.get(error.code) ?? messageOf(error)
}

/** Null in place of a wait: no epoch will ever hold the block. The words below would promise one. */
const neverPasses = ({ problems }: ApiFailure): boolean => problems[0]?.meta.retry_after_ms === null

const WORDS = new Map([
  [
    'subject_not_ready',
    'It is not in a finalized block yet. The proof can be made once that block stands on a public chain.',
  ],
  [
    'no_external_commitments',
    'Its block does not stand on a public chain yet. The proof can be made as soon as it does.',
  ],
  ['subject_not_recomputable', 'Its claims were redacted, so the hash in the block cannot be recomputed.'],
  ['signing_unavailable', 'The service cannot sign just now. Try again in a moment.'],
  ['lookup_failed', 'The service could not read what the proof is built from. Try again in a moment.'],
])
