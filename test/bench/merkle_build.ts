// The tree over a million leaves with its tiles, compared with as many SHA-256 digests of the same lengths in
// a bare loop.
import { createHash, randomBytes } from 'node:crypto'
import { TileTree } from '../../server/domain/ledger/tile_tree.ts'
import { type Measure, timed } from './measurement.ts'

const LEAVES = 1_000_000
const AIM_RATIO = 2

export const buildLargeTree: Measure = async (_ground, say) => {
  const leaf = randomBytes(32)
  say('  baseline: a bare loop')
  const bare = await timed(() => {
    // A tree of n leaves has n - 1 inner nodes. A leaf hashes a byte and one hash, a node a byte and two.
    for (let index = 0; index < LEAVES; index += 1) createHash('sha256').update('0').update(leaf).digest()
    for (let index = 1; index < LEAVES; index += 1)
      createHash('sha256').update('1').update(leaf).update(leaf).digest()
  })
  say('  ours: the tree')
  let tiles = 0
  const ours = await timed(() => {
    const tree = new TileTree(() => {
      tiles += 1
    })
    for (let index = 0; index < LEAVES; index += 1) tree.add(leaf)
    return tree.finish()
  })
  const ratio = ours.ms / bare.ms
  return {
    what: `build the tree over ${LEAVES} leaves`,
    baseline: `${Math.round(bare.ms)} ms for ${2 * LEAVES - 1} digests`,
    ours: `${Math.round(ours.ms)} ms, ${tiles} tiles`,
    ratio,
    aim: `<= ${AIM_RATIO} x`,
    met: ratio <= AIM_RATIO,
  }
}
