// Adds one block to the chain in one transaction: it takes everything eligible, builds the tree, signs the root and
// commits.

import { randomBytes } from 'node:crypto'
import { setImmediate as breathe } from 'node:timers/promises'
import type { EntityManager } from '@mikro-orm/postgresql'
import { canonicalJson } from '../../../shared/proof/canonical_json.ts'
import { uuid7From } from '../../../shared/proof/uuid7.ts'
import { step } from '../../kernel/step.ts'
import { inTransaction } from '../../store/transaction.ts'
import { insertBlock } from './insert_block.ts'
import { keyEventMetadata } from './key_event.ts'
import { type OpenBlock, placeLeaves, storeTiles } from './leaves.ts'
import { tryLockLedger } from './ledger_lock.ts'
import type { Signer } from './signer.ts'
import { introduceKey, type SigningKey, signingKeys } from './signing_key.ts'
import { readStanding } from './standing.ts'
import { HASH_BYTES, type Tile, TileTree } from './tile_tree.ts'

export interface FinalizeOrder {
  /** The length of a slot in milliseconds. Slots are aligned to the clock. */
  readonly intervalMs: number
  /** The head that the caller saw. When it is no longer the head, another server has already made the block. */
  readonly after?: string
}

/**
 * `not_due` means that the slot already has its block or the head has moved on. `busy` means that another server is
 * making a block now.
 */
export type FinalizeOutcome =
  | { readonly outcome: 'finalized'; readonly id: string; readonly height: number; readonly leaves: number }
  | { readonly outcome: 'not_due' | 'busy' }

/**
 * May be called at any time, any number of times, by any number of servers. At most one block is made at a time and
 * at most one per slot. After missed slots, one call makes one block over everything that waited. If the server
 * crashes before the commit, nothing is stored.
 */
export function finalizeBlock(
  { em, signer }: { em: EntityManager; signer: Signer },
  { intervalMs, after }: FinalizeOrder,
): Promise<FinalizeOutcome> {
  return inTransaction(em, async (tx): Promise<FinalizeOutcome> => {
    if (!(await tryLockLedger(tx))) return { outcome: 'busy' }
    const { nowMs, head } = await readStanding({ em: tx })
    const slotTaken = Math.floor(head.timeMs / intervalMs) === Math.floor(nowMs / intervalMs)
    if (slotTaken || (after !== undefined && after !== head.id)) return { outcome: 'not_due' }

    // The block's id carries exactly the time of the cut. So no item of the block has a later id time than the block
    // itself.
    const cutMs = Math.max(nowMs, head.timeMs + 1)
    const id = uuid7From(cutMs, randomBytes(10))
    const height = head.height + 1
    const { leaves, ...tree } = await step('finalize tree', () =>
      buildTree(tx, { id, height, cutMs, previousMs: head.timeMs }),
    )
    const { metadata, signingKeyId } = await keyEventOf(tx, height)
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
    await step('finalize block', () => insertBlock({ em: tx, signer }, block))
    // Commit point: the block, its leaves, its tiles and its fact become visible together when this transaction
    // commits.
    return { outcome: 'finalized', id, height, leaves }
  })
}

/** Leaves hashed before the event loop may do other work: about two milliseconds. */
const LEAVES_PER_BREATH = 512

async function buildTree(em: EntityManager, block: OpenBlock) {
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
  for (let at = 0; at < hashes.length; at += HASH_BYTES) {
    tree.add(hashes.subarray(at, at + HASH_BYTES))
    if (tree.leaves % LEAVES_PER_BREATH === 0) await breathe()
  }
}

/**
 * Introduces the next key in this block if a rotation was requested. The outgoing key signs a block with a regular
 * rotation; the new key signs a block with an emergency rotation. Everything made after this block uses the new key.
 */
async function keyEventOf(
  em: EntityManager,
  height: number,
): Promise<{ metadata: string; signingKeyId: Buffer }> {
  const keys = await signingKeys({ em })
  const current = keys.findLast((key) => key.introducedAtHeight !== null)
  if (current === undefined) throw new Error('The ledger has no current signing key.')
  const next = keys.find((key) => key.introducedAtHeight === null)
  if (next === undefined || next.rotation === null)
    return { metadata: canonicalJson({}), signingKeyId: current.keyId }
  await introduceKey({ em }, next.keyId, height)
  const committed: SigningKey | undefined = keys.find((key) => key.sequence === next.sequence + 1)
  return {
    metadata: canonicalJson(keyEventMetadata(next, next.rotation, committed)),
    signingKeyId: next.rotation === 'emergency_rotation' ? next.keyId : current.keyId,
  }
}
