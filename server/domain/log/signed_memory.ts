// What is known to be signed, and whether the ledger extends it. Each server keeps the newest checkpoint of each key in its
// own data folder, which tells a ledger that was restored from a backup, or taken over by a replica that had not
// everything. Beside it counts what the server was told, and what the fleet has written into the database; each by its
// signature alone.
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { EntityManager } from '@mikro-orm/postgresql'
import { openCheckpoint, type SignedCheckpoint } from '../../../shared/log/checkpoint.ts'
import { isSignedBy, NOTE_CEILINGS, writeNote } from '../../../shared/log/signed_note.ts'
import { readRoot } from '../../../shared/log/tiles.ts'
import { isSameKey, type VerifierKey } from '../../../shared/log/verifier_key.ts'
import { bytesEqual, readOrUndefined, utf8 } from '../../../shared/proof/bytes.ts'
import { whenAbsent, whenMissing } from '../../kernel/error_code.ts'
import { readSmall } from '../../kernel/read_small.ts'
import { SIGNED_CHECKPOINTS } from '../../store/embedded/data_folder.ts'
import { isThere, makePrivateFolder, renameDurably, writeDurably } from '../../store/embedded/durable_file.ts'
import { db } from '../../store/statement.ts'
import { type LogStanding, logKeyInUse, logStanding, storedTiles } from './log_rows.ts'

export type SignedMemory = ReturnType<typeof openSignedMemory>

/** A file a key, and more only between two writes. */
export function openSignedMemory(dataDir: string) {
  const folder = join(dataDir, SIGNED_CHECKPOINTS)
  const read = new Map<string, SignedCheckpoint>()

  const names = async (): Promise<string[]> => (await readdir(folder).catch(whenAbsent)) ?? []

  const sizesOf = async (key: VerifierKey): Promise<number[]> => {
    const begin = nameOf(key, '')
    return (await names())
      .filter((name) => name.startsWith(begin))
      .map((name) => name.slice(begin.length))
      .filter((size) => /^[1-9]\d{0,15}$/.test(size))
      .map(Number)
      .toSorted((one, other) => other - one)
  }

  /** The largest checkpoint of this key, also when another process has written it. Files that do not verify are no evidence. */
  const newest = async (key: VerifierKey): Promise<SignedCheckpoint | undefined> => {
    for (const size of await sizesOf(key)) {
      const name = nameOf(key, size)
      const found = read.get(name) ?? (await readCheckpointFile(join(folder, name), key))
      if (found?.size !== size) continue
      read.clear()
      read.set(name, found)
      return found
    }
    return undefined
  }

  return Object.freeze({
    /** Whether nothing was ever seen signed, by any key. */
    isEmpty: async () => (await names()).length === 0,
    newest,
    /**
     * Is on the disk when it resolves. Smaller ones of the key are removed after that. One of the same size stays as it
     * is, because it is evidence.
     */
    keep: async (key: VerifierKey, checkpoint: SignedCheckpoint): Promise<void> => {
      const name = nameOf(key, checkpoint.size)
      const path = join(folder, name)
      if (await isThere(path)) return
      await makePrivateFolder(folder)
      const draft = `${path}.${process.pid}.draft`
      await writeDurably(draft, writeNote(checkpoint.note), 0o600)
      await renameDurably(draft, path)
      for (const size of await sizesOf(key))
        if (size < checkpoint.size) await rm(join(folder, nameOf(key, size)), { force: true })
    },
  })
}

/**
 * A checkpoint with the valid signature of the key, and no other, because nobody has verified those. Undefined for
 * anything else.
 */
export function readEvidence(note: Uint8Array, key: VerifierKey): SignedCheckpoint | undefined {
  const checkpoint = readOrUndefined(() => openCheckpoint(note, key))
  if (checkpoint === undefined) return undefined
  const { note: signed, ...head } = checkpoint
  const ours = signed.signatures.filter((one) => isSameKey(one, key)).slice(0, 1)
  return { ...head, note: { text: signed.text, signatures: ours } }
}

const nameOf = (key: VerifierKey, size: number | ''): string =>
  `${key.id.toString(16).padStart(8, '0')}-${size}`

/** Undefined when it is no checkpoint that this key has signed, or is gone. */
async function readCheckpointFile(path: string, key: VerifierKey): Promise<SignedCheckpoint | undefined> {
  const bytes = await readSmall(path, NOTE_CEILINGS.bytes).catch(whenMissing)
  return bytes === undefined || bytes.length > NOTE_CEILINGS.bytes ? undefined : readEvidence(bytes, key)
}

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

/** Undefined before there is a key. @param reported another one that may be evidence, of any key */
export async function judgeLog(
  { em, memory }: JudgeParts,
  reported?: SignedCheckpoint,
): Promise<LogJudgement | undefined> {
  const inUse = await logKeyInUse(em)
  if (inUse === undefined) return undefined
  const { verifier } = inUse
  // Before the ledger is read: what is remembered was in the ledger before, so a ledger without it has lost it.
  const held = await memory?.newest(verifier)
  const standing = await logStanding(em, held?.size ?? 0)
  // A fork was accepted in between.
  if (standing?.key.verifier.id !== verifier.id) return judgeLog({ em, memory }, reported)
  const written = standing.missing === undefined ? undefined : readEvidence(utf8(standing.missing), verifier)
  const verified = reported !== undefined && isSignedBy(reported.note, verifier) ? reported : undefined
  const evidence = [written, held, verified]
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
