// Asks the service for a proof, and makes a file of it.
import { fromBase64 } from '../../../shared/proof/bytes.ts'
import { memberAt } from '../../../shared/proof/json_value.ts'
import { bundleBytes, fileNameOf, type ProofInput } from '../../../shared/verifier/read_any_bundle.ts'
import type { Api } from '../data/api_client.ts'
import { unreadable } from '../data/api_failure.ts'

/** @throws ApiFailure */
export const fetchProof = async (api: Api, request: ProofInput): Promise<File> => {
  const answer = await api.post('/api/json/proof/generate', { data: { ...request } })
  const result = memberAt(answer, 'result')
  if (result === undefined) throw unreadable('a proof')
  return new File([Uint8Array.from(bundleBytes(result))], fileNameOf(request))
}

/**
 * The proof of an item as an .ots file.
 * @throws ApiFailure
 */
export const fetchOts = async (api: Api, id: string): Promise<File> => {
  const answer = await api.post('/api/json/proof/opentimestamps', { data: { id } })
  const result = memberAt(answer, 'result')
  const [name, ots] = ['filename', 'ots'].map((member) => memberAt(result, member))
  if (typeof name !== 'string' || typeof ots !== 'string') throw unreadable('an .ots file')
  return new File([Uint8Array.from(fromBase64(ots))], name)
}
