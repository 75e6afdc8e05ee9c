// Asks the service for the path of one leaf. It stands in the leaf's proof, once the block is committed.
import { isJsonObject, memberOf } from '../../../shared/proof/json_value.ts'
import { decodePath, type PathStep } from '../../../shared/proof/merkle.ts'
import type { Api } from '../data/api_client.ts'
import { ApiFailure } from '../data/api_failure.ts'
import type { Leaf } from './leaf.ts'

/** @throws ApiFailure */
export const fetchPath = async (
  api: Pick<Api, 'post'>,
  { id, type }: Pick<Leaf, 'id' | 'type'>,
  signal: AbortSignal,
): Promise<readonly PathStep[]> => {
  const answer = await api.post('/api/json/proof/generate', { data: { id, type, witnesses: [] } }, { signal })
  const result = isJsonObject(answer) ? memberOf(answer, 'result') : undefined
  const path = isJsonObject(result) ? memberOf(result, 'inclusion_proof') : undefined
  try {
    if (typeof path === 'string') return decodePath(path)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
  throw new ApiFailure('unreadable', 'The service sent a proof whose path this page cannot read.')
}
