// Holds the ledger against what its log is known to have signed: what this server remembers, what it was told, and what
// the servers of the fleet have written into the database. Each counts by its signature alone.
import type { EntityManager } from '@mikro-orm/postgresql'
import type { SignedCheckpoint } from '../../../shared/log/checkpoint.ts'
import { isSignedBy, writeNote } from '../../../shared/log/signed_note.ts'
import { readRoot } from '../../../shared/log/tiles.ts'
import { bytesEqual, utf8 } from '../../../shared/proof/bytes.ts'
import { db } from '../../store/run.ts'
import { logKeyInUse } from './log_key.ts'
import { type LogStanding, logStanding, storedTiles } from './log_rows.ts'
import { readEvidence, type SignedMemory } from './signed_memory.ts'

interface LogJudgement {
  readonly standing: LogStanding
  /** The newest one that this server remembers of the key in use. */
  readonly held: SignedCheckpoint | undefined
  /** The largest one that the ledger does not extend. While there is one, no block may be made. */
  readonly missing: SignedCheckpoint | undefined
}

export interface JudgeParts {
  readonly em: EntityManager
  readonly memory?: SignedMemory | undefined
}

/** Undefined before there is a key. @param told another one that may be evidence, of any key */
export async function judgeLog(
  { em, memory }: JudgeParts,
  told?: SignedCheckpoint,
): Promise<LogJudgement | undefined> {
  const inUse = await logKeyInUse(em)
  if (inUse === undefined) return undefined
  const { verifier } = inUse
  // Before the ledger is read: what is remembered was in the ledger before, so a ledger without it has lost it.
  const held = await memory?.newest(verifier)
  const standing = await logStanding(em, held?.size ?? 0)
  // A fork was accepted in between.
  if (standing?.key.verifier.id !== verifier.id) return judgeLog({ em, memory }, told)
  const written = standing.missing === undefined ? undefined : readEvidence(utf8(standing.missing), verifier)
  const heard = told !== undefined && isSignedBy(told.note, verifier) ? told : undefined
  const evidence = [written, held, heard]
    .filter((one) => one !== undefined)
    .toSorted((one, other) => other.size - one.size)
  for (const one of evidence) {
    const rootThere = one === held ? standing.rootAt : undefined
    if (!(await isExtended(em, standing, one, rootThere))) return { standing, held, missing: one }
  }
  return { standing, held, missing: undefined }
}

const isExtended = async (
  em: EntityManager,
  { leaves }: LogStanding,
  { size, root }: SignedCheckpoint,
  rootThere: Uint8Array | undefined,
): Promise<boolean> =>
  size <= leaves && bytesEqual(rootThere ?? (await readRoot(storedTiles(em), size)), root)

/**
 * Writes what is missing, unless the database says so already. The caller holds the lock of the ledger and has judged
 * under it.
 *
 * Commit point: the caller's transaction. Blocks are made under the same lock, and each is held against this row in its
 * own transaction. So a block that was under way when the loss became known is committed before the row is, and after
 * the row comes none, on whichever server, also one that has just started with an empty data folder.
 *
 * - Several servers know: the largest stays. A smaller one of the same past says no more, and whoever knows another past
 *   writes it when this one is back.
 * - The row is lost itself, by a backup that is restored over it or by another replica that takes over: each server that
 *   has read it knows it from then on, and writes it again when it looks.
 * - The server that knows is away, or not looking yet: nobody is told. Blocks that are made then are a second history,
 *   which ends when it comes back; nothing but `acceptFork` leads on from there.
 * - The lost data come back: the next block finds that the ledger extends the checkpoint, and deletes the row in its own
 *   transaction.
 * - A fork is accepted: the row goes with the key, under the same lock. What a server knows of a retired key counts no
 *   more.
 * - It bears no valid signature of the key in use: it counts for nothing, and the next block deletes it.
 * - Servers of a version before this table do not ask. They are gone when the rolling upgrade is over.
 */
export async function writeMissing(em: EntityManager, { standing, missing }: LogJudgement): Promise<void> {
  if (missing === undefined || isWrittenDown({ standing, missing })) return
  const note = writeNote(missing.note)
  await db(em)
    .insertInto('missing_checkpoints')
    .values({ log: standing.key.number, note })
    .onConflict((known) => known.column('log').doUpdateSet({ note }))
    .execute()
}

/** Whether the database says what is missing. */
export const isWrittenDown = ({ standing, missing }: Pick<LogJudgement, 'standing' | 'missing'>): boolean =>
  missing !== undefined && standing.missing === writeNote(missing.note)

/** The caller holds the lock of the ledger. @param log the number of the key */
export async function deleteMissing(em: EntityManager, log: number): Promise<void> {
  await db(em).deleteFrom('missing_checkpoints').where('log', '=', log).execute()
}
