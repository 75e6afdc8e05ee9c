// Adds one block to the chain in one transaction: it takes everything eligible, builds the tree, signs the root and
// commits.
import { randomBytes } from 'node:crypto'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { canonicalJson } from '../../../shared/proof/json_value.ts'
import { uuid7From } from '../../kernel/identifiers.ts'
import { step } from '../../kernel/step.ts'
import { bool, bytes, float8, int4, nullable, text } from '../../store/columns.ts'
import { inTransaction, type RowFrom, row, statement } from '../../store/statement.ts'
import { BehindWhatWasSigned, tryLockLedger } from './block.ts'
import { type InsertParts, insertBlock } from './insert_block.ts'
import { placeLeaves, storeTiles } from './leaves.ts'
import { introduceKey, keyEventMetadata, signingKeys } from './signing_key.ts'
import { NODE_BYTES, type Tile, TileTree } from './tile_tree.ts'

type ChainHead = RowFrom<typeof CHAIN_HEAD>

/**
 * No row before there is a genesis. Indexes: blocks_height_key, signing_keys_sequence_key, items_pkey,
 * entropy_observations_pkey. Times are Unix milliseconds; that of the head is the time in its id. That of the newest item or observation is null
 * before there is any; one that is later than the head is in no block, because no block holds what is later than itself.
 */
const CHAIN_HEAD = statement(
  {
    now_ms: float8,
    id: text,
    height: int4,
    hash: bytes,
    time_ms: float8,
    newest_ms: nullable(float8),
    key_id: bytes,
    rotates: bool,
  },
  sql`
  SELECT unix_ms(pharos_now()) AS now_ms, head.id, head.height, head.block_hash AS hash,
         unix_ms(head.finalized_at) AS time_ms,
         unix_ms(greatest((SELECT inserted_at FROM items ORDER BY id DESC LIMIT 1),
                          (SELECT inserted_at FROM entropy_observations ORDER BY id DESC LIMIT 1))) AS newest_ms,
         current.key_id,
         EXISTS (SELECT FROM signing_keys WHERE introduced_at_height IS NULL AND rotation IS NOT NULL) AS rotates
    FROM (SELECT id, height, block_hash, finalized_at FROM blocks ORDER BY height DESC LIMIT 1) AS head
   CROSS JOIN (SELECT key_id FROM signing_keys WHERE introduced_at_height IS NOT NULL
                ORDER BY sequence DESC LIMIT 1) AS current`,
)

interface FinalizeOrder {
  /** The length of a slot in milliseconds. Slots are aligned to the clock. */
  readonly intervalMs: number
  /** The head that the caller saw. When it is no longer the head, another server has already made the block. */
  readonly after?: string
}

/**
 * `not_due` means that the slot already has its block or the head has moved on. `busy` means that another server is
 * making a block now. `behind` means that the ledger is behind what its public log has signed.
 */
export type FinalizeOutcome =
  | {
      readonly outcome: 'finalized'
      readonly id: string
      readonly height: number
      readonly leaves: number
      /** How long its slot had begun by the clock. The time in the id is another one while the chain is ahead of it. */
      readonly lateMs: number
    }
  | { readonly outcome: 'not_due' | 'busy' | 'behind' }

/**
 * May be called at any time, any number of times, by any number of servers. At most one block is made at a time and
 * at most one per slot. After missed slots, one call makes one block over everything that waited. If the server
 * crashes before the commit, nothing is stored.
 */
export async function finalizeBlock(
  { em, signer, publicLog }: InsertParts,
  order: FinalizeOrder,
): Promise<FinalizeOutcome> {
  if (!(await publicLog.mayGrow())) return { outcome: 'behind' }
  try {
    const { afterCommit, ...outcome } = await inTransaction(em, (tx) =>
      finalizeIn({ em: tx, signer, publicLog }, order),
    )
    afterCommit?.()
    return outcome
  } catch (error) {
    if (error instanceof BehindWhatWasSigned) return { outcome: 'behind' }
    throw error
  }
}

type Made = FinalizeOutcome & { readonly afterCommit?: () => void }

