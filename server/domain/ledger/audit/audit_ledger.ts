// Recomputes the whole stored ledger from genesis to the head and reports where it disagrees with itself.
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Disagreement } from '../../../../shared/audit/disagreement.ts'
import { KeyChain } from '../../../../shared/audit/key_chain.ts'
import type { MasterKey } from '../../../kernel/sealed.ts'
import { signatureCheck } from '../signing_key.ts'
import { auditBlock } from './audit_block.ts'
import { auditKeys } from './audit_keys.ts'
import { auditLeaves } from './audit_leaves.ts'
import { auditDangling, auditStrayLeaves, auditTombstones, auditWaiting } from './audit_strays.ts'
import { auditTiles, expectTiles, tilesUpTo } from './audit_tiles.ts'
import { type BlockRow, blocksUpTo, headRows } from './block_rows.ts'
import { type AuditCounts, type AuditProgress, Pace } from './pace.ts'

/** The counts say how much was checked. */
export interface AuditReport extends AuditCounts {
  readonly passed: boolean
  /** Empty when the audit passed. Otherwise the first disagreements, in the order of the chain. */
  readonly disagreements: readonly Disagreement[]
  /** Height of the head when the audit began. The audit ends there. -1 when the ledger has no genesis block. */
  readonly height: number
}

export interface AuditOptions {
  /**
   * The audit stops after this many disagreements, because later ones may be consequences of the first. Default 1.
   */
  readonly limit?: number
}

export interface AuditCollaborators {
  readonly em: EntityManager
  /** When given, the audit also opens every sealed signing key. */
  readonly masterKey?: MasterKey
  /** Called at most once a second, and once at the end. */
  readonly onProgress?: (progress: AuditProgress) => void
}

/**
 * Audits the ledger while the service keeps running. It holds no long transaction, because a long transaction would
 * keep the database from cleaning up.
 * Each page is one statement and therefore one snapshot. Pages of different moments fit together, because the audit
 * orders and compares them by values that never change after they are written: blocks, tiles, and the place (block,
 * leaf index) of a subject. Values that can change are checked within one row: a redaction changes claims and columns
 * together, and a deletion inserts the tombstone in the same transaction.
 * The head is fixed at the start. Blocks, keys and subjects that are made later belong to the next audit.
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
  const keys = new KeyChain(signatureCheck)
  const tiles = tilesUpTo({ em }, head.id)
  let previous: BlockRow | undefined
  for await (const block of blocksUpTo({ em }, head.height)) {
    const signer = yield* keys.follow(block)
    yield* auditBlock(block, previous, signer)
    const { tree, missing } = expectTiles()
    yield* auditLeaves(block, { em, keys, pace }, tree)
    yield* auditTiles(block, tiles, { missing, pace })
    previous = block
    await pace.checked('blocks')
  }
  yield* auditKeys({ em, masterKey }, keys, head.height)
  yield* auditStrayLeaves({ em })
  yield* auditWaiting({ em, keys, pace }, head)
  yield* auditTombstones({ em, keys, pace })
  yield* auditDangling({ em }, head)
}
