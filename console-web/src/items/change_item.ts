// Sends a change of an item to the service.
import { toHex } from '../../../shared/proof/bytes.ts'
import { jsonHash } from '../../../shared/proof/composites.ts'
import { isJsonObject, type JsonObject } from '../../../shared/proof/json_value.ts'
import { readStrictJson } from '../../../shared/proof/strict_json.ts'
import type { Api } from '../data/api_client.ts'
import type { Item } from './item.ts'

export type ItemChange = {
  readonly visibility?: string
  readonly tags?: readonly string[]
  /** Null for never. */
  readonly expires_at?: string | null
  readonly redacted?: boolean
  readonly claims?: JsonObject
}

/** @throws ApiFailure */
export const changeItem = async (
  api: Api,
  id: string,
  attributes: ItemChange,
  signal: AbortSignal,
): Promise<void> => {
  await api.patch(
    `/api/json/items/${encodeURIComponent(id)}`,
    { data: { type: 'item', id, attributes } },
    signal,
  )
}

type Given = { readonly claims: JsonObject } | { readonly why: string }

/** Claims that somebody kept, judged here, so that others are not even sent. */
export const readGivenClaims = (text: string, { claimsHash }: Pick<Item, 'claimsHash'>): Given => {
  try {
    const claims = readStrictJson(text)
    if (!isJsonObject(claims)) return { why: 'Claims are a JSON object, between { and }.' }
    const hash = toHex(jsonHash('items_claims', claims))
    if (hash !== claimsHash) return { why: 'These are other claims: they make another claims hash.' }
    // Numbers beyond what a browser writes exactly would be changed on the way.
    JSON.stringify(claims)
    return { claims }
  } catch {
    return { why: 'This is not JSON that can be sent from here.' }
  }
}
