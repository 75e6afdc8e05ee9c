// Puts the cluster of a backup into an empty data folder. The file `restore_under_way` lies there from the first step
// until the caller has checked the result: a server does not start beside it, and another restore begins anew.
import { chown, mkdir, readdir, realpath, rename, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { sideBySide } from '../../kernel/flow/side_by_side.ts'
import { type BackupManifest, CLUSTER_FOLDER } from './backup_folder.ts'
import { type Binaries, findBinaries } from './binaries.ts'
import { AT_ONCE, type CopyWatch, copyFile, syncFiles } from './cluster_files.ts'
import { type DataFolder, SIGNED_CHECKPOINTS } from './data_folder.ts'
import { isThere, renameDurably, syncFolder, writeDurably } from './durable_file.ts'
import { LOCK } from './folder_lock.ts'
import { CLUSTER, findPlace } from './place.ts'
import { stopOrphan } from './postmaster.ts'
import { leftoverName, putCluster, removeLeftovers } from './prepare_cluster.ts'
import type { SystemUser } from './run_program.ts'

const MARK = 'restore_under_way'

/** What a restore leaves as it is. */
const KEPT: readonly string[] = [LOCK, SIGNED_CHECKPOINTS]

/**
 * @returns what ends the restore, to be called once the result is checked
 * @throws an Error that says what to do when the data folder is not empty, or the backup is of another PostgreSQL
 */
export async function restoreCluster({
  folder: { path: folder },
  from,
  manifest,
  elsewhere = '/var/lib/pharos',
  tell,
  onProgress,
}: {
  /** Must be held by the caller. */
  readonly folder: Pick<DataFolder, 'path'>
  /** The folder of the backup. */
  readonly from: string
  readonly manifest: BackupManifest
  readonly elsewhere?: string
  readonly tell: (line: string) => void
  readonly onProgress: CopyWatch
}): Promise<{ readonly finish: () => Promise<void> }> {
  const binaries = await findBinaries()
  await emptied({ folder, from, binaries, tell })
  const place = await findPlace({ folder, binaries, elsewhere, log: tell })
  if (place.major !== manifest.postgresql)
    throw new Error(
      `The backup was made by PostgreSQL ${manifest.postgresql}, and this Pharos brings PostgreSQL ${place.major}. ` +
        `Restore it with Pharos ${manifest.product_version}.`,
    )
  await checkRoom(place.room, manifest)
  await putCluster(place, (to) =>
    copyBack({ from: join(from, CLUSTER_FOLDER), to, account: place.account, onProgress }, manifest),
  )
  return {
    finish: async () => {
      await rm(join(folder, MARK))
      await syncFolder(folder)
    },
  }
}

/** @throws an Error when a restore into this data folder was interrupted */
export async function refuseUnfinishedRestore({ path }: Pick<DataFolder, 'path'>): Promise<void> {
  if (!(await isThere(join(path, MARK)))) return
  throw new Error(
    `A restore into ${path} was interrupted, so what is there is not whole. Run the restore again; it begins anew.`,
  )
}

/** @throws an Error when something is in the folder that neither an interrupted restore left nor what was signed */
export async function refuseUsedFolder(folder: string): Promise<void> {
  const found = (await isThere(folder)) ? (await readdir(folder)).filter((name) => !KEPT.includes(name)) : []
  if (found.length === 0 || found.includes(MARK)) return
  throw new Error(
    `The data folder ${folder} is not empty (${found.slice(0, 3).join(', ')}). A restore never overwrites: set DATA_DIR to ` +
      'an empty folder, or move this one away.',
  )
}

/** Removes what an interrupted restore left, and nothing else. */
async function emptied({
  folder,
  from,
  binaries,
  tell,
}: {
  folder: string
  from: string
  binaries: Binaries
  tell: (line: string) => void
}): Promise<void> {
  if (await isThere(join(folder, MARK))) {
    if (await isThere(join(folder, CLUSTER))) {
      // It may still run when the restore was killed while it tried it.
      await stopOrphan({ cluster: await realpath(join(folder, CLUSTER)), binaries }, tell)
      await rename(join(folder, CLUSTER), leftoverName(folder))
    }
    await removeLeftovers(folder)
    for (const name of await readdir(folder))
      if (!KEPT.includes(name) && name !== MARK)
        await rm(join(folder, name), { recursive: true, force: true })
    return
  }
  await refuseUsedFolder(folder)
  const draft = join(folder, `${MARK}.new`)
  await writeDurably(draft, `${from}\n`, 0o600)
  await renameDurably(draft, join(folder, MARK))
}

async function checkRoom(folder: string, { files }: BackupManifest): Promise<void> {
  const needed = files.reduce((sum, { bytes }) => sum + bytes, 0)
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize >= needed) return
  const inMb = (bytes: number) => `${Math.ceil(bytes / 1e6)} MB`
  throw new Error(
    `The disk of ${folder} has ${inMb(bavail * bsize)} left, and the backup needs ${inMb(needed)}. Make room, or set DATA_DIR ` +
      'to a folder on another disk.',
  )
}

/** Every file is checked again while it is copied. */
async function copyBack(
  copy: { from: string; to: string; account: SystemUser | undefined; onProgress: CopyWatch },
  { files, folders }: BackupManifest,
): Promise<void> {
  const { from, to, account, onProgress } = copy
  const give = (path: string) => (account ? chown(path, account.uid, account.gid) : undefined)
  for (const path of folders) {
    await mkdir(join(to, path), { mode: 0o700 })
    await give(join(to, path))
  }
  await sideBySide(AT_ONCE, files, async ({ path, sha256 }) => {
    const copied = await copyFile({ from, to, path, onProgress })
    if (copied.sha256 !== sha256)
      throw new Error(`${join(from, path)} changed while it was restored. Try again.`)
    await give(join(to, path))
  })
  await syncFiles(to, { files, folders })
}
