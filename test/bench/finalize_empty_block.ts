// A block without items, compared with the same transaction without the public log: no leaf, no tiles, no checkpoint.
import { NO_LOG } from '../../server/domain/ledger/block.ts'
import { finalizeBlock } from '../../server/domain/ledger/finalize_block.ts'
import type { Ground } from './ground.ts'
import { type Measure, timed } from './measurement.ts'

const ROUNDS = 8
const BLOCKS = 60
const AIM = 1.1

export const finalizeEmptyBlock: Measure = async (ground, say) => {
  const { bare } = ground
  const times: { with: number[]; without: number[] } = { with: [], without: [] }
  await makeBlocks(ground, ground.publicLog, BLOCKS)
  for (let round = 0; round < ROUNDS; round += 1) {
    say(`  round ${round + 1} of ${ROUNDS}`)
    await bare('ALTER TABLE blocks DISABLE TRIGGER blocks_append_to_log')
    times.without.push(...(await makeBlocks(ground, NO_LOG, BLOCKS)))
    await bare('ALTER TABLE blocks ENABLE TRIGGER blocks_append_to_log')
    for (const statement of REBUILD) await bare(statement)
    // The first one reads the right edge of the tree, as after a start.
    await makeBlocks(ground, ground.publicLog, 1)
    times.with.push(...(await makeBlocks(ground, ground.publicLog, BLOCKS)))
  }
  const [ours, baseline] = [median(times.with), median(times.without)]
  return {
    what: 'finalize an empty block',
    baseline: `${baseline.toFixed(2)} ms without the public log`,
    ours: `${ours.toFixed(2)} ms`,
    ratio: ours / baseline,
    aim: `<= ${AIM} x`,
    met: ours / baseline <= AIM,
  }
}

/** @returns the time of each in milliseconds */
async function makeBlocks(
  { store, signer }: Ground,
  publicLog: Ground['publicLog'],
  count: number,
): Promise<number[]> {
  const times: number[] = []
  while (times.length < count) {
    const { ms, value } = await timed(() =>
      finalizeBlock({ em: store.em('ledger'), signer, publicLog }, { intervalMs: 1 }),
    )
    if (value.outcome === 'finalized') times.push(ms)
  }
  return times
}

/** The tree over all blocks, as a migration makes it. */
const REBUILD = [
  'TRUNCATE log_tiles',
  `INSERT INTO log_tiles SELECT 0, b.height / 256, string_agg(log_leaf(b), '' ORDER BY b.height) FROM blocks b
    GROUP BY b.height / 256`,
  `INSERT INTO log_tiles SELECT 1, tile / 256, string_agg(log_tile_root(hashes), '' ORDER BY tile) FROM log_tiles
    WHERE level = 0 AND length(hashes) = 8192 GROUP BY tile / 256`,
]

const median = (times: readonly number[]): number =>
  times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? Number.NaN
