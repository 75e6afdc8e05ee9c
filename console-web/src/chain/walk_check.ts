// Checks a run of blocks downwards: every hash recomputed from its parts, every link, every height and every time.
import { GENESIS_PREVIOUS_HASH } from '../beacons/genesis.ts'
import { type Block, beaconOf } from '../blocks/block.ts'
import { recomputeBlock } from '../blocks/recompute_block.ts'

/** How far a walk has come. */
export type WalkPlace = {
  readonly checked: number
  /** The first block of the walk: the newest one. */
  readonly top: WalkBlock | null
  /** The last block that was checked: the oldest one. */
  readonly low: WalkBlock | null
}

export type WalkBlock = Pick<Block, 'id' | 'height' | 'hash' | 'previousHash' | 'finalizedAt'>

/** The first thing that does not hold, with both values. */
export type WalkBreak = {
  readonly block: WalkBlock
  readonly what: string
  readonly expected: string
  readonly found: string
}

export const WALK_BEGIN: WalkPlace = { checked: 0, top: null, low: null }

/** The place after this block, or why it does not hold. */
export const checkNext = (place: WalkPlace, block: Block): WalkPlace | WalkBreak => {
  const broken =
    placeBreak(place.low, block) ??
    recomputeBlock(beaconOf(block), block).steps.flatMap(({ ok, name, expected, computed }) =>
      ok ? [] : [{ what: `${name} is not the one computed here`, expected, found: computed }],
    )[0]
  const { id, height, hash, previousHash, finalizedAt } = block
  const kept: WalkBlock = { id, height, hash, previousHash, finalizedAt }
  if (broken !== undefined) return { block: kept, ...broken }
  return { checked: place.checked + 1, top: place.top ?? kept, low: kept }
}

export const isBreak = (result: WalkPlace | WalkBreak): result is WalkBreak => 'what' in result

type Difference = Omit<WalkBreak, 'block'>

const placeBreak = (above: WalkBlock | null, block: Block): Difference | undefined => {
  if (block.height === 0 && block.previousHash !== GENESIS_PREVIOUS_HASH)
    return {
      what: 'The genesis block does not link to the beginning',
      expected: GENESIS_PREVIOUS_HASH,
      found: block.previousHash,
    }
  if (above === null) return undefined
  if (block.height !== above.height - 1)
    return { what: 'A height is missing', expected: String(above.height - 1), found: String(block.height) }
  if (block.hash !== above.previousHash)
    return {
      what: `Block ${above.height} does not link to this block`,
      expected: above.previousHash,
      found: block.hash,
    }
  return Date.parse(block.finalizedAt) < Date.parse(above.finalizedAt)
    ? undefined
    : {
        what: 'The block is not older than the next one',
        expected: `before ${above.finalizedAt}`,
        found: block.finalizedAt,
      }
}
