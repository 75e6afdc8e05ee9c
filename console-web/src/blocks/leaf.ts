// The leaves of a block as a caller can read them: items and observations, in the order of the tree.
import { fromHex } from '../../../shared/proof/bytes.ts'
import type { JsonValue } from '../../../shared/proof/json_value.ts'
import { eachOnce } from '../data/newest_first.ts'
import { includedOf, pageOf } from '../data/resource.ts'
import { called, objectOrNull, shape, text, textAt, textOrNull } from '../data/shape.ts'
import { type Round, roundOf } from '../data/stream/round.ts'
import { useDocument } from '../data/use_document.ts'
import { count, plural } from '../ui/format.ts'

export type Leaf = ReturnType<typeof readLeaf>

/** Items of other teams come with their claims, so many more would be too large an answer. */
const MOST_READABLE = 250

/**
 * All items of the block that the caller may read, those of other teams too. The claims say how many digests a round
 * has.
 */
const readableLeavesPath = (blockId: string): string =>
  `/api/json/blocks/${encodeURIComponent(blockId)}?include=items&fields[block]=height&fields[item]=item_hash,display_name,creator_id,claims`

const readItemLeaf = shape({
  id: text,
  /** What is hashed into the leaf, 64 hex. */
  hash: called('item_hash', text),
  name: called('display_name', textOrNull),
  creatorId: textOrNull,
  claims: objectOrNull,
})

const readObservationLeaf = shape({
  id: text,
  /** Such as `entropy_nist`: the type of its proof. */
  type: called('source', text),
  hash: called('observation_hash', text),
})

const readLeaf = (members: unknown) => {
  if (textAt(members, 'type') !== 'item') return { ...readObservationLeaf(members), name: null, round: null }
  const { creatorId, claims, ...leaf } = readItemLeaf(members)
  return {
    ...leaf,
    type: 'item',
    /** What the item stands for, when the service made it for those without an account. */
    round: roundOf(creatorId, claims),
  }
}

export const readLeaves = pageOf(readLeaf)

/** Of a document with its included items. */
const readIncludedLeaves = (document: JsonValue): readonly Leaf[] => includedOf(document, 'item', readLeaf)

/** All items of a block that the caller may read, where `wanted` of them are. Null where these are none, or too many. */
export const useReadableLeaves = (blockId: string | null, wanted: number) => {
  const isAsked = blockId !== null && wanted > 0 && wanted <= MOST_READABLE
  const loaded = useDocument(isAsked ? readableLeavesPath(blockId) : null, { read: readIncludedLeaves })
  return isAsked ? loaded : null
}

/** Each once, in the order of the tree: that of the bytes of their ids, which are ASCII. */
export const inOrder = (leaves: readonly Leaf[]): readonly Leaf[] => eachOnce(leaves).toReversed()

/** What the tree hashes, in the order of the leaves. */
export const valuesOf = (leaves: readonly Leaf[]): Uint8Array[] => leaves.map(({ hash }) => fromHex(hash))

export const roundWords = ({ number, digests }: Round): string =>
  `Round ${count(number)}: ${plural(digests, 'digest')} stamped without an account`

/** The page of the leaf's own subject. */
export const leafPage = ({ id, type }: Leaf): string => (type === 'item' ? `/items/${id}` : `/entropy/${id}`)
