// A year of blocks is exported within two minutes, and in memory that does not grow with it.
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { databaseSource } from '../../server/commands/log.ts'
import { openCopyFolder } from '../../server/commands/log_copy/copy_folder.ts'
import { writeCopy } from '../../server/commands/log_copy/write_copy.ts'
import { readRoot } from '../../shared/log/tiles.ts'
import type { TestLedger } from '../support/ledger.ts'
import { makeLogKey } from '../support/log_copy.ts'
import { isFull, sizeOf } from '../support/sizes.ts'
import { makeTemporaryFolder } from '../support/temporary_folder.ts'
import { testLedger } from '../support/test_ledger.ts'

const BLOCKS = sizeOf('exported_blocks')
const LONGEST_MS = 120_000
/**
 * Of the process, once a tenth is written: until then, it fills its young generation and its pools of bytes. A short
 * export tells nothing about that.
 */
const MOST_GROWTH_BYTES = 100_000_000

const ledger = testLedger()
let room: string
beforeAll(async () => {
  room = await makeTemporaryFolder('pharos-year-')
  await fill(ledger, BLOCKS)
}, 600_000)
afterAll(() => rm(room, { recursive: true, force: true }))

it('many blocks are exported in time, in constant memory, and with progress', async () => {
  const source = databaseSource({ em: ledger.store.em('work') })
  const key = makeLogKey('pharos.example/log')
  const note = key.note({ size: BLOCKS, root: await readRoot(source.readTiles, BLOCKS) })
  const folder = await openCopyFolder(join(room, 'copy'))
  const began = performance.now()
  let before = 0
  let peak = 0
  let told = 0
  const onProgress = ({ done, total }: { done: number; total: number }) => {
    told += 1
    peak = Math.max(peak, process.memoryUsage.rss())
    if (done < total / 10) before = peak
  }
  await writeCopy({ ...source, shown: async () => ({ size: BLOCKS, note }) }, folder, { onProgress })
  await folder.close()
  const took = performance.now() - began
  expect(took).toBeLessThan(LONGEST_MS)
  if (isFull) {
    const grown = peak - before
    console.log(
      `${BLOCKS} blocks in ${(took / 1_000).toFixed(1)} s, ${Math.round(grown / 1e6)} MB more than after a tenth`,
    )
    expect(grown).toBeLessThan(MOST_GROWTH_BYTES)
  }
  expect(told).toBeGreaterThan(BLOCKS / 256 / 8)
  const bundles = await readdir(join(room, 'copy/tile/entries'), { recursive: true, withFileTypes: true })
  expect(bundles.filter((file) => file.isFile())).toHaveLength(Math.ceil(BLOCKS / 256))
}, 300_000)

/** Blocks that are there only to be exported: nothing about them holds. Their tiles are made at once. */
async function fill({ database }: TestLedger, blocks: number): Promise<void> {
  const id = (number: string) => `'ffffffff-0001-7000-8000-' || lpad((${number})::text, 12, '0')`
  const hash = (kind: string, number: string) => `sha256(convert_to('${kind}' || (${number}), 'UTF8'))`
  await database.query('ALTER TABLE blocks DISABLE TRIGGER blocks_append_to_log')
  for (let from = 1; from < blocks; from += 20_000)
    await database.query(
      `INSERT INTO blocks (id, height, previous_block_id, previous_block_hash, block_hash, merkle_root, metadata,
                           metadata_hash, signing_key_id, signature, state, leaf_count, item_count, observation_count,
                           finalized_at)
       SELECT ${id('n')}, n, CASE n WHEN 1 THEN b.id ELSE ${id('n - 1')} END, ${hash('b', 'n - 1')}, ${hash('b', 'n')},
              b.merkle_root, '{}', b.metadata_hash, b.signing_key_id, b.signature, 'finalized', 0, 0, 0,
              b.finalized_at + n * interval '1 minute'
         FROM blocks b, generate_series($1::int, $2::int) AS n WHERE b.height = 0`,
      [from, Math.min(blocks, from + 20_000) - 1],
    )
  await database.query('ALTER TABLE blocks ENABLE TRIGGER blocks_append_to_log')
  await database.query('DELETE FROM log_tiles')
  for (let from = 0; from < blocks; from += 65_536)
    await database.query(
      `INSERT INTO log_tiles
       SELECT 0, b.height / 256, string_agg(log_leaf(b), '' ORDER BY b.height) FROM blocks b
        WHERE b.height >= $1::int AND b.height < $1::int + 65536 GROUP BY b.height / 256`,
      [from],
    )
  for (let level = 0; 256 ** (level + 1) <= blocks; level += 1)
    await database.query(
      `INSERT INTO log_tiles
       SELECT level + 1, tile / 256, string_agg(log_tile_root(hashes), '' ORDER BY tile) FROM log_tiles
        WHERE level = $1::int AND length(hashes) = 8192 GROUP BY level, tile / 256`,
      [level],
    )
}
