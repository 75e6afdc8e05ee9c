// The public log in one process: signs with each block, remembers what it has seen before it is shown, and refuses to
// go on behind what was signed.
import type { EntityManager } from '@mikro-orm/postgresql'
import { openCheckpoint, type SignedCheckpoint } from '../../../shared/log/checkpoint.ts'
import { writeNote } from '../../../shared/log/signed_note.ts'
import type { VerifierKey } from '../../../shared/log/verifier_key.ts'
import { utf8 } from '../../../shared/proof/bytes.ts'
import { repeat } from '../../kernel/flow/repeat.ts'
import type { Log } from '../../kernel/log.ts'
import type { MasterKey } from '../../kernel/sealed.ts'
import { inTransaction } from '../../store/run.ts'
import { BehindWhatWasSigned, type InsertBlock, type LoggedBlock, lockLedger } from '../ledger/block.ts'
import { createCheckpointSigner } from './checkpoint_signer.ts'
import { isWrittenDown, judgeLog, writeMissing } from './judge_log.ts'
import { type LogKey, logKeyInUse } from './log_key.ts'
import { type LogStanding, noteTextOf, type StoredCheckpoint } from './log_rows.ts'
import { readEvidence, type SignedMemory } from './signed_memory.ts'

/** Both are signed notes. `found` is undefined when the ledger has no checkpoint of this key. */
interface Behind {
  readonly signed: string
  readonly found: string | undefined
}

export type PublicLog = ReturnType<typeof openPublicLog>

const LOOK_EVERY_MS = 3_000

export function openPublicLog({
  em,
  ledger,
  masterKey,
  memory,
  log,
}: {
  readonly em: () => EntityManager
  /** On connections that may hold the lock of the ledger. */
  readonly ledger: () => EntityManager
  readonly masterKey: MasterKey
  /** Without it, nothing is remembered: for tests, and for what serves no clients. */
  readonly memory?: SignedMemory | undefined
  readonly log: Log
}) {
  const signer = createCheckpointSigner({ masterKey, memory })
  let inUse: LogKey | undefined
  let shown: StoredCheckpoint | undefined
  let behind: Behind | undefined
  let isWritten = true
  /** What a witness or the fleet has told. Kept while it is missing, because the memory keeps the largest alone. */
  let told: SignedCheckpoint | undefined

  const judge = (missing: SignedCheckpoint | undefined, { newest }: LogStanding): void => {
    const before = behind
    behind =
      missing === undefined
        ? undefined
        : { signed: writeNote(missing.note), found: newest === undefined ? undefined : noteTextOf(newest) }
    if (behind === undefined && before !== undefined)
      log.info({ size: newest?.size }, 'log.extends_what_was_signed')
    if (behind === undefined || (behind.signed === before?.signed && behind.found === before.found)) return
    // Nothing of a ledger that lost some of what was signed is shown.
    shown = undefined
    signer.forget()
    log.error(behind, 'log.behind_what_was_signed')
  }

  const read = async (): Promise<void> => {
    const heard = told
    const judgement = await judgeLog({ em: em(), memory }, heard)
    if (judgement === undefined) return
    const { standing, held, missing } = judgement
    const { key, newest } = standing
    const { verifier } = key
    if (inUse !== undefined && verifier.id !== inUse.verifier.id) {
      shown = undefined
      if (key.number > inUse.number)
        log.warn({ retired: inUse.verifier.name, origin: verifier.name }, 'log.fork_accepted')
    }
    inUse = key
    // Another one may have been told meanwhile.
    if (told === heard) told = missing
    judge(missing, standing)
    if (missing !== undefined) {
      if (missing.size > (held?.size ?? 0)) await keep(verifier, () => missing)
      if (!isWrittenDown(judgement)) await tellFleet()
      return
    }
    if (newest === undefined) return
    if (newest.size > (held?.size ?? 0)) {
      if (!(await keep(verifier, () => openCheckpoint(utf8(noteTextOf(newest)), verifier)))) return
      if (held === undefined && memory !== undefined)
        log.warn({ size: newest.size, origin: verifier.name }, 'log.memory_begins')
    }
    shown = newest
  }

  /** False when it is not on the disk. A fault is told once, until it is over. */
  const keep = async (verifier: VerifierKey, open: () => SignedCheckpoint): Promise<boolean> => {
    if (memory === undefined) return true
    try {
      await memory.keep(verifier, open())
      isWritten = true
    } catch (err) {
      if (isWritten) log.error({ err }, 'log.memory_not_written')
      isWritten = false
    }
    return isWritten
  }

  /** Waits for a block that is being made, and judges again when it is there. */
  const tellFleet = (): Promise<void> =>
    inTransaction(ledger(), async (tx) => {
      await lockLedger(tx)
      const judgement = await judgeLog({ em: tx, memory }, told)
      if (judgement !== undefined) await writeMissing(tx, judgement)
    })

  const looking = repeat({
    everyMs: LOOK_EVERY_MS,
    firstMs: Number.POSITIVE_INFINITY,
    onError: (err) => log.error({ err }, 'log.look_failed'),
    run: read,
    keepsAlive: false,
  })

  return Object.freeze({
    /** Starts to look by itself. */
    start: () => looking.poke(),
    /**
     * Compares the ledger with what was signed, and remembers its newest checkpoint. Call it after notices of new blocks
     * and whenever the database may be another one. Never rejects.
     */
    look: looking.run,
    /** The newest checkpoint that this server has on its disk. Nothing newer may be shown. */
    shown: () => shown,
    /** Why no block is made. */
    behind: () => behind,
    mayGrow: async () => {
      if (behind !== undefined) await looking.run()
      return behind === undefined
    },
    append: async (tx: EntityManager, block: LoggedBlock, insert: InsertBlock): Promise<() => void> => {
      try {
        const settle = await signer.append(tx, block, insert)
        return () => {
          settle()
          looking.poke()
        }
      } catch (error) {
        if (error instanceof BehindWhatWasSigned) looking.poke()
        throw error
      }
    },
    /**
     * Judges a note from outside. Only a valid signature of the key in use makes it evidence; then it is remembered.
     * @returns false for what is no evidence
     */
    consider: async (note: Uint8Array) => {
      const key = await logKeyInUse(em())
      const evidence = key && readEvidence(note, key.verifier)
      if (evidence === undefined) return false
      const judgement = await judgeLog({ em: em(), memory }, evidence)
      told = judgement?.missing ?? told
      await looking.run()
      return true
    },
    close: looking.stop,
  })
}
