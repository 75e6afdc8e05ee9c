// Establishes at a start what the public log needs: its key and a checkpoint for the blocks that there are.
import type { EntityManager } from '@mikro-orm/postgresql'
import type { MasterKey } from '../../kernel/sealed.ts'
import { inTransaction } from '../../store/run.ts'
import { lockLedger } from '../ledger/ledger_lock.ts'
import { createCheckpointSigner } from './checkpoint_signer.ts'
import { judgeLog, writeMissing } from './judge_log.ts'
import { firstOrigin, logKeyInUse, makeLogKey } from './log_key.ts'
import type { SignedMemory } from './signed_memory.ts'

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
