// The origins of the public log: a start establishes the first one, its key, and a checkpoint for the blocks that there
// are; a fork that is accepted retires the one in use with the reason, and a new key signs from there on. No block changes.
import type { EntityManager } from '@mikro-orm/postgresql'
import { writeNote } from '../../../shared/log/signed_note.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { MasterKey } from '../../kernel/sealed.ts'
import { db, inTransaction, NOW } from '../../store/statement.ts'
import { lockLedger } from '../ledger/block.ts'
import { firstOrigin, logKeyInUse, makeLogKey } from './log_rows.ts'
import { createCheckpointSigner } from './public_log.ts'
import { deleteMissing, judgeLog, type SignedMemory, writeMissing } from './signed_memory.ts'

export interface LogChoices {
  /** The identity of the log, which the first start fixes. */
  readonly origin: string
  /** What this server has seen signed. Nothing is signed behind it. */
  readonly memory?: SignedMemory | undefined
}

/** Changes nothing when all is there. Of a ledger that is behind what was signed, it only writes down that it is. */
export async function prepareLog(
  { em, masterKey, tell }: { em: EntityManager; masterKey: MasterKey; tell: (line: string) => void },
  { origin, memory }: LogChoices,
): Promise<void> {
  const signer = createCheckpointSigner({ masterKey, memory })
  const fixed = await inTransaction(em, async (tx) => {
    await lockLedger(tx)
    if ((await logKeyInUse(tx)) === undefined) {
      await makeLogKey({ em: tx, masterKey }, { number: 1, origin })
      if (memory !== undefined && !(await memory.isEmpty())) tell(ANOTHER_KEY)
    }
    const judgement = await judgeLog({ em: tx, memory })
    if (judgement?.missing === undefined) await signer.signHead(tx)
    else await writeMissing(tx, judgement)
    return firstOrigin(tx)
  })
  if (fixed !== origin)
    tell(
      `The origin of the public log stays ${fixed}: LOG_ORIGIN, or BASE_URL where that is not set, now says ${origin}.`,
    )
}

const ANOTHER_KEY =
  'This ledger had no key for its public log, and one was made. But this data folder has seen a public log signed by ' +
  'another key: the database is a backup from before that key, or another ledger. Is it the right one?'

/** Characters of a reason. */
const MOST_REASON = 1_000

const NOTHING_BEHIND =
  'the ledger extends everything that this data folder and the database know to be signed, so there is no fork to accept ' +
  'and nothing was retired. Where a server says behind_what_was_signed, name its DATA_DIR'

/** @throws required, invalid_argument, also when nothing is missing: an origin is retired for ever */
export async function acceptFork(
  { em, masterKey, memory }: { em: EntityManager; masterKey: MasterKey; memory?: SignedMemory | undefined },
  { reason: given }: { reason: string },
) {
  const reason = given.trim()
  if (reason === '')
    throw refuse('required', { detail: 'say why, for those who read the history of the log' })
  if (reason.length > MOST_REASON)
    throw refuse('invalid_argument', { detail: `a reason has at most ${MOST_REASON} characters` })
  return inTransaction(em, async (tx) => {
    await lockLedger(tx)
    const judgement = await judgeLog({ em: tx, memory })
    if (judgement === undefined) throw new Error('The log has no key.')
    const { standing, missing } = judgement
    const { key: retired, leaves } = standing
    if (missing === undefined) throw refuse('invalid_argument', { detail: NOTHING_BEHIND })
    const lastCheckpoint = writeNote(missing.note)
    await db(tx)
      .updateTable('log_keys')
      .set({ retired_at: NOW, reason, last_checkpoint: lastCheckpoint })
      .where('number', '=', retired.number)
      .execute()
    await deleteMissing(tx, retired.number)
    const number = retired.number + 1
    const origin = `${await firstOrigin(tx)}-${number}`
    const next = await makeLogKey({ em: tx, masterKey }, { number, origin })
    await createCheckpointSigner({ masterKey, memory }).signHead(tx)
    // Blocks of the checkpoint that the ledger does not extend, which stands in the history, and of the ledger.
    return { retired, inUse: next, signed: missing.size, leaves }
  })
}
