// Basic facts about a bundle for display. They are unverified: only the report says what is true.
import { carried, type ReadEntry } from '../proof/bundle/bundle_parts.ts'
import type { ReadBundle } from '../proof/bundle/read_bundle.ts'
import { toHex } from '../proof/bytes.ts'
import { isHashType } from '../proof/claims.ts'
import { keyIdOf } from '../proof/composites.ts'
import { isJsonObject } from '../proof/json_value.ts'
import { CHAINS, isNetworkOf } from '../proof/public_chains.ts'
import { hasDevelopmentHeader, lacksBlock } from '../proof/verify/bitcoin_commitment.ts'
import { base64Bytes, textOf } from '../proof/verify/carried_values.ts'

export function bundleFacts({ type, publicKey: carriedKey, subject, block, commitments }: ReadBundle) {
  const key = base64Bytes(carriedKey, 32)
  const data = subject?.data
  const claims = type === 'item' && isJsonObject(data) ? data : {}
  const hashType = textOf(carried(claims, 'hash_type'))
  const hex = textOf(carried(claims, 'hash'))
  return {
    /** 8 hex, derived from `public_key`. Undefined when that is not a key. */
    keyId: key === undefined ? undefined : toHex(keyIdOf(key)),
    publicKey: textOf(carriedKey),
    /** `claims.name` of an item. */
    name: textOf(carried(claims, 'name')),
    /** The digest of a file that the item claims, when its hash function is a known one. */
    claimedHash:
      hashType !== undefined && hex !== undefined && isHashType(hashType)
        ? { type: hashType, hex }
        : undefined,
    blockId: textOf(block.id),
    /** One per commitment. */
    chains: commitments.map(chainFacts),
  }
}

export type BundleFacts = ReturnType<typeof bundleFacts>

const chainFacts = (entry: ReadEntry) => ({
  chain: entry.chain,
  /** Such as `mainnet`, or `on a network that is not known here`. Never the text of the bundle. */
  network: networkOf(entry),
  /** True when the entry lacks what ties it to a block, so that only its unsigned `network` says which chain it is on. */
  lacksBlock: CHAINS[entry.chain].evidence === 'block' && lacksBlock(entry),
})

export type ChainFacts = ReturnType<typeof chainFacts>

/**
 * The signature does not cover the name of a network. An unknown name is not displayed, because its text
 * could imitate a finding of the verifier.
 */
function networkOf(entry: ReadEntry): string {
  if (entry.chain === 'bitcoin' && hasDevelopmentHeader(entry)) return 'regtest'
  const network = textOf(entry.network)
  return network !== undefined && isNetworkOf(entry.chain, network)
    ? network
    : 'on a network that is not known here'
}
