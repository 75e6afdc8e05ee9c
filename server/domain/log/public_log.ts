// The public log in one process: signs with each block, remembers what it has seen before it is shown, and refuses to
// go on behind what was signed.

import type { EntityManager } from '@mikro-orm/postgresql'
import { openCheckpoint, type SignedCheckpoint } from '../../../shared/log/checkpoint.ts'
import { writeNote } from '../../../shared/log/signed_note.ts'
import type { VerifierKey } from '../../../shared/log/verifier_key.ts'
import { utf8 } from '../../../shared/proof/bytes.ts'
import type { Log } from '../../kernel/log.ts'
import { repeat } from '../../kernel/repeat.ts'
import type { MasterKey } from '../../kernel/sealed.ts'
import { BehindWhatWasSigned, type BlockLog } from '../ledger/block_log.ts'
import { type LogStanding, logStanding, noteTextOf, type StoredCheckpoint } from './checkpoint_rows.ts'
import { createCheckpointSigner } from './checkpoint_signer.ts'
import { extendsSigned } from './extends_signed.ts'
import { logKeyInUse } from './log_key.ts'
import type { SignedMemory } from './signed_memory.ts'

/** Both are signed notes. `found` is undefined when the ledger has no checkpoint of this key. */
export interface Behind {
  readonly signed: string
  readonly found: string | undefined
}

export interface PublicLog extends BlockLog {
  /** Starts to look by itself. */
  readonly start: () => void
  /**
   * Compares the ledger with what was signed, and remembers its newest checkpoint. Call it after notices of new blocks
   * and whenever the database may be another one. Never rejects.
   */
  readonly look: () => Promise<void>
  /** The newest checkpoint that this server has on its disk. Nothing newer may be shown. */
  readonly shown: () => StoredCheckpoint | undefined
  /** Why no block is made. */
  readonly behind: () => Behind | undefined
  /**
   * Judges a note from outside. Only a valid signature of the key in use makes it evidence; then it is remembered.
   * @returns false for what is no evidence
   */
  readonly consider: (note: Uint8Array) => Promise<boolean>
  readonly close: () => Promise<void>
}

const LOOK_EVERY_MS = 3_000

export function openPublicLog({
  em,
  masterKey,
  memory,
  log,
}: {
  readonly em: () => EntityManager
  readonly masterKey: MasterKey
  /** Without it, nothing is remembered: for tests, and for what serves no clients. */
  readonly memory?: SignedMemory | undefined
  readonly log: Log
}): PublicLog {
  const signer = createCheckpointSigner({ masterKey, memory })
  let shown: StoredCheckpoint | undefined
  let behind: Behind | undefined
  let isWritten = true
  /** A note from outside that is not the largest remembered one and contradicts the ledger. */
  let contradiction: SignedCheckpoint | undefined

  const judge = (evidence: SignedCheckpoint | undefined, { newest }: LogStanding): void => {
    const before = behind
    behind =
      evidence === undefined
        ? undefined
        : { signed: writeNote(evidence.note), found: newest === undefined ? undefined : noteTextOf(newest) }
    if (behind === undefined && before !== undefined)
      log.info({ size: newest?.size }, 'log.extends_what_was_signed')
    if (behind === undefined || (behind.signed === before?.signed && behind.found === before.found)) return
    // Nothing of a ledger that lost some of what was signed is shown.
    shown = undefined
    signer.forget()
    log.error(behind, 'log.behind_what_was_signed')
  }

  const read = async (): Promise<void> => {
    const key = shown?.key ?? (await logKeyInUse({ em: em() }))
    const held = key === undefined ? undefined : await memory?.newest(key.verifier)
    const standing = await logStanding({ em: em() }, held?.size ?? 0)
    if (standing === undefined) return
    if (standing.key.verifier.id !== key?.verifier.id) {
      // Another fork was accepted meanwhile. What its predecessors signed counts no more.
      shown = undefined
      contradiction = undefined
      return read()
    }
    if (held !== undefined && !(await extendsSigned({ em: em() }, standing, held)))
      return judge(held, standing)
    if (contradiction !== undefined && !(await isExtended(contradiction)))
      return judge(contradiction, standing)
    contradiction = undefined
    judge(undefined, standing)
    const { newest } = standing
    if (newest === undefined) return
    if (memory !== undefined && newest.size > (held?.size ?? 0) && !(await keep(memory, held, newest))) return
    shown = newest
  }

  /** False when it is not on the disk. A fault is told once, until it is over. */
  const keep = async (
    to: SignedMemory,
    held: SignedCheckpoint | undefined,
    newest: StoredCheckpoint,
  ): Promise<boolean> => {
    const { verifier } = newest.key
    try {
      await to.keep(verifier, openCheckpoint(utf8(noteTextOf(newest)), verifier))
      if (held === undefined) log.warn({ size: newest.size, origin: verifier.name }, 'log.memory_begins')
      isWritten = true
    } catch (err) {
      if (isWritten) log.error({ err }, 'log.memory_not_written')
      isWritten = false
    }
    return isWritten
  }

  const isExtended = async (signed: SignedCheckpoint): Promise<boolean> => {
    const standing = await logStanding({ em: em() }, signed.size)
    return standing !== undefined && extendsSigned({ em: em() }, standing, signed)
  }

  const looking = repeat({
    everyMs: LOOK_EVERY_MS,
    firstMs: Number.POSITIVE_INFINITY,
    onError: (err) => log.error({ err }, 'log.look_failed'),
    run: read,
    keepsAlive: false,
  })

  return Object.freeze({
    start: () => looking.poke(),
    look: looking.run,
    shown: () => shown,
    behind: () => behind,
    mayGrow: async () => {
      if (behind !== undefined) await looking.run()
      return behind === undefined
    },
    append: async (tx, block, insert) => {
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
    consider: async (note) => {
      const key = shown?.key ?? (await logKeyInUse({ em: em() }))
      if (key === undefined) return false
      const evidence = readEvidence(note, key.verifier)
      if (evidence === undefined) return false
      const held = await memory?.newest(key.verifier)
      if (evidence.size > (held?.size ?? 0)) await memory?.keep(key.verifier, evidence)
      if (!(await isExtended(evidence))) contradiction = evidence
      await looking.run()
      return true
    },
    close: looking.stop,
  } satisfies PublicLog)
}

function readEvidence(note: Uint8Array, key: VerifierKey): SignedCheckpoint | undefined {
  try {
    return openCheckpoint(note, key)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
