// Basic facts about a bundle for display. They are unverified: only the report says what is true.
import type { ReadBundle } from '../proof/bundle/read_bundle.ts'
import { fromBase64, toHex } from '../proof/bytes.ts'
import { type HashType, isHashType } from '../proof/claims.ts'
import { keyIdOf } from '../proof/composites.ts'
import { isJsonObject, type JsonValue, memberOf } from '../proof/json_value.ts'
import type { ChainName } from '../proof/public_chains.ts'

export interface BundleFacts {
  /** 8 hex, derived from `public_key`. Undefined when that is not a key. */
  readonly keyId: string | undefined
  readonly publicKey: string | undefined
  /** `claims.name` of an item. */
  readonly name: string | undefined
  /** The digest of a file that the item claims, when its hash function is a known one. */
  readonly claimedHash: { readonly type: HashType; readonly hex: string } | undefined
  readonly blockId: string | undefined
  /** One per commitment, such as `bitcoin mainnet`. */
  readonly chains: readonly { readonly chain: ChainName; readonly network: string | undefined }[]
}

export function factsOf({
  type,
  publicKey: carriedKey,
  subject,
  block,
  commitments,
}: ReadBundle): BundleFacts {
  const publicKey = textOf(carriedKey)
  const data = subject?.data
  const claims = type === 'item' && isJsonObject(data) ? data : {}
  const hashType = textOf(memberOf(claims, 'hash_type'))
  const hex = textOf(memberOf(claims, 'hash'))
  return {
    keyId: publicKey === undefined ? undefined : derivedKeyId(publicKey),
    publicKey,
    name: textOf(memberOf(claims, 'name')),
    claimedHash:
      hashType !== undefined && hex !== undefined && isHashType(hashType)
        ? { type: hashType, hex }
        : undefined,
    blockId: textOf(block.id),
    chains: commitments.map(({ chain, network }) => ({ chain, network: textOf(network) })),
  }
}

const derivedKeyId = (publicKey: string): string | undefined => {
  try {
    const bytes = fromBase64(publicKey)
    return bytes.length === 32 ? toHex(keyIdOf(bytes)) : undefined
  } catch {
    return undefined
  }
}

const textOf = (value: JsonValue | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined
