// A block of any size: it is made in pieces, and every leaf has its place in the order of the ids.
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { beforeAll, expect, it } from 'vitest'
import { TileTree } from '../../../server/domain/ledger/tile_tree.ts'
import { ulidFloor, ulidFrom } from '../../../server/kernel/identifiers.ts'
import { row, rows } from '../../support/rows.ts'
import { sizeOf } from '../../support/sizes.ts'
import { testLedger } from '../../support/test_ledger.ts'

const ITEMS = sizeOf('block_items')
/** Items that were submitted in one millisecond. */
const A_MOMENT = 50

const ledger = testLedger()
/** The first of the milliseconds in which items were submitted. */
let beganMs = 0

beforeAll(async () => {
  beganMs = Date.now() - 3_600_000
  const client = new pg.Client({ connectionString: ledger.database.url })
  await client.connect()
  // A table that is logged may not refer to one that is not, and rounds refer to items.
  await client.query(
    'SET session_replication_role = replica; ALTER TABLE aggregation_rounds SET UNLOGGED; ALTER TABLE items SET UNLOGGED',
  )
  const { rows: indexes } = await client.query<{ name: string }>(
    `SELECT indexname AS name FROM pg_indexes WHERE tablename = 'items' AND indexname <> 'items_pkey'`,
  )
  for (const { name } of indexes) await client.query(`DROP INDEX ${name}`)
  for (let done = 0; done < ITEMS; done += 10_000)
    await insertItems(client, idsFrom(done, Math.min(10_000, ITEMS - done)))
  await client.end()
})

/** Valid ids that do not ascend within their millisecond. */
const idsFrom = (first: number, count: number): string[] =>
  Array.from({ length: count }, (_, at) =>
    ulidFrom(beganMs + Math.floor((first + at) / A_MOMENT), randomBytes(10)),
  )

/** Rows that only have what a block needs of them; audit would refuse them. */
const insertItems = (client: pg.Client, ids: readonly string[]) =>
  client.query(
    `WITH made AS (
       INSERT INTO items (id, team_id, creator_id, claims, claims_hash, metadata, metadata_hash, item_hash, signing_key_id,
                          signature, inserted_at, updated_at)
       SELECT id, $2, $3, '{}', sha256(''), '{}', sha256(''), sha256(id::bytea), '\\x00000000',
              decode(repeat('00', 64), 'hex'), now(), now() FROM unnest($1::text[]) AS id
       RETURNING id)
     INSERT INTO waiting_moments (moment, items) SELECT left(id, 10), count(*) FROM made GROUP BY 1`,
    [ids, ledger.teamId, ledger.userId],
  )

/** An observation whose id is next to that of an item, wherever those of real observations are. */
const observeAfter = (id: string) =>
  rows(
    ledger.store.em(),
    `INSERT INTO entropy_observations (id, source, entropy, entropy_hash, metadata, metadata_hash, observation_hash,
                                       signing_key_id, signature, inserted_at)
     VALUES (rpad($1, 36, '0'), 'entropy_nist', '{}', sha256($1::bytea), '{}', sha256(''), sha256($1::bytea), '\\x00000000',
             decode(repeat('00', 64), 'hex'), now())`,
    [id],
  )

/** The root of the tree over all subjects of a block in the order of their ids, and how many they are. */
async function plainRoot(height: number): Promise<{ root: Buffer; leaves: number }> {
  const tree = new TileTree(() => undefined)
  for (let after = ''; ; ) {
    const page = await rows<{ id: string; hash: Buffer }>(
      ledger.store.em(),
      `SELECT * FROM (
         (SELECT id, item_hash AS hash FROM block_leaves JOIN items ON id = subject_id
           WHERE height = $2 AND subject_id > $1 ORDER BY subject_id LIMIT 10000)
          UNION ALL
         SELECT o.id, o.observation_hash FROM entropy_observations o JOIN blocks b ON b.id = o.block_id
          WHERE b.height = $2 AND o.id > $1) AS leaf ORDER BY id LIMIT 10000`,
      [after, height],
    )
    for (const { hash } of page) tree.add(hash)
    const last = page.at(-1)
    if (last === undefined) return { leaves: tree.leaves, root: Buffer.from(tree.finish()) }
    after = last.id
  }
}

const headOf = () =>
  row<{ height: number; root: Buffer; leaves: number; first_item_id: string; last_item_id: string }>(
    ledger.store.em(),
    `SELECT height, merkle_root AS root, leaf_count AS leaves, first_item_id, last_item_id
       FROM blocks ORDER BY height DESC LIMIT 1`,
  )

it(`holds ${ITEMS} items and the observations between them, each once and in order`, async () => {
  const em = ledger.store.em()
  const [middle] = await rows<{ id: string }>(em, 'SELECT id FROM items ORDER BY id OFFSET $1 LIMIT 1', [
    ITEMS / 2,
  ])
  for (const id of ['00', middle?.id ?? '', 'zz']) await observeAfter(id)
  const rewritten = () =>
    row(
      em,
      `SELECT count(*)::int AS rows FROM items WHERE xmin::text = (SELECT xmin::text FROM blocks ORDER BY height DESC LIMIT 1)`,
    )

  // The last observation is as if its time were after the cut: it waits.
  expect(await ledger.finalize()).toMatchObject({ outcome: 'finalized', leaves: ITEMS + 2 })
  const head = await headOf()
  expect(await plainRoot(head.height)).toEqual({ root: head.root, leaves: head.leaves })
  expect(await rewritten()).toEqual({ rows: 0 })
  expect(
    await row(
      em,
      `SELECT count(*)::int AS leaves, min(subject_id) AS first_item_id, max(subject_id) AS last_item_id,
              min(leaf_index) AS least, max(leaf_index) AS most,
              count(*) FILTER (WHERE leaf_index <> n - (subject_id <= $1)::int + 1)::int AS misplaced
         FROM (SELECT subject_id, leaf_index, row_number() OVER (ORDER BY subject_id) AS n FROM block_leaves) AS l`,
      [middle?.id],
    ),
  ).toEqual({
    leaves: ITEMS,
    first_item_id: head.first_item_id,
    last_item_id: head.last_item_id,
    least: 1,
    most: ITEMS + 1,
    misplaced: 0,
  })
  expect(await rows(em, 'SELECT 1 FROM waiting_moments')).toEqual([])
})

it('takes an item that comes late into a millisecond whose others have their block', async () => {
  const { height } = await headOf()
  const [late] = idsFrom(ITEMS / 2, 1)
  const client = new pg.Client({ connectionString: ledger.database.url })
  await client.connect()
  await insertItems(client, [late ?? ''])
  await client.end()
  expect(late?.slice(0, 10)).toBe(ulidFloor(beganMs + ITEMS / 2 / A_MOMENT).slice(0, 10))
  expect(await ledger.finalize()).toMatchObject({ leaves: 1 })
  expect(
    await rows(ledger.store.em(), 'SELECT subject_id, leaf_index FROM block_leaves WHERE height > $1', [
      height,
    ]),
  ).toEqual([{ subject_id: late, leaf_index: 0 }])
  expect(await headOf()).toMatchObject({ first_item_id: late, last_item_id: late })
})
