// Recomputes the whole ledger from what is stored, genesis to head, and says where it does not agree with itself.
import type { EntityManager } from '@mikro-orm/postgresql'
import type { MasterKey } from '../../../kernel/sealed.ts'
import { auditBlock } from './audit_block.ts'
import { auditKeys } from './audit_keys.ts'
import { auditLeaves, leavesUpTo } from './audit_leaves.ts'
import { auditDangling, auditWaiting } from './audit_strays.ts'
import { auditTiles, expectTiles, tilesUpTo } from './audit_tiles.ts'
import { type BlockRow, blocksUpTo, headRows } from './block_rows.ts'
import type { Disagreement } from './disagreement.ts'
import { KeyChain } from './key_chain.ts'
import { type AuditCounts, type AuditProgress, Pace } from './pace.ts'

/** The counts are of what was checked. */
export interface AuditReport extends AuditCounts {
  readonly passed: boolean
  /** Empty when passed; otherwise the first ones, in the order of the chain. */
  readonly disagreements: readonly Disagreement[]
  /** The head's when the audit began, where it ends; -1 on a ledger without genesis. */
  readonly height: number
}

export interface AuditOptions {
  /** How many disagreements to collect before stopping. What follows the first one may be its consequence. Default 1. */
  readonly limit?: number
}

export interface AuditCollaborators {
  readonly em: EntityManager
  /** When given, every sealed signing key is opened as well. */
  readonly masterKey?: MasterKey
  /** Called at most once a second, and at the end. */
  readonly onProgress?: (progress: AuditProgress) => void
}

/**
 * Safe beside a running service, and without one long transaction that would keep the database from cleaning up. Every
 * page is one statement, so one snapshot, and pages of different moments fit together, because what they are ordered
 * and compared by never changes once written: blocks, tiles, and the place (block, leaf index) of a subject. What may
 * change is judged within one row: redacting turns claims and columns together, and a deletion puts the tombstone into
 * the same place in the same transaction. The head is fixed at the start; blocks, keys and subjects made after it are
 * left to the next audit.
 */
export async function auditLedger(
  { em, masterKey, onProgress }: AuditCollaborators,
  { limit = 1 }: AuditOptions = {},
): Promise<AuditReport> {
  const [head] = await headRows({ em })
  const pace = new Pace((head?.height ?? -1) + 1, onProgress)
  const disagreements: Disagreement[] = []
  if (head === undefined)
    disagreements.push({ height: 0, field: 'block', expected: 'a genesis block', found: 'nothing' })
  else
    for await (const disagreement of everything({ em, masterKey }, head, pace)) {
      disagreements.push(disagreement)
      if (disagreements.length >= limit) break
    }
  pace.tell()
  return Object.freeze({
    passed: disagreements.length === 0,
    disagreements,
    height: head?.height ?? -1,
    ...pace.counts,
  } satisfies AuditReport)
}

async function* everything(
  { em, masterKey }: { em: EntityManager; masterKey: MasterKey | undefined },
  head: BlockRow,
  pace: Pace,
): AsyncGenerator<Disagreement> {
  const keys = new KeyChain()
  const leaves = leavesUpTo({ em }, head.id)
  const tiles = tilesUpTo({ em }, head.id)
  let previous: BlockRow | undefined
  for await (const block of blocksUpTo({ em }, head.height)) {
    const signer = yield* keys.follow(block)
    yield* auditBlock(block, previous, signer)
    const { tree, missing } = expectTiles()
    yield* auditLeaves(block, leaves, { keys, pace, tree })
    yield* auditTiles(block, tiles, { missing, pace })
    previous = block
    await pace.checked('blocks')
  }
  yield* auditKeys({ em, masterKey }, keys, head.height)
  yield* auditWaiting({ em }, head, { keys, pace })
  yield* auditDangling({ em }, head)
}
