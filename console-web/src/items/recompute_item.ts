// Recomputes an item's hashes in the browser from its parts, and compares them with the service's values.
import { bytesEqual, fromHex, isHex, toHex } from '../../../shared/proof/bytes.ts'
import { itemHash, jsonHash } from '../../../shared/proof/composites.ts'
import type { Item } from './item.ts'

export const recomputeItem = (item: Item) => {
  const claims = item.claims === null ? null : jsonHash('items_claims', item.claims)
  const metadata = jsonHash('items_metadata', item.metadata)
  const whole =
    isHex(item.keyId, 4) && isHex(item.claimsHash, 32)
      ? itemHash({
          id: item.id,
          claimsHash: claims ?? fromHex(item.claimsHash),
          metadataHash: metadata,
          keyId: fromHex(item.keyId),
        })
      : null
  return [
    checkOf('claims_hash', 'D(0x11, JCS(claims))', item.claimsHash, claims),
    checkOf('metadata_hash', 'D(0x12, JCS(metadata))', item.metadataHash, metadata),
    checkOf('item_hash', 'D(0x13, id ‖ claims hash ‖ metadata hash ‖ key id)', item.itemHash, whole),
  ]
}

/** A value of the service, and what was computed of it here. */
export const checkOf = (name: string, rule: string, expected: string, computed: Uint8Array | null) => ({
  name,
  rule,
  expected,
  /** Null when the hashed data are deleted: a redacted item keeps its hashes but not its claims. */
  computed: computed === null ? null : toHex(computed),
  ok: computed !== null && isHex(expected, 32) && bytesEqual(computed, fromHex(expected)),
})
