// The tree over all blocks, as it is stored: every block has its leaf, from the moment at which it exists.

import { beforeAll, describe, expect, it } from 'vitest'
import { entryRows, storedTiles, tileRows } from '../../../server/domain/log/log_rows.ts'
import { inTransaction } from '../../../server/store/statement.ts'
import { entryLeafHash, readBlockComposite, readLogEntry } from '../../../shared/log/log_entry.ts'
import { readRoot, type TileCoordinate, type TileReader, tileAt } from '../../../shared/log/tiles.ts'
import {
  consistencyProof,
  inclusionProof,
  verifyConsistency,
  verifyInclusion,
} from '../../../shared/log/tree_proofs.ts'
import { sha256 } from '../../../shared/proof/domain_hash.ts'
import { rootOf } from '../../../shared/proof/merkle.ts'
import { row, rows } from '../../support/rows.ts'
import { testLedger } from '../../support/test_ledger.ts'
import { growBy } from './grow.ts'

/** More than one full tile. */
const BLOCKS = 270

const ledger = testLedger()
/** Of all entries, in order. */
let leaves: Uint8Array[] = []
const em = () => ledger.store.em('read')

beforeAll(async () => {
  await ledger.submit({})
  await ledger.finalize()
  await growBy(ledger, BLOCKS - 2)
  const entries = [
    ...(await entryRows(em(), { from: 0, to: 256 })),
    ...(await entryRows(em(), { from: 256, to: BLOCKS })),
  ]
  leaves = entries.map(entryLeafHash)
})

describe('the entry of a block', () => {
  it('has its hash, its signature and its metadata', async () => {
    const [entry] = await entryRows(em(), { from: 1, to: 2 })
    const { composite, signature, metadata } = readLogEntry(entry ?? new Uint8Array())
    const block = await row<{ id: string; block_hash: Buffer; signature: Buffer; metadata: string }>(
      em(),
      'SELECT id, block_hash, signature, metadata FROM blocks WHERE height = 1',
    )
    expect(Buffer.from(sha256(composite))).toEqual(block.block_hash)
    expect(readBlockComposite(composite).id).toBe(block.id)
    expect(Buffer.from(signature)).toEqual(block.signature)
    expect(metadata).toBe(block.metadata)
  })

  it('is at most 65,535 bytes, because metadata beyond that is refused', async () => {
    const longer = `UPDATE blocks SET metadata = repeat('x', 65303) WHERE height = 1`
    await expect(rows(em(), longer)).rejects.toMatchObject({ code: '23514' })
  })

  it('is read with up to 255 others at once, and no more', async () => {
    expect(await entryRows(em(), { from: 250, to: 300 })).toHaveLength(BLOCKS - 250)
    await expect(entryRows(em(), { from: 0, to: 257 })).rejects.toThrow(RangeError)
  })
})

