// Recomputes the whole stored ledger from genesis to the head and reports where it disagrees with itself. Of each block
// every tile must be there with the same bytes as in the tree over its leaves, and no other tile.
import { createHash } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { auditChainBlock, KeyChain, type SigningChainKey } from '../../../../shared/audit/chain_audit.ts'
import {
  agree,
  type Disagreement,
  type Disagreements,
  firstOf,
  holds,
  type StoredPlace,
} from '../../../../shared/audit/disagreement.ts'
import { uuid7Time } from '../../../../shared/proof/ids.ts'
import type { MasterKey } from '../../../kernel/sealed.ts'
import { bytes, int2, int4, text } from '../../../store/columns.ts'
import { pages, type RowFrom, statement } from '../../../store/statement.ts'
import { signatureCheck } from '../signing_key.ts'
import { type Tile, TileTree } from '../tile_tree.ts'
import { auditKeys } from './audit_keys.ts'
import {
  auditDangling,
  auditStrayLeaves,
  auditTombstones,
  auditWaiting,
  type Collaborators,
  DANGLES,
} from './audit_strays.ts'
import { auditSubject, findWitnesses, metadataOf } from './audit_subject.ts'
import { type BlockRow, blocksUpTo, headRows } from './block_rows.ts'
import { AuditPace, type AuditProgress } from './pace.ts'
import { type LeafRow, leavesOf } from './subject_rows.ts'

/**
 * @param previous undefined for the first block only
 * @param signer the key that must have signed the block, according to the key events up to and including this block
 */
export function* auditBlock(
  block: BlockRow,
  previous: BlockRow | undefined,
  signer: SigningChainKey | undefined,
): Disagreements {
  const place: StoredPlace = { height: block.height }
  yield* agree(place, 'height', previous === undefined ? 0 : previous.height + 1, block.height)
  yield* agree(place, 'previous_block_id', previous?.id ?? block.id, block.previous_block_id)
  yield* auditChainBlock(block, previous, signer)
  yield* agree(place, 'finalized_at', uuid7Time(block.id), block.finalized_ms)
  yield* agree(place, 'leaf_count', block.item_count + block.observation_count, block.leaf_count)
  yield* agree(place, 'state', block.committed ? 'committed' : 'finalized', block.state)
}

/** Adds every leaf to `tree` and compares the root with the root of the block. */
async function* auditLeaves(
  block: BlockRow,
  { em, keys, pace }: Collaborators,
  tree: TileTree,
): AsyncGenerator<Disagreement> {
  const place = { height: block.height }
  let observations = 0
  let firstItem: string | null = null
  let lastItem: string | null = null
  let last: LeafRow | undefined
  for await (const page of leavesOf(em, block)) {
    const witnesses = await findWitnesses(em, metadataOf(page))
    for (const row of page) {
      yield* order(block, last, row)
      last = row
      if (row.kind === 'lost') {
        yield { ...place, subject: row.id, field: 'id', expected: 'an item or its tombstone' }
        continue
      }
      yield* auditSubject(row, { block, keys, witnesses })
      tree.add(row.subject_hash)
      if (row.kind === 'observation') observations += 1
      else {
        firstItem ??= row.id
        lastItem = row.id
      }
      await pace.checked(`${row.kind}s`)
    }
  }
  yield* agree(place, 'leaf_count', block.leaf_count, tree.leaves)
  yield* agree(place, 'observation_count', block.observation_count, observations)
  yield* agree(place, 'item_count', block.item_count, tree.leaves - observations)
  yield* agree(place, 'merkle_root', tree.finish(), block.merkle_root)
  yield* agree(place, 'first_item_id', firstItem, block.first_item_id)
  yield* agree(place, 'last_item_id', lastItem, block.last_item_id)
}

/** Leaf indexes must count up from 0 in the byte order of the ids, in which the rows come. */
function* order(block: BlockRow, last: LeafRow | undefined, row: LeafRow): Disagreements {
  const place = { height: block.height, subject: row.id }
  yield* agree(place, 'leaf_index', last === undefined ? 0 : last.leaf_index + 1, row.leaf_index)
  yield* holds(place, 'id', last?.id !== row.id, 'one leaf of a subject')
}

/**
 * Audits the ledger while the service keeps running. It holds no long transaction, because a long transaction would
 * keep the database from cleaning up.
 * Each page is one statement and therefore one snapshot. Pages of different moments fit together, because the audit
 * orders and compares them by values that never change after they are written: blocks, tiles, and the place (block,
 * leaf index) of a subject. Values that can change are checked within one row: a redaction changes claims and columns
 * together, and a deletion inserts the tombstone in the same transaction.
 * The head is fixed at the start. Blocks, keys and subjects that are made later belong to the next audit.
 * @param limit the audit stops after this many disagreements
 */
