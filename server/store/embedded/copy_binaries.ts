// Copies the PostgreSQL programs (60 MB) to a folder of root that an unprivileged account can read.
import { cp, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { arch } from 'node:os'
import { join } from 'node:path'
import { hasCode } from '../../kernel/error_code.ts'
import { type Binaries, binariesIn } from './binaries.ts'
import { makeOpenFolder, syncFolder } from './durable_file.ts'
import { isRunning } from './process_identity.ts'

/**
 * Under its final name the copy is complete, on disk, and never changed, so later starts reuse it. Two starts may
 * copy at the same time, each under its own name. The rename of the second one fails, because the folder is not
 * empty.
 */
export const copyBinaries = async (
  binaries: Binaries,
  elsewhere: string,
  log: (line: string) => void,
): Promise<Binaries> => {
  const name = `postgresql-${binaries.version}-${arch()}`
  const target = join(elsewhere, name)
  if (await isFolder(target)) return binariesIn(target, binaries)

  log(`Copying PostgreSQL to ${target}, where an unprivileged account can run it (first start only) ...`)
  await makeOpenFolder(elsewhere)
  await removeAbandoned(elsewhere, name)
  const draft = join(elsewhere, `${name}.new.${process.pid}`)
  try {
    await rm(draft, { recursive: true, force: true })
    await cp(binaries.native, draft, { recursive: true, verbatimSymlinks: true })
    await settle(draft)
    await rename(draft, target)
    await syncFolder(elsewhere)
  } catch (error) {
    if (!hasCode(error, 'ENOTEMPTY', 'EEXIST')) throw error
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
  return binariesIn(target, binaries)
}

/** Waits for the disk, and makes files readable that a umask of 077 closed. Libraries stay without the execute bit. */
const settle = async (folder: string): Promise<void> => {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await settle(path)
    if (!entry.isFile()) continue
    const file = await open(path, 'r')
    try {
      await file.chmod(((await file.stat()).mode & 0o111) === 0 ? 0o644 : 0o755)
      await file.sync()
    } finally {
      await file.close()
    }
  }
  const opened = await open(folder, 'r')
  try {
    await opened.chmod(0o755)
    await opened.sync()
  } finally {
    await opened.close()
  }
}

/** Removes unfinished copies of starts that were killed. If the pid is in use again, a later copy removes them. */
const removeAbandoned = async (elsewhere: string, name: string): Promise<void> => {
  for (const entry of await readdir(elsewhere)) {
    if (!entry.startsWith(`${name}.new.`)) continue
    if (await isRunning({ pid: Number(entry.slice(`${name}.new.`.length)), started: null })) continue
    await rm(join(elsewhere, entry), { recursive: true, force: true })
  }
}

const isFolder = async (path: string): Promise<boolean> => {
  try {
    return (await stat(path)).isDirectory()
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false
    throw error
  }
}
