// Goes on behind what was signed, under another name: the origin and its key are retired with the reason, and a new key
// signs from here on. No block changes.

import type { EntityManager } from '@mikro-orm/postgresql'
import { writeNote } from '../../../shared/log/signed_note.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { MasterKey } from '../../kernel/sealed.ts'
import { NOW } from '../../store/database_time.ts'
import { db } from '../../store/run.ts'
import { inTransaction } from '../../store/transaction.ts'
import { lockLedger } from '../ledger/ledger_lock.ts'
import { logStanding, noteTextOf } from './checkpoint_rows.ts'
import { createCheckpointSigner } from './checkpoint_signer.ts'
import { extendsSigned } from './extends_signed.ts'
import { firstOrigin, type LogKey, logKeyInUse, makeLogKey } from './log_key.ts'
import type { SignedMemory } from './signed_memory.ts'

export interface AcceptedFork {
  readonly retired: LogKey
  readonly inUse: LogKey
  /**
   * The signed note that stands in the history: the one that the ledger does not extend, or else its newest. Undefined
   * when the key never signed.
   */
  readonly lastCheckpoint: string | undefined
}

/** Characters of a reason. */
const MOST_REASON = 1_000

/** @throws required, invalid_argument */
export async function acceptFork(
  { em, masterKey, memory }: { em: EntityManager; masterKey: MasterKey; memory?: SignedMemory | undefined },
  { reason: given }: { reason: string },
): Promise<AcceptedFork> {
  const reason = given.trim()
  if (reason === '')
    throw refuse('required', { detail: 'say why, for those who read the history of the log' })
  if (reason.length > MOST_REASON)
    throw refuse('invalid_argument', { detail: `a reason has at most ${MOST_REASON} characters` })
  return inTransaction(em, async (tx) => {
    await lockLedger(tx)
    const inUse = await logKeyInUse({ em: tx })
    const held = inUse === undefined ? undefined : await memory?.newest(inUse.verifier)
    const standing = await logStanding({ em: tx }, held?.size ?? 0)
    if (standing === undefined) throw new Error('The log has no key.')
    const { key: retired, newest } = standing
    const isLost = held !== undefined && !(await extendsSigned({ em: tx }, standing, held))
    const stored = newest === undefined ? undefined : noteTextOf(newest)
    const lastCheckpoint = isLost ? writeNote(held.note) : stored
    await db(tx)
      .updateTable('log_keys')
      .set({ retired_at: NOW, reason, last_checkpoint: lastCheckpoint ?? null })
      .where('number', '=', retired.number)
      .execute()
    const number = retired.number + 1
    const origin = `${await firstOrigin({ em: tx })}-${number}`
    const next = await makeLogKey({ em: tx, masterKey }, { number, origin })
    await createCheckpointSigner({ masterKey, memory }).signHead(tx)
    return { retired, inUse: next, lastCheckpoint }
  })
}
