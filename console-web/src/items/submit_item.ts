// Submits a draft. Attempts with the same key create only one item, however often the network fails.
import type { Api } from '../data/api_client.ts'
import { readDocument } from '../data/resource.ts'
import { claimsOf, type Draft, tagsOf } from './draft.ts'

/**
 * Returns the id of the new item.
 * @throws ApiFailure
 */
export const submitItem = async (
  api: Api,
  draft: Draft,
  idempotencyKey: string,
  signal: AbortSignal,
): Promise<string> => {
  const attributes = { claims: claimsOf(draft), visibility: draft.visibility, tags: tagsOf(draft) }
  const answer = await api.post(
    '/api/json/items',
    { data: { type: 'item', attributes } },
    { signal, idempotencyKey },
  )
  return readDocument(answer).id
}

/** `crypto.randomUUID` exists on secure pages only, and the console may be served over plain HTTP. */
export const newIdempotencyKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )
