// A block as it is stored, and what its making needs: the lock of the ledger, and the public log.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { bool } from '../../store/columns.ts'
import { RELATIONS } from '../../store/database.ts'
import { type LegibleRow, legibleRow, type PlainRow } from '../../store/row_reader.ts'
import { change, command, row, statement } from '../../store/statement.ts'

export const BLOCK_STATES = ['finalized', 'committed'] as const

/** Genesis has height 0 and names itself as its predecessor. `metadata` is canonical JSON text. */
export type Block = LegibleRow<PlainRow<typeof RELATIONS.blocks>>

export const blockOf = legibleRow(RELATIONS.blocks)

export interface BlockLog {
  /** False while the ledger is behind what was signed. No block may be made then. */
  readonly mayGrow: () => Promise<boolean>
  /**
   * Has a block inserted together with the checkpoint that ends with it. `insert` gets the checkpoint when this process
   * signed the one before; otherwise the log stores one after it, in the same transaction. Returns what is to be called
   * once that is committed.
   * @throws BehindWhatWasSigned
   */
  readonly append: (tx: EntityManager, block: LoggedBlock, insert: InsertBlock) => Promise<() => void>
}

export interface LoggedBlock {
  readonly height: number
  /** 32 bytes: the hash of its leaf. */
  readonly leaf: Uint8Array
}

/** Inserts the block, and the checkpoint if there is one. False when that was not stored. */
export type InsertBlock = (checkpoint: NextCheckpoint | undefined) => Promise<boolean>

/** It follows the newest stored one while nothing is known to be missing, or must not be stored. */
export interface NextCheckpoint {
  /** The number of the key. */
  readonly log: number
  /** 32 bytes. */
  readonly root: Uint8Array
  /** 64 bytes. */
  readonly signature: Uint8Array
  /** The root of the one before, whose size is one less. */
  readonly rootBefore: Uint8Array
}

/** The ledger does not extend a checkpoint with a valid signature of its log. Nothing may be added to it. */
export class BehindWhatWasSigned extends Error {
  constructor() {
    super('The ledger is behind what its log has signed, or is another one.')
    this.name = 'BehindWhatWasSigned'
  }
}

/** For the first block, which is older than the key of the log. */
export const NO_LOG: BlockLog = Object.freeze({
  mayGrow: async () => true,
  append: async (_tx: EntityManager, _block: LoggedBlock, insert: InsertBlock) => {
    await insert(undefined)
    return () => undefined
  },
})

const LEDGER_LOCK = sql.lit(7_205_002)

const LOCK = command(sql`SELECT pg_advisory_xact_lock(${LEDGER_LOCK})`)

const TRY_LOCK = statement({ locked: bool }, sql`SELECT pg_try_advisory_xact_lock(${LEDGER_LOCK}) AS locked`)

/** Waits for the lock, at most as long as the session's statement timeout. */
export async function lockLedger(em: EntityManager): Promise<void> {
  await change(em, LOCK)
}

/** Takes the lock if it is free. Returns false at once if it is not. */
export const tryLockLedger = async (em: EntityManager): Promise<boolean> => (await row(em, TRY_LOCK)).locked
