// Writes a backup folder that is complete or absent. It is made under another name beside its own,
// `<name>.incomplete.<number>`, which a process that is killed leaves behind.
import { randomInt } from 'node:crypto'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isFullDisk, isUnusableFolder } from '../../kernel/error_code.ts'
import { type BackupManifest, CLUSTER_FOLDER, writeManifest } from './backup_manifest.ts'
import { makeBaseBackup } from './base_backup.ts'
import type { CopyWatches } from './cluster_files.ts'
import { isThere, renameDurably, syncFolder } from './durable_file.ts'

export interface BackupWanted extends CopyWatches {
  readonly superuserUrl: string
  readonly cluster: string
  /** Absolute. Must not exist yet. */
  readonly folder: string
  /** What only the caller can say. Called while the backup runs, when everything but its end is copied. */
  readonly describe: () => Promise<Omit<BackupManifest, 'format' | 'files' | 'folders'>>
  /** Gets a line about what an earlier backup left. */
  readonly tell: (line: string) => void
}

/** @throws an Error that says what to do. Nothing is left of a backup that failed. */
export async function writeBackup(wanted: BackupWanted): Promise<BackupManifest> {
  const { superuserUrl, cluster, folder, describe, onFound, onProgress } = wanted
  const draft = `${folder}.incomplete.${randomInt(1_000_000_000)}`
  await makePlace(wanted, draft)
  try {
    await mkdir(join(draft, CLUSTER_FOLDER), { mode: 0o700 })
    let about: Awaited<ReturnType<typeof describe>> | undefined
    const { files, folders } = await makeBaseBackup({
      ...{ superuserUrl, cluster, to: join(draft, CLUSTER_FOLDER), onFound, onProgress },
      beforeEnd: async () => {
        about = await describe()
      },
    })
    if (about === undefined) throw new Error('The backup was not described.')
    const manifest: BackupManifest = { format: 1, ...about, folders: [...folders], files: [...files] }
    await writeManifest(draft, manifest)
    await syncFolder(draft)
    // Commit point: before it there is no backup, after it there is one.
    await renameDurably(draft, folder)
    return manifest
  } catch (error) {
    await rm(draft, { recursive: true, force: true, maxRetries: 3 })
    throw isFullDisk(error) ? full(folder, error) : error
  }
}

async function makePlace({ folder, tell }: BackupWanted, draft: string): Promise<void> {
  try {
    if (await isThere(folder)) throw new Error(`${folder} exists already. Name a folder that does not.`)
    await mkdir(dirname(folder), { recursive: true })
    for (const name of await readdir(dirname(folder)))
      if (name.startsWith(`${basename(folder)}.incomplete.`))
        tell(`${join(dirname(folder), name)} is what an interrupted backup left. Remove it.`)
    await mkdir(draft, { mode: 0o700 })
  } catch (error) {
    if (isFullDisk(error)) throw full(folder, error)
    if (!isUnusableFolder(error)) throw error
    throw new Error(`${folder} cannot be made (${error.message}). Nothing was done. Name another folder.`, {
      cause: error,
    })
  }
}

const full = (folder: string, cause: unknown): Error =>
  new Error(
    `The disk of ${dirname(folder)} is full. Nothing is left of this backup. Make room there, or name a folder on another disk.`,
    { cause },
  )
