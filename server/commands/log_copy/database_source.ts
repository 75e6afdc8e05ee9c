// The log of a database, as copies are made from it.
import type { EntityManager } from '@mikro-orm/postgresql'
import { openCheckpoint } from '../../../shared/log/checkpoint.ts'
import { utf8 } from '../../../shared/proof/bytes.ts'
import { epochFiles } from '../../domain/commitments/epoch_files.ts'
import { noteTextOf, type StoredCheckpoint } from '../../domain/log/checkpoint_rows.ts'
import { type JudgeParts, judgeLog } from '../../domain/log/judge_log.ts'
import { witnessedCheckpoint } from '../../domain/log/shown_checkpoint.ts'
import type { SignedMemory } from '../../domain/log/signed_memory.ts'
import { entryRows, storedTiles } from '../../domain/log/tile_rows.ts'
import type { Witnessing } from '../../domain/log/witnessing.ts'
import { introducedKeys } from '../../domain/proofs/keyrings.ts'
import type { CopySource } from './copy_source.ts'

interface LogDatabase {
  readonly em: EntityManager
  /** What servers with this data folder have seen signed. A file may show only what is in it. */
  readonly memory?: SignedMemory | undefined
  readonly witnessing?: Witnessing | undefined
}

/** Blocks that are made meanwhile belong to the next checkpoint, so nothing is read in one snapshot. */
export const databaseSource = ({ em, memory, witnessing }: LogDatabase): CopySource => ({
  shown: async () => {
    const newest = await newestOf({ em, memory })
    if (newest === undefined) return undefined
    const note = noteTextOf(newest)
    await memory?.keep(newest.key.verifier, openCheckpoint(utf8(note), newest.key.verifier))
    if (witnessing !== undefined) return witnessedCheckpoint(em, witnessing, newest)
    return { size: newest.size, note }
  },
  readTiles: storedTiles(em),
  readEntries: (from, to) => entryRows(em, { from, to }),
  keys: async (height) =>
    (await introducedKeys(em)).filter(({ introducedAtHeight }) => introducedAtHeight < height),
  epochs: (height) => epochFiles(em, height),
})

/** @throws Error when the ledger is behind what was signed, because nothing of it may be shown then */
async function newestOf(parts: JudgeParts): Promise<StoredCheckpoint | undefined> {
  const judgement = await judgeLog(parts)
  const missing = judgement?.missing
  if (missing === undefined) return judgement?.standing.newest
  throw new Error(
    `The ledger is behind what its log has signed: ${missing.size} blocks. Nothing was written. /health/ready of a server says more.`,
  )
}
