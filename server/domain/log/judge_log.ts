// Holds the ledger against what its log is known to have signed: what this server remembers, what it was told, and what
// the servers of the fleet have written into the database. Each counts by its signature alone.

import type { EntityManager } from '@mikro-orm/postgresql'
import type { SignedCheckpoint } from '../../../shared/log/checkpoint.ts'
import { isSignedBy } from '../../../shared/log/signed_note.ts'
import { readRoot } from '../../../shared/log/tile_reader.ts'
import { bytesEqual, utf8 } from '../../../shared/proof/bytes.ts'
import { type LogStanding, logStanding } from './checkpoint_rows.ts'
import { logKeyInUse } from './log_key.ts'
import { readEvidence, type SignedMemory } from './signed_memory.ts'
import { storedTiles } from './tile_rows.ts'

export interface LogJudgement {
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
  const inUse = await logKeyInUse({ em })
  if (inUse === undefined) return undefined
  const { verifier } = inUse
  // Before the ledger is read: what is remembered was in the ledger before, so a ledger without it has lost it.
  const held = await memory?.newest(verifier)
  const standing = await logStanding({ em }, held?.size ?? 0)
  // A fork was accepted in between.
  if (standing?.key.verifier.id !== verifier.id) return judgeLog({ em, memory }, told)
  const written = standing.missing === undefined ? undefined : readEvidence(utf8(standing.missing), verifier)
  const heard = told !== undefined && isSignedBy(told.note, verifier) ? told : undefined
  const evidence = [written, held, heard]
    .filter((one) => one !== undefined)
    .toSorted((one, other) => other.size - one.size)
  for (const one of evidence) {
    const rootThere = one === held ? standing.rootAt : undefined
    if (!(await isExtended({ em }, standing, one, rootThere))) return { standing, held, missing: one }
  }
  return { standing, held, missing: undefined }
}

const isExtended = async (
  { em }: { em: EntityManager },
  { leaves }: LogStanding,
  { size, root }: SignedCheckpoint,
  rootThere: Uint8Array | undefined,
): Promise<boolean> =>
  size <= leaves && bytesEqual(rootThere ?? (await readRoot(storedTiles(em), size)), root)
