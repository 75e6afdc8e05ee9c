// A row that is gone, moved or made up is found, even when it is good in itself.
import type { EntityManager } from '@mikro-orm/postgresql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestLedger, type TestLedger } from '../../support/ledger.ts'
import { rows } from '../../support/rows.ts'
import { type EveryKind, LARGE_BLOCK, makeEveryKind } from './every_kind.ts'
import { auditAfter, dropGuards } from './tamper.ts'

describe('the audit finds', () => {
  let ledger: TestLedger
  let kinds: EveryKind
  beforeAll(async () => {
    ledger = await openTestLedger()
    kinds = await makeEveryKind(ledger)
    await dropGuards(ledger.store.em())
  })
  afterAll(() => ledger.close())

  const idOf = (group: 'items' | 'tombstones' | 'observations', name: string): string =>
    kinds[group][name]?.id ?? ''
  const found = async (...statements: string[]) => {
    const report = await auditAfter(ledger, async (tx: EntityManager) => {
      for (const statement of statements) await rows(tx, statement)
    })
    const [first] = report.disagreements
    return first === undefined ? 'nothing' : `${first.height} ${first.field}`
  }
  const blockAt = (height: number): string => `(SELECT id FROM blocks WHERE height = ${height})`

  it('a block that is gone, by its successor', async () => {
    expect(await found('DELETE FROM blocks WHERE height = 3')).toBe('4 height')
  })

  it('a head that is gone, by its leaves or its tiles', async () => {
    const { head } = kinds.heights
    expect(await found(`DELETE FROM blocks WHERE height >= ${head - 1}`)).toMatch(/^null height|block$/)
  })

  it('a committed item that is gone', async () => {
    expect(await found(`DELETE FROM items WHERE id = '${idOf('items', 'plain')}'`)).toBe('2 id')
  })

  it('the last leaf of a block that is gone', async () => {
    const where = `height = ${kinds.heights.large} AND leaf_index = ${LARGE_BLOCK - 1}`
    expect(await found(`DELETE FROM block_leaves WHERE ${where}`)).toBe(`${kinds.heights.large} leaf_count`)
  })

  it('a tombstone that is gone', async () => {
    expect(
      await found(`DELETE FROM item_tombstones WHERE id = '${idOf('tombstones', 'deletedAfter')}'`),
    ).toBe('2 id')
  })

  it('an observation that is gone', async () => {
    const id = idOf('observations', 'bitcoin')
    expect(await found(`DELETE FROM entropy_observations WHERE id = '${id}'`)).toMatch(/^4 leaf/)
  })

  it('an observation that is gone before it had a block, by the items that witnessed it', async () => {
    expect(await found('DELETE FROM entropy_observations WHERE block_id IS NULL')).toBe(
      'null metadata.witnesses.entropy_nist',
    )
  })

  it('nothing when a waiting item is gone: nothing was made from it yet', async () => {
    expect(await found('DELETE FROM items WHERE id NOT IN (SELECT subject_id FROM block_leaves)')).toBe(
      'nothing',
    )
  })

  it.each([
    { level: 0, tile: 0 },
    { level: 0, tile: 1 },
    { level: 1, tile: 0 },
  ])('tile $level/$tile that is gone', async ({ level, tile }) => {
    const where = `block_id = ${blockAt(kinds.heights.large)} AND level = ${level} AND tile = ${tile}`
    expect(await found(`DELETE FROM block_tiles WHERE ${where}`)).toBe(`${kinds.heights.large} tile`)
  })

  it.each([
    { sequence: 0, at: '0 introduced_at_height' },
    { sequence: 1, at: '3 introduced_at_height' },
    { sequence: 2, at: '5 introduced_at_height' },
    { sequence: 3, at: 'null public_key' },
    { sequence: 4, at: 'null rotation' },
  ])('signing key $sequence that is gone', async ({ sequence, at }) => {
    expect(await found(`DELETE FROM signing_keys WHERE sequence = ${sequence}`)).toBe(at)
  })

  it('two leaves that changed places', async () => {
    const [a, b] = [idOf('items', 'plain'), idOf('items', 'redacted')]
    const swap = `UPDATE block_leaves AS l SET leaf_index = other.leaf_index FROM block_leaves other
                   WHERE (l.subject_id, other.subject_id) IN (('${a}', '${b}'), ('${b}', '${a}'))`
    expect(await found(swap)).toBe('2 leaf_index')
  })

  it('two leaves in one place, one of them of a tombstone', async () => {
    const other = `overlay(id PLACING 'ZZZZ' FROM 20 FOR 4)`
    const from = `FROM items JOIN block_leaves ON subject_id = id WHERE id = '${idOf('items', 'plain')}'`
    expect(
      await found(
        `INSERT INTO item_tombstones (id, item_hash) SELECT ${other}, item_hash ${from}`,
        `INSERT INTO block_leaves SELECT height, leaf_index, ${other} ${from}`,
        `UPDATE blocks SET last_item_id = (SELECT max(subject_id) FROM block_leaves l WHERE l.height = 2) WHERE height = 2`,
      ),
    ).toBe('2 leaf_index')
  })

  it('an item in two blocks, and twice in one', async () => {
    const again = (height: number) =>
      `INSERT INTO block_leaves SELECT ${height}, leaf_index, subject_id FROM block_leaves WHERE subject_id = '${idOf('items', 'plain')}'`
    expect(await found(again(2))).toBe('2 leaf_index')
    expect(await found(again(1))).toBe('null height')
    expect(await found(again(kinds.heights.head))).toBe('null height')
  })

  it('a good item that was put into a block afterwards', async () => {
    const id = idOf('items', 'waiting')
    const leaf = (height: number) =>
      `INSERT INTO block_leaves SELECT ${height}, leaf_count, '${id}' FROM blocks WHERE height = ${height}`
    const last = (height: number) => `UPDATE blocks SET last_item_id = '${id}' WHERE height = ${height}`
    for (const height of [kinds.heights.head, kinds.heights.large]) {
      expect(await found(leaf(height))).toBe('null height')
      expect(await found(leaf(height), last(height))).toBe(`${height} block_id`)
    }
  })

  it('an item in a block that does not exist, before the first and after the head', async () => {
    const leaf = (height: number) =>
      `INSERT INTO block_leaves VALUES (${height}, 0, '${idOf('items', 'waiting')}')`
    expect(await found(leaf(-1))).toBe('null height')
    expect(await found(leaf(kinds.heights.head + 1))).toBe('null height')
  })

  it('an observation in a block that does not exist, before the first and after the head', async () => {
    const name = (block: string) =>
      `UPDATE entropy_observations SET block_id = '${block}', leaf_index = 0 WHERE block_id IS NULL`
    expect(await found(name('00000000-0000-7000-8000-000000000000'))).toBe('null block_id')
    expect(await found(name('ffffffff-0000-7000-8000-000000000000'))).toBe('null block_id')
  })

  it('an item that no block would ever take', async () => {
    expect(await found('DELETE FROM waiting_moments')).toBe('null moment')
  })

  it('a tombstone of an item that lives', async () => {
    const bury = (name: string) =>
      `INSERT INTO item_tombstones (id, item_hash) SELECT id, item_hash FROM items WHERE id = '${idOf('items', name)}'`
    expect(await found(bury('plain'))).toBe('null id')
  })

  it('a waiting item that nobody submitted', async () => {
    const copy = `INSERT INTO items SELECT (jsonb_populate_record(i, jsonb_build_object('id', overlay(i.id PLACING 'ZZZZ' FROM 20 FOR 4)))).*
                    FROM items i WHERE id = '${idOf('items', 'waiting')}'`
    expect(await found(copy)).toBe('null item_hash')
  })

  it('a tile too many, of a block and of none', async () => {
    const tile = (block: string) =>
      `INSERT INTO block_tiles SELECT ${block}, 2, 0, hashes FROM block_tiles WHERE block_id = ${blockAt(2)} AND level = 0`
    expect(await found(tile(blockAt(2)))).toBe('2 tile')
    expect(await found(tile(blockAt(1)))).toBe('1 tile')
    expect(await found(tile(`'00000000-0000-7000-8000-000000000000'`))).toBe('null block_id')
    expect(await found(tile(`'ffffffff-0000-7000-8000-000000000000'`))).toBe('null block_id')
  })

  it('a signing key too many', async () => {
    const copy = (height: string, sequence: number) =>
      `INSERT INTO signing_keys (key_id, public_key, sealed_seed, sequence, rotation, introduced_at_height)
       SELECT key_id, public_key, sealed_seed, ${sequence}, NULL, ${height} FROM signing_keys WHERE sequence = 4`
    expect(await found('UPDATE signing_keys SET introduced_at_height = 8 WHERE sequence = 4')).toBe(
      '8 introduced_at_height',
    )
    expect(await found(copy('NULL', 5))).toBe('null sequence')
  })

  it.each([4, 8])('a second block of height %i', async (height) => {
    const fork = `INSERT INTO blocks (id, height, previous_block_id, previous_block_hash, block_hash, merkle_root,
                    metadata, metadata_hash, signing_key_id, signature, state, leaf_count, item_count,
                    observation_count, first_item_id, last_item_id, finalized_at)
                  SELECT overlay(id PLACING 'ffff' FROM 33 FOR 4), height, previous_block_id, previous_block_hash,
                         block_hash, merkle_root, metadata, metadata_hash, signing_key_id, signature, state,
                         leaf_count, item_count, observation_count, first_item_id, last_item_id, finalized_at FROM blocks WHERE height = ${height}`
    expect(await found(fork)).toMatch(new RegExp(`^${height} (height|block_hash)$`))
  })
})
