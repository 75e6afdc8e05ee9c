// Proofs from a block of 180,000 items: the time of each, compared with a bare signature, and the rows that
// it reads of the tree.
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import { finalizeBlock } from '../../server/domain/ledger/finalize_block.ts'
import { inclusionPath, tilesOnPath } from '../../server/domain/ledger/tile_tree.ts'
import { inTransaction } from '../../server/store/statement.ts'
import { commitBlocks } from '../domain/proofs/seed_commitment.ts'
import { row } from '../support/rows.ts'
import type { Ground } from './ground.ts'
import { submitMany } from './many_items.ts'
import { type Measure, medianMs } from './measurement.ts'
import { proofText } from './proof_text.ts'

const ITEMS = 180_000
const PROOFS = 300
const WARM_UP = 50
const AIM_MS = 10

export const generateManyProofs: Measure = async (ground, say) => {
  const { store, bare: query } = ground
  say(`  submitting ${ITEMS} items`)
  await submitMany(ground)
  await finalizeBlock({ ...ground, em: store.em('ledger') }, { intervalMs: 1 })
  await commitBlocks({ em: store.em() })
  await query('VACUUM ANALYZE items, blocks, block_tiles')
  const items = await query<{ id: string; leaf_index: number; block_id: string }>(
    `SELECT id, leaf_index, block_id FROM shown_items ORDER BY md5(id) LIMIT ${PROOFS + WARM_UP}`,
  )
  say('  baseline: bare signatures')
  const { privateKey } = generateKeyPairSync('ed25519')
  const bare = await medianMs(PROOFS, () => sign(null, randomBytes(32), privateKey))
  say('  ours: generating')
  let next = 0
  const generate = () => proofText(ground, items[next++]?.id ?? '')
  for (let warm = 0; warm < WARM_UP; warm += 1) await generate()
  const ours = await medianMs(PROOFS, generate)
  const read = await tileRowsRead(ground, items.slice(0, 20))
  return {
    what: `generate a proof from a block of ${ITEMS} items, verified before it leaves`,
    baseline: `${bare.toFixed(3)} ms, one bare signature`,
    ours: `${ours.toFixed(2)} ms median of ${PROOFS}`,
    ratio: ours / bare,
    aim: `<= ${AIM_MS} ms median`,
    met: ours <= AIM_MS,
    notes: `${read.rows} tile rows read per proof, over ${read.levels} levels`,
  }
}

/** The most tile rows that any of them reads, by the database's count. */
async function tileRowsRead(
  { store }: Ground,
  leaves: readonly { readonly leaf_index: number; readonly block_id: string }[],
): Promise<{ rows: number; levels: number }> {
  const readSoFar = async (tx: EntityManager) => (await row<{ read: number }>(tx, TILE_ROWS_READ)).read
  let most = 0
  for (const { leaf_index: leafIndex, block_id: blockId } of leaves)
    await inTransaction(store.em(), async (tx) => {
      const before = await readSoFar(tx)
      await inclusionPath(tx, { blockId, leafIndex, leafCount: ITEMS })
      most = Math.max(most, (await readSoFar(tx)) - before)
    })
  return { rows: most, levels: tilesOnPath(0, ITEMS).length }
}

/** Rows read by this connection, including earlier reads that are not reported yet. */
const TILE_ROWS_READ = `
  SELECT (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int AS read
    FROM pg_stat_xact_user_tables WHERE relname = 'block_tiles'`
