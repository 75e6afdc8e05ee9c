// Files that exist completely or not at all, even after a power cut.
import { chmod, type FileHandle, lstat, mkdir, open, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { whenCode, whenMissing } from '../../kernel/error_code.ts'

/** Writes a new file and waits for the disk. Not atomic by itself: write a draft, then `link` or `rename` it. */
export const writeDurably = async (
  path: string,
  contents: string | Uint8Array,
  mode: number,
): Promise<void> => {
  await rm(path, { force: true })
  await writeFile(path, contents, { flag: 'wx', mode, flush: true })
}

/** Renames and waits until the new name is on disk. */
export const renameDurably = async (from: string, to: string): Promise<void> => {
  await rename(from, to)
  await syncFolder(dirname(to))
}

export const syncFolder = async (path: string): Promise<void> => {
  // Windows has no handle on a folder to sync; NTFS journals names by itself.
  if (process.platform !== 'win32') await settle(path, 'r')
}

/** Waits until what lies there is on disk, with what `change` does to it before. */
export const settle = async (
  path: string,
  flags: 'r' | 'r+',
  change?: (opened: FileHandle) => Promise<void>,
): Promise<void> => {
  const opened = await open(path, flags)
  try {
    await change?.(opened)
    await opened.sync()
  } finally {
    await opened.close()
  }
}

/** Missing parents get the usual mode, because a private mode would lock out the account that runs PostgreSQL. */
export const makePrivateFolder = async (path: string): Promise<void> => {
  await mkdir(dirname(path), { recursive: true })
  await mkdir(path, { mode: 0o700 }).catch(whenCode('EEXIST'))
}

/** Readable for all accounts, whatever the umask. A folder that exists keeps its mode. */
export const makeOpenFolder = async (path: string): Promise<void> => {
  const first = await mkdir(path, { recursive: true })
  if (first === undefined) return
  for (let made = path; made.length >= first.length; made = dirname(made)) await chmod(made, 0o755)
}

/** Also true for a link to nothing. */
export const isThere = async (path: string): Promise<boolean> =>
  (await lstat(path).catch(whenMissing)) !== undefined
