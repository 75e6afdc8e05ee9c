// The files of a cluster that belong in a base backup, and how each is copied, with its SHA-256. A file may change or
// vanish meanwhile: recovery repeats from the log what happened after the start.
import { createHash } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { whenMissing } from '../../kernel/error_code.ts'
import { sideBySide } from '../../kernel/flow/side_by_side.ts'
import { settle, syncFolder } from './durable_file.ts'

export interface Copied {
  /** Relative to the cluster, with `/`. */
  readonly path: string
  readonly bytes: number
  /** In hex. */
  readonly sha256: string
}

/** Gets the number of bytes since its last call. */
export type CopyWatch = (bytes: number) => void

export interface CopyWatches {
  /** Called before what was found is copied. */
  readonly onFound: CopyWatch
  /** Called while files are copied. What it throws ends the copy. */
  readonly onProgress: CopyWatch
}

/** Folders whose content the manual leaves out of a backup. PostgreSQL expects the folders themselves. */
const WITHOUT_CONTENT = new Set([
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
])
const LEFT_OUT =
  /^(postmaster\.(pid|opts)|pg_internal\.init.*|pgsql_tmp.*|backup_label.*|tablespace_map.*|backup_manifest|t\d+_\d+.*)$/

/** Everything but the log and pg_control. All files and folders of the copy have mode 0600 and 0700. */
export async function copyClusterFiles(
  from: string,
  to: string,
  { onFound, onProgress }: CopyWatches,
): Promise<{ files: Copied[]; folders: string[] }> {
  const { paths, folders } = await listed(from)
  await findBytes(from, paths, onFound)
  for (const path of folders) await mkdir(join(to, path), { mode: 0o700 })
  const copied = await sideBySide(AT_ONCE, paths, (path) =>
    // A table may have been dropped since the folder was listed.
    copyFile({ from, to, path, onProgress }).catch(whenMissing),
  )
  return { files: copied.flatMap((file) => file ?? []), folders }
}

/** Tells how much there is to copy. A table may have been dropped since the folder was listed. */
export const findBytes = (from: string, paths: readonly string[], onFound: CopyWatch): Promise<unknown> =>
  sideBySide(AT_ONCE, paths, async (path) =>
    onFound((await stat(join(from, path)).catch(whenMissing))?.size ?? 0),
  )

/** Files copied at once, because each waits for the disk. */
export const AT_ONCE = 8

async function listed(from: string): Promise<{ paths: string[]; folders: string[] }> {
  const paths: string[] = []
  const folders: string[] = []
  const look = async (folder: string): Promise<void> => {
    for (const entry of await entriesOf(join(from, folder))) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (LEFT_OUT.test(entry.name) || path === 'global/pg_control') continue
      if (entry.isFile()) paths.push(path)
      if (!entry.isDirectory()) continue
      folders.push(path)
      if (!WITHOUT_CONTENT.has(path)) await look(path)
      else if (path === 'pg_wal') folders.push(`${path}/archive_status`)
    }
  }
  await look('')
  return { paths, folders }
}

const PIECE = 1024 * 1024

/**
 * Copies a file in pieces of 1 MiB. Without `to` the file is only read. It does not wait for the disk: see `syncFiles`.
 * @throws what opening the file throws
 */
export async function copyFile({
  from,
  to,
  path,
  onProgress = () => undefined,
}: {
  readonly from: string
  readonly to?: string | undefined
  readonly path: string
  readonly onProgress?: CopyWatch
}): Promise<Copied> {
  const source = await open(join(from, path), 'r')
  let target: FileHandle | undefined
  try {
    target = to === undefined ? undefined : await open(join(to, path), 'wx', 0o600)
    const hash = createHash('sha256')
    const piece = Buffer.allocUnsafe(PIECE)
    let bytes = 0
    for (;;) {
      const { bytesRead } = await source.read(piece, 0, PIECE, bytes)
      if (bytesRead === 0) break
      const part = piece.subarray(0, bytesRead)
      hash.update(part)
      await target?.writeFile(part)
      bytes += bytesRead
      onProgress(bytesRead)
    }
    return { path, bytes, sha256: hash.digest('hex') }
  } finally {
    await source.close()
    await target?.close()
  }
}

/**
 * Copies a small file that PostgreSQL may be writing. Its writes are not atomic for readers, and this file must be
 * whole, so it is read until two readings agree.
 */
export async function copyWhole(from: string, to: string, path: string): Promise<Copied> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const [one, other] = [await readFile(join(from, path)), await readFile(join(from, path))]
    if (!one.equals(other)) continue
    await writeFile(join(to, path), one, { flag: 'wx', mode: 0o600 })
    return { path, bytes: one.length, sha256: createHash('sha256').update(one).digest('hex') }
  }
  throw new Error(`${basename(path)} of the database changes too often to be copied. Try again.`)
}

/**
 * Waits until files and folders of a copy are on disk. All at the end, because the file system then commits its journal a
 * few times and not once a file.
 */
export async function syncFiles(
  to: string,
  { files, folders }: { readonly files: readonly { path: string }[]; readonly folders: readonly string[] },
): Promise<void> {
  await sideBySide(AT_ONCE, files, ({ path }) => settle(join(to, path), 'r+'))
  await sideBySide(AT_ONCE, ['.', ...folders], (path) => syncFolder(join(to, path)))
}

/** A database may be dropped while its folder is read. */
const entriesOf = async (folder: string) =>
  (await readdir(folder, { withFileTypes: true }).catch(whenMissing)) ?? []
