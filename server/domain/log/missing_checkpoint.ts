// What one server knows of a lost past, in the database, where it binds all of them.

import type { EntityManager } from '@mikro-orm/postgresql'
import { writeNote } from '../../../shared/log/signed_note.ts'
import { db } from '../../store/run.ts'
import type { LogJudgement } from './judge_log.ts'

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
export async function writeMissing(
  { em }: { em: EntityManager },
  { standing, missing }: LogJudgement,
): Promise<void> {
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
export async function deleteMissing({ em }: { em: EntityManager }, log: number): Promise<void> {
  await db(em).deleteFrom('missing_checkpoints').where('log', '=', log).execute()
}
