// The data folder (`.data`): used by one process at a time. Keeps its secrets.
import { chmod, readFile, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { isFullDisk, isUnusableFolder, whenMissing } from '../../kernel/error_code.ts'
import { underWay } from '../../kernel/flow/shared_work.ts'
import { makePrivateFolder, renameDurably, writeDurably } from './durable_file.ts'
import { takeFolderLock } from './folder_lock.ts'

/** What this server has seen signed by the public log. It is in no backup, because it must be newer than that. */
export const SIGNED_CHECKPOINTS = 'signed_checkpoints'

export type DataFolder = Awaited<ReturnType<typeof openDataFolder>>

export const openDataFolder = async (path: string) => {
  const folder = resolve(path)
  try {
    await makePrivateFolder(folder)
    const lock = await takeFolderLock(folder)
    const reading = underWay<string, string>()
    return {
      path: folder,
      ...lock,
      /**
       * The secret with this name. The first call creates it. The file has mode 0600 and is never incomplete. Needs no lock
       * of its own, because we hold the folder and two calls at once in this process share one promise.
       */
      readSecret: (name: string, make: () => string): Promise<string> =>
        reading.join(name, () => readOrMake(join(folder, name), make)),
    }
  } catch (error) {
    if (!isUnusableFolder(error)) throw error
    throw new Error(
      isFullDisk(error)
        ? `The disk of the data folder ${folder} is full (${error.message}). Make room there.`
        : `The data folder ${folder} cannot be used (${error.message}). Set DATA_DIR to another folder.`,
      { cause: error },
    )
  }
}

const readOrMake = async (path: string, make: () => string): Promise<string> => {
  const found = await readExisting(path)
  if (found !== undefined) return found
  const secret = make()
  const draft = `${path}.new`
  try {
    await writeDurably(draft, `${secret}\n`, 0o600)
    await renameDurably(draft, path)
  } finally {
    await rm(draft, { force: true })
  }
  return secret
}

const readExisting = async (path: string): Promise<string | undefined> => {
  const text = (await readFile(path, 'utf8').catch(whenMissing))?.trim()
  if (text === undefined) return undefined
  if (text === '') throw new Error(`The secret ${path} is empty. Restore it from a backup.`)
  // The mode may be wrong after a restore or an edit by hand.
  const { mode } = await stat(path)
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) await chmod(path, 0o600)
  return text
}