describe('the tiles', () => {
  it('hold every leaf, and of a full tile the root', async () => {
    const stored = await rows<{ level: number; tile: number; hashes: Buffer }>(
      em(),
      'SELECT level, tile, hashes FROM log_tiles ORDER BY level, tile',
    )
    expect(stored).toEqual([
      { level: 0, tile: 0, hashes: Buffer.concat(leaves.slice(0, 256)) },
      { level: 0, tile: 1, hashes: Buffer.concat(leaves.slice(256)) },
      { level: 1, tile: 0, hashes: Buffer.from(rootOf(leaves.slice(0, 256))) },
    ])
  })

  it('are read at any width up to what they hold, in the order that is asked for, in one statement', async () => {
    const asked = [
      { level: 0, index: 1, width: 3 },
      { level: 1, index: 0, width: 1 },
      { level: 0, index: 0, width: 256 },
      { level: 0, index: 1, width: 15 },
      { level: 7, index: 9, width: 1 },
    ]
    const [part, above, full, tooWide, nowhere] = await tileRows(em(), asked)
    expect(part).toEqual(Buffer.concat(leaves.slice(256, 259)))
    expect(above).toEqual(Buffer.from(rootOf(leaves.slice(0, 256))))
    expect(full).toHaveLength(8_192)
    expect([tooWide, nowhere]).toEqual([undefined, undefined])
    await expect(storedTiles(em())([{ level: 0, index: 1, width: 15 }])).rejects.toThrow(RangeError)
  })

  it('prove that each block is there, and that each smaller tree is the beginning', async () => {
    const read = storedTiles(em())
    const root = await readRoot(read, BLOCKS)
    expect(Buffer.from(root)).toEqual(Buffer.from(rootOf(leaves)))
    for (const index of [0, 1, 255, 256, BLOCKS - 1]) {
      const leaf = leaves[index] ?? new Uint8Array()
      const proof = await inclusionProof(read, index, BLOCKS)
      expect(verifyInclusion({ index, size: BLOCKS, leaf, proof, root })).toBe(true)
      const oldRoot = rootOf(leaves.slice(0, index + 1))
      const consistency = await consistencyProof(read, index + 1, BLOCKS)
      const sizes = { oldSize: index + 1, newSize: BLOCKS }
      expect(verifyConsistency({ ...sizes, oldRoot, newRoot: root, proof: consistency })).toBe(true)
    }
  })
})

it('the tiles of a proof between any two of 10,000,000 blocks are at most 60 rows, read by their key alone', async () => {
  const asked: TileCoordinate[] = []
  const note: TileReader = async (tiles) => {
    asked.push(...tiles)
    return tiles.map(({ width }) => new Uint8Array(32 * width))
  }
  await consistencyProof(note, 7_654_321, 10_000_000)
  const undone = new Error('undone')
  const trial = inTransaction(ledger.store.em(), async (tx) => {
    await rows(
      tx,
      `INSERT INTO log_tiles SELECT level, tile, sha256('') FROM generate_series(0, 2) AS level,
         generate_series(9, (10000000 / 256.0 ^ (level + 1))::int) AS tile`,
    )
    await rows(tx, 'ANALYZE log_tiles')
    const read = () =>
      row<{ scanned: number; fetched: number }>(
        tx,
        `SELECT seq_scan::int AS scanned, idx_tup_fetch::int AS fetched FROM pg_stat_xact_user_tables
          WHERE relname = 'log_tiles'`,
      )
    const before = await read()
    await tileRows(tx, asked)
    const after = await read()
    expect(after.scanned).toBe(before.scanned)
    expect(after.fetched - before.fetched).toBeGreaterThan(3)
    expect(after.fetched - before.fetched).toBeLessThanOrEqual(60)
    throw undone
  })
  await expect(trial).rejects.toBe(undone)
})

describe('a block without its leaf cannot exist', () => {
  it('because the statement that inserts it appends the leaf, also one of several rows', async () => {
    const { head } = await row<{ head: number }>(em(), 'SELECT max(height) AS head FROM blocks')
    const { hashes } = await row<{ hashes: number }>(
      em(),
      'SELECT sum(length(hashes) / 32)::int AS hashes FROM log_tiles WHERE level = 0',
    )
    expect(hashes).toBe(head + 1)
  })

  it('nor when the tile has lost a hash, or has one too many', async () => {
    const { at } = { at: tileAt(BLOCKS, 0, 1)?.width ?? 0 }
    for (const wrong of [`substr(hashes, 1, ${32 * (at - 1)})`, `hashes || sha256('')`]) {
      await rows(em(), `UPDATE log_tiles SET hashes = ${wrong} WHERE level = 0 AND tile = 1`)
      await expect(ledger.finalize()).rejects.toMatchObject({ code: '23000' })
      await rows(em(), 'UPDATE log_tiles SET hashes = $1 WHERE level = 0 AND tile = 1', [
        Buffer.concat(leaves.slice(256)),
      ])
    }
    expect(await row(em(), 'SELECT max(height) AS head FROM blocks')).toEqual({ head: BLOCKS - 1 })
  })
})