async function finalizeIn(
  { em: tx, signer, publicLog }: InsertParts,
  { intervalMs, after }: FinalizeOrder,
): Promise<Made> {
  if (!(await tryLockLedger(tx))) return { outcome: 'busy' }
  const head = await row(tx, CHAIN_HEAD)
  const slotTaken = Math.floor(head.time_ms / intervalMs) === Math.floor(head.now_ms / intervalMs)
  if (slotTaken || (after !== undefined && after !== head.id)) return { outcome: 'not_due' }

  const cutMs = cutAfter(head)
  const id = uuid7From(cutMs, randomBytes(10))
  const height = head.height + 1
  const { leaves, ...tree } = await step('finalize tree', () =>
    buildTree(tx, { id, height, cutMs, previousMs: head.time_ms }),
  )
  const { metadata, signingKeyId } = head.rotates
    ? await keyEventOf(tx, height)
    : { metadata: NO_EVENT, signingKeyId: head.key_id }
  const block = {
    id,
    height,
    timeMs: cutMs,
    previousBlockId: head.id,
    previousBlockHash: head.hash,
    ...tree,
    metadata,
    signingKeyId,
  }
  const afterCommit = await step('finalize block', () => insertBlock({ em: tx, signer, publicLog }, block))
  // Commit point: the block, its leaves, its tiles, its fact and its checkpoint become visible together when this
  // transaction commits.
  // A server that knows that something signed is missing writes it under the same lock, so no block is committed after
  // that; `writeMissing` of the log says how the two may meet.
  return { outcome: 'finalized', id, height, leaves, lateMs: head.now_ms % intervalMs, afterCommit }
}

/**
 * The time up to which a block takes what waits. Its id carries exactly this millisecond, so nothing in it is later than
 * itself.
 *
 * While the clock is behind the head, it was ahead and was set back. Then the block takes everything that was submitted
 * under that clock too; otherwise it would wait until the clock is there again, because blocks go on a millisecond
 * apart. Id times come from the clock or from a head, so the chain goes no further ahead than the clock has been. If the
 * clock was years ahead, nothing waits for years either, but the times of all blocks and items say nothing until the
 * clock has caught up: they only go on in order.
 *
 * When the clock was ahead too shortly for any block, the chain is not ahead. Then what was submitted under that clock
 * waits for its time, because taking it would put everybody's next blocks there.
 */
const cutAfter = ({ now_ms, time_ms, newest_ms }: ChainHead): number =>
  now_ms > time_ms ? now_ms : Math.max(time_ms + 1, newest_ms ?? 0)

/** Leaves hashed before the event loop may do other work: about a quarter of a millisecond, because an answer waits several times. */
const LEAVES_BETWEEN_YIELDS = 64

async function buildTree(em: EntityManager, block: Parameters<typeof placeLeaves>[1]) {
  const full: Tile[] = []
  const tree = new TileTree((tile) => full.push(tile))
  let itemCount = 0
  let observationCount = 0
  let firstItemId: string | null = null
  let lastItemId: string | null = null
  for await (const piece of placeLeaves(em, block)) {
    itemCount += piece.items
    observationCount += piece.observations
    firstItemId ??= piece.firstItemId
    lastItemId = piece.lastItemId ?? lastItemId
    await addLeaves(tree, piece.hashes)
    await storeTiles(em, block.id, full.splice(0))
  }
  const merkleRoot = tree.finish()
  await storeTiles(em, block.id, full)
  return { merkleRoot, itemCount, observationCount, firstItemId, lastItemId, leaves: tree.leaves }
}

async function addLeaves(tree: TileTree, hashes: Buffer): Promise<void> {
  for (let at = 0; at < hashes.length; at += NODE_BYTES) {
    tree.add(hashes.subarray(at, at + NODE_BYTES))
    if (tree.leaves % LEAVES_BETWEEN_YIELDS === 0) await yieldToEventLoop()
  }
}

const NO_EVENT = canonicalJson({})

/**
 * Introduces the next key in this block if a rotation was requested. The outgoing key signs a block with a regular
 * rotation; the new key signs a block with an emergency rotation. Everything made after this block uses the new key.
 */
async function keyEventOf(em: EntityManager, height: number) {
  const keys = await signingKeys(em)
  const current = keys.findLast((key) => key.introducedAtHeight !== null)
  if (current === undefined) throw new Error('The ledger has no current signing key.')
  const next = keys.find((key) => key.introducedAtHeight === null)
  if (next === undefined || next.rotation === null) return { metadata: NO_EVENT, signingKeyId: current.keyId }
  await introduceKey(em, next.keyId, height)
  const committed = keys.find((key) => key.sequence === next.sequence + 1)
  return {
    metadata: canonicalJson(keyEventMetadata(next, next.rotation, committed)),
    signingKeyId: next.rotation === 'emergency_rotation' ? next.keyId : current.keyId,
  }
}
