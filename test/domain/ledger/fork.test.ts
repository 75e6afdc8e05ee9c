// A fork, a gap or a half block cannot be stored, whoever tries.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { uuid7From } from '../../../server/kernel/identifiers.ts'
import { inTransaction } from '../../../server/store/statement.ts'
import { openTestLedger, type TestLedger } from '../../support/ledger.ts'
import { rows } from '../../support/rows.ts'

describe('the schema refuses', () => {
  let ledger: TestLedger
  let blocks: { id: string; hash: Buffer }[]
  beforeAll(async () => {
    ledger = await openTestLedger()
    for (let height = 1; height <= 3; height += 1) {
      await ledger.submit({})
      await ledger.finalize()
    }
    blocks = await rows(ledger.store.em(), 'SELECT id, block_hash AS hash FROM blocks ORDER BY height')
  })
  afterAll(() => ledger.close())

  const LATER = uuid7From(2 ** 47, Buffer.alloc(10, 1))
  /** Copies the head and changes what is given; the code PostgreSQL answers, rolled back in any case. */
  const insert = async (changes: Record<string, unknown>): Promise<string> => {
    const columns =
      'id, height, previous_block_id, previous_block_hash, block_hash, merkle_root, metadata, metadata_hash, signing_key_id, signature, state, leaf_count, item_count, observation_count, first_item_id, last_item_id, finalized_at'
    const good = {
      id: LATER,
      height: 4,
      previous_block_id: blocks[3]?.id,
      previous_block_hash: `\\x${blocks[3]?.hash.toString('hex')}`,
      block_hash: `\\x${'ab'.repeat(32)}`,
    }
    return attempt(
      `INSERT INTO blocks (${columns})
       SELECT ${columns} FROM (SELECT (jsonb_populate_record(blocks, $1::jsonb)).* FROM blocks WHERE height = 3) AS made`,
      [JSON.stringify({ ...good, ...changes })],
    )
  }
  const attempt = async (text: string, parameters: unknown[] = []): Promise<string> => {
    const done = new Error('accepted')
    return inTransaction(ledger.store.em(), async (tx) => {
      await rows(tx, text, parameters)
      await rows(tx, 'SET CONSTRAINTS ALL IMMEDIATE')
      throw done
    }).then(
      () => 'committed',
      (error: unknown) =>
        error === done
          ? 'accepted'
          : error instanceof Error && 'code' in error
            ? String(error.code)
            : String(error),
    )
  }
  const UNIQUE = '23505'
  const FOREIGN = '23503'
  const CHECK = '23514'

  it('nothing that is a proper successor, as far as the schema can tell', async () => {
    expect(await insert({})).toBe('accepted')
  })

  it('a second block of one height', async () => expect(await insert({ height: 3 })).toMatch(`${UNIQUE}`))

  it('a second successor of a block, under any height', async () => {
    const parent = {
      previous_block_id: blocks[1]?.id,
      previous_block_hash: `\\x${blocks[1]?.hash.toString('hex')}`,
    }
    expect(await insert({ ...parent, height: 2 })).toBe(UNIQUE)
    expect(await insert({ ...parent, height: 4 })).toBe(UNIQUE)
    expect(await insert({ ...parent, previous_block_hash: `\\x${'cd'.repeat(32)}` })).toBe(FOREIGN)
  })

  it('a gap', async () => expect(await insert({ height: 5 })).toBe(FOREIGN))

  it('a block without its predecessor', async () => {
    expect(await insert({ previous_block_id: uuid7From(1, Buffer.alloc(10)) })).toBe(FOREIGN)
  })

  it('a block that is its own predecessor, unless it is genesis', async () => {
    expect(await insert({ previous_block_id: LATER })).toMatch(/23503|23514/)
  })

  it('a second genesis', async () => {
    const other = { height: 0, previous_block_id: LATER, previous_block_hash: `\\x${'cd'.repeat(32)}` }
    expect(await insert(other)).toBe(UNIQUE)
  })

  it('an id that is not later than its predecessor’s', async () => {
    expect(await insert({ id: uuid7From(1, Buffer.alloc(10)) })).toBe(CHECK)
  })

  it('one block hash twice', async () => {
    expect(await insert({ block_hash: `\\x${blocks[3]?.hash.toString('hex')}` })).toBe(UNIQUE)
  })

  it('counts that do not add up', async () => expect(await insert({ leaf_count: 2 })).toBe(CHECK))

  it('a key that is none', async () => expect(await insert({ signing_key_id: '\\x00000000' })).toBe(FOREIGN))

  it('to take a block out of the chain, or to move it', async () => {
    expect(await attempt('DELETE FROM blocks WHERE height = 2')).toBe(FOREIGN)
    expect(await attempt('UPDATE blocks SET height = 9 WHERE height = 2')).toBe(FOREIGN)
    expect(await attempt('UPDATE blocks SET height = 2 WHERE height = 3')).toBe(UNIQUE)
  })

  it('an item in two places or in half a place, and an item that is half redacted', async () => {
    const NULLS = '23502'
    expect(await attempt('INSERT INTO block_leaves SELECT 2, 7, subject_id FROM block_leaves LIMIT 1')).toBe(
      UNIQUE,
    )
    expect(await attempt('UPDATE block_leaves SET leaf_index = NULL')).toBe(NULLS)
    expect(await attempt('UPDATE items SET claims = NULL')).toBe(CHECK)
    expect(await attempt('UPDATE items SET redacted_at = pharos_now()')).toBe(CHECK)
    expect(await attempt('UPDATE items SET claims = NULL, redacted_at = pharos_now()')).toBe(CHECK)
  })

  it('a block with items that does not say which, and one without items that does', async () => {
    expect(await attempt('UPDATE blocks SET first_item_id = NULL WHERE height = 1')).toBe(CHECK)
    expect(await attempt('UPDATE blocks SET last_item_id = NULL WHERE height = 1')).toBe(CHECK)
    expect(await attempt(`UPDATE blocks SET first_item_id = 'x', last_item_id = 'x' WHERE height = 0`)).toBe(
      CHECK,
    )
  })

  it('a second tile in one place, and tiles that are no whole number of hashes', async () => {
    expect(await attempt('INSERT INTO block_tiles SELECT * FROM block_tiles LIMIT 1')).toBe(UNIQUE)
    expect(await attempt(`INSERT INTO block_tiles VALUES ('x', 0, 0, '\\x00')`)).toBe(CHECK)
  })
})
