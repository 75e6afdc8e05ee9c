// The beacon of a draw: the one that is named, or the first at or after a time. What the page claims of it is computed
// here.

import { uuid7Time } from '../../../shared/proof/ids.ts'
import type { JsonValue } from '../../../shared/proof/json_value.ts'
import { beaconOf, readBlock, readBlockPage } from '../blocks/block.ts'
import { recomputeBlock } from '../blocks/recompute_block.ts'
import { includedOf } from '../data/resource.ts'

export type DrawnBeacon = NonNullable<ReturnType<typeof readDrawnBeacon>>

const WITH_BEFORE = 'page[limit]=1&include=previous'

export const namedPath = (hash: string): string =>
  `/api/json/blocks?filter[block_hash]=${hash}&${WITH_BEFORE}`

/** @param at ISO 8601 */
export const firstPath = (at: string): string =>
  `/api/json/blocks?filter[finalized_at][gte]=${encodeURIComponent(at)}&sort=finalized_at&${WITH_BEFORE}`

/**
 * Null when there is no such block.
 * @throws ApiFailure when the document is something else
 */
export const readDrawnBeacon = (document: JsonValue) => {
  const [block] = readBlockPage(document).rows
  if (block === undefined) return null
  const beacon = beaconOf(block)
  const before = includedOf(document, 'block', readBlock).find(
    ({ height, hash }) => height === block.height - 1 && hash === block.previousHash,
  )
  const isSound = before !== undefined && recomputeBlock(beaconOf(before), before).ok
  return {
    beacon,
    height: block.height,
    recomputation: recomputeBlock(beacon, block),
    /** The time of the block before it, whose hash was recomputed too. Null when that could not be shown. */
    beforeAt: isSound ? before.finalizedAt : null,
  }
}

/** Whether this is the first beacon at or after the time: it is not earlier, and the one before it is. */
export const isFirstFrom = ({ beacon, height, beforeAt }: DrawnBeacon, at: string): boolean => {
  const time = uuid7Time(beacon.id)
  if (time !== undefined && height === 0) return time >= Date.parse(at)
  return (
    time !== undefined && time >= Date.parse(at) && beforeAt !== null && Date.parse(beforeAt) < Date.parse(at)
  )
}
