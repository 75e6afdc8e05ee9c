// The folder of a copy of the log. A file is there in whole or not at all, also after a crash of the machine.
import { mkdir, readdir, readFile, rename, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isUnusableFolder, whenCode, whenMissing } from '../../kernel/error_code.ts'
import { syncFolder, writeDurably } from '../../store/embedded/durable_file.ts'
import { FolderInUse, type FolderLock, LOCK, takeFolderLock } from '../../store/embedded/folder_lock.ts'

/** Paths are those of the log, e.g. `tile/0/000`. */
export type CopyFolder = Awaited<ReturnType<typeof openCopyFolder>>

/** Files are written here and then moved. The lock of the process that does it is here too. */
const UNFINISHED = '.unfinished'

/** A web server reads it under an account of its own. */
const FILE_MODE = 0o644

/** @throws Error when the folder cannot be written, or another process of this machine is writing to it */
export async function openCopyFolder(folder: string) {
  const unfinished = join(folder, UNFINISHED)
  const lock = await lockCopy(folder, unfinished)
  await removeDrafts(unfinished)
  const touched = new Set<string>()
  let written = 0

  const write = async (path: string, bytes: Uint8Array): Promise<void> => {
    written += 1
    const fresh = join(unfinished, String(written))
    const place = join(folder, path)
    await writeDurably(fresh, bytes, FILE_MODE)
    const made = await mkdir(dirname(place), { recursive: true })
    await rename(fresh, place)
    for (let at = dirname(place); at.length >= folder.length; at = dirname(at)) {
      touched.add(at)
      if (made === undefined) break
    }
  }

  return {
    write,
    has: async (path: string) => (await stat(join(folder, path)).catch(whenMissing)) !== undefined,
    /** Undefined when there is no such file. */
    read: (path: string): Promise<Uint8Array | undefined> => readFile(join(folder, path)).catch(whenMissing),
    /** Everything that was written stays, whatever happens to the machine. */
    sync: async () => {
      for (const each of touched) await syncFolder(each)
      touched.clear()
    },
    /** Leaves nothing in the folder but the copy. */
    close: async () => {
      await removeDrafts(unfinished)
      await lock.release()
      // Not a folder in which another process has taken the lock meanwhile.
      for (const each of [join(unfinished, LOCK), unfinished]) await rmdir(each).catch(whenInUse)
    },
    /** Removes the partial tiles and bundles, except those that are kept. */
    removePartial: async (isKept: (path: string) => boolean) => {
      const files = await readdir(join(folder, 'tile'), { recursive: true, withFileTypes: true }).catch(
        whenMissing,
      )
      for (const file of files ?? []) {
        const path = join(file.parentPath, file.name)
        if (!file.isFile() || !file.parentPath.endsWith('.p') || isKept(path.slice(folder.length + 1)))
          continue
        await rm(path)
        // It may hold another one that is kept.
        await rmdir(file.parentPath).catch(() => undefined)
      }
    },
  }
}

async function lockCopy(folder: string, unfinished: string): Promise<FolderLock> {
  try {
    await mkdir(unfinished, { recursive: true })
    return await takeFolderLock(unfinished)
  } catch (error) {
    if (isUnusableFolder(error))
      throw new Error(`${folder} cannot be written (${error.message}). Name another folder.`, {
        cause: error,
      })
    if (!(error instanceof FolderInUse)) throw error
    throw new Error(
      `Another export writes to ${folder}. Stop it, or name another folder. Nothing was written.`,
    )
  }
}

/** What an export that was killed has left. */
async function removeDrafts(unfinished: string): Promise<void> {
  for (const name of await readdir(unfinished))
    if (name !== LOCK) await rm(join(unfinished, name), { recursive: true, force: true })
}

const whenInUse = whenCode('ENOTEMPTY', 'EEXIST', 'ENOENT')
