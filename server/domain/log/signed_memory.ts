// What this server has seen signed, in its own data folder: the newest checkpoint of each key. It tells a ledger that
// was restored from a backup, or taken over by a replica that had not everything.
import { open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { openCheckpoint, type SignedCheckpoint } from '../../../shared/log/checkpoint.ts'
import { NOTE_CEILINGS, writeNote } from '../../../shared/log/signed_note.ts'
import { isSameKey, type VerifierKey } from '../../../shared/log/verifier_key.ts'
import { readOrUndefined } from '../../../shared/proof/bytes.ts'
import { hasCode } from '../../kernel/error_code.ts'
import { SIGNED_CHECKPOINTS } from '../../store/embedded/data_folder.ts'
import { isThere, makePrivateFolder, renameDurably, writeDurably } from '../../store/embedded/durable_file.ts'

export type SignedMemory = ReturnType<typeof openSignedMemory>

/** A file a key, and more only between two writes. */
export function openSignedMemory(dataDir: string) {
  const folder = join(dataDir, SIGNED_CHECKPOINTS)
  const read = new Map<string, SignedCheckpoint>()

  const sizesOf = async (key: VerifierKey): Promise<number[]> => {
    const names = await readdir(folder).catch(emptyWhenAbsent)
    const begin = nameOf(key, '')
    return names
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
    isEmpty: async () => (await readdir(folder).catch(emptyWhenAbsent)).length === 0,
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

const emptyWhenAbsent = (error: unknown): string[] => {
  if (hasCode(error, 'ENOENT', 'ENOTDIR')) return []
  throw error
}

/** Undefined when it is no checkpoint that this key has signed, or is gone. */
async function readCheckpointFile(path: string, key: VerifierKey): Promise<SignedCheckpoint | undefined> {
  try {
    return readEvidence(await readSmallFile(path), key)
  } catch (error) {
    if (error instanceof RangeError || hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

async function readSmallFile(path: string): Promise<Uint8Array> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    if (size > NOTE_CEILINGS.bytes) throw new RangeError('no note is as long as this file')
    return await file.readFile()
  } finally {
    await file.close()
  }
}