export async function auditLedger(
  {
    em,
    masterKey,
    onProgress,
  }: {
    readonly em: EntityManager
    /** When given, the audit also opens every sealed signing key. */
    readonly masterKey?: MasterKey
    /** Called at most once a second, and once at the end. */
    readonly onProgress?: (progress: AuditProgress) => void
  },
  { limit = 1 }: { readonly limit?: number } = {},
) {
  const [head] = await headRows(em)
  const pace = new AuditPace((head?.height ?? -1) + 1, onProgress)
  const disagreements = await firstOf(everything({ em, masterKey }, head, pace), limit)
  pace.report()
  return {
    passed: disagreements.length === 0,
    /** Empty when the audit passed. Otherwise the first disagreements, in the order of the chain. */
    disagreements,
    /** Height of the head when the audit began. The audit ends there. -1 when the ledger has no genesis block. */
    height: head?.height ?? -1,
    /** How much was checked. */
    ...pace.counts,
  }
}

async function* everything(
  { em, masterKey }: { em: EntityManager; masterKey: MasterKey | undefined },
  head: BlockRow | undefined,
  pace: AuditPace,
): AsyncGenerator<Disagreement> {
  if (head === undefined)
    return yield { height: 0, field: 'block', expected: 'a genesis block', found: 'nothing' }
  const keys = new KeyChain(signatureCheck)
  const tiles = tilesUpTo(em, head.id)
  let previous: BlockRow | undefined
  for await (const block of blocksUpTo(em, head.height)) {
    const signer = yield* keys.follow(block)
    yield* auditBlock(block, previous, signer)
    const { tree, missing } = expectTiles()
    yield* auditLeaves(block, { em, keys, pace }, tree)
    yield* auditTiles(block, tiles, { missing, pace })
    previous = block
    await pace.checked('blocks')
  }
  yield* auditKeys({ em, masterKey }, keys, head.height)
  yield* auditStrayLeaves(em)
  yield* auditWaiting({ em, keys, pace }, head)
  yield* auditTombstones({ em, keys, pace })
  yield* auditDangling(em, head)
}

type TileRow = RowFrom<typeof TILES>

/**
 * The next tiles up to and including those of this block. Tiles of earlier blocks that have not been read yet come
 * first.
 */
type TilesUpToBlock = (blockId: string) => AsyncGenerator<TileRow>

/** Rows per page. A full tile has 8 KiB. */
const TILES_PER_PAGE = 256

/**
 * Every tile of every block up to and including the block `lastBlockId`. Tiles never change. Index: block_tiles_pkey.
 */
function tilesUpTo(em: EntityManager, lastBlockId: string): TilesUpToBlock {
  const beyond = ({ block_id, level, tile } = NO_TILE) => TILES({ block_id, level, tile, lastBlockId })
  const all = (async function* () {
    for await (const page of pages(em, beyond)) yield* page
  })()
  let next: IteratorResult<TileRow, void> | undefined
  return async function* upToBlock(blockId) {
    next ??= await all.next()
    for (; next.done !== true && next.value.block_id <= blockId; next = await all.next()) yield next.value
  }
}

const NO_TILE: Omit<TileRow, 'hashes'> = { block_id: '', level: 0, tile: 0 }

const TILES = statement(
  { block_id: text, level: int2, tile: int4, hashes: bytes },
  (after: { block_id: string; level: number; tile: number; lastBlockId: string }) => sql`
  SELECT block_id, level, tile, hashes FROM block_tiles
   WHERE (block_id, level, tile) > (${after.block_id}, ${after.level}, ${after.tile})
     AND block_id <= ${after.lastBlockId}
   ORDER BY block_id, level, tile LIMIT ${sql.lit(TILES_PER_PAGE)}`,
)

/**
 * The tree to which a block's leaves are added, and digests of the expected tiles that have not been found yet, by tile
 * name: 32 bytes for every 256 leaves.
 */
function expectTiles() {
  const missing = new Map<string, string>()
  const tree = new TileTree((tile) => missing.set(nameOf(tile), digestOf(tile)))
  return { tree, missing }
}

/** Must be called after the tree is finished. */
async function* auditTiles(
  block: BlockRow,
  tiles: TilesUpToBlock,
  { missing, pace }: { missing: Map<string, string>; pace: AuditPace },
): AsyncGenerator<Disagreement> {
  for await (const tile of tiles(block.id)) {
    const subject = nameOf(tile)
    if (tile.block_id !== block.id) {
      yield { ...DANGLES, subject, found: tile.block_id }
      continue
    }
    const place = { height: block.height, subject }
    const expected = missing.get(subject)
    if (expected === undefined) yield { ...place, field: 'tile', expected: 'no such tile' }
    else if (expected !== digestOf(tile))
      yield { ...place, field: 'hashes', expected: 'the nodes over the leaves' }
    missing.delete(subject)
    await pace.checked('tiles')
  }
  for (const subject of missing.keys())
    yield { height: block.height, subject, field: 'tile', expected: 'a stored tile', found: 'nothing' }
}

const nameOf = ({ level, tile }: Tile): string => `tile ${level}/${tile}`

const digestOf = ({ hashes }: Tile): string => createHash('sha256').update(hashes).digest('base64')
