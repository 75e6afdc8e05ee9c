// A backup is a folder that is complete or absent. It is made under another name beside its own,
// `<name>.incomplete.<number>`, which a process that is killed leaves behind. `manifest.json` lists every file;
// `manifest.sha256` holds its own hash in the form that `sha256sum -c` reads.
import { createHash, randomInt } from 'node:crypto'
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import { isFullDisk, isUnusableFolder, whenAbsent } from '../../kernel/error_code.ts'
import { sideBySide } from '../../kernel/flow/side_by_side.ts'
import { makeBaseBackup } from './base_backup.ts'
import { AT_ONCE, type CopyWatch, type CopyWatches, copyFile } from './cluster_files.ts'
import { isThere, renameDurably, syncFolder, writeDurably } from './durable_file.ts'

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
    const { files, folders, about } = await makeBaseBackup({
      ...{ superuserUrl, cluster, to: join(draft, CLUSTER_FOLDER), onFound, onProgress },
      beforeEnd: describe,
    })
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

const hex = (length: number) => z.string().regex(new RegExp(`^[0-9a-f]{${length}}$`))

/** Relative to `cluster/`, and never out of it. */
const path = z.string().regex(/^(?!.*(^|\/)\.\.?(\/|$))[\w.-]+(\/[\w.-]+)*$/)

const manifestSchema = z.object({
  format: z.literal(1),
  /** Of Pharos, e.g. `0.1.0`. */
  product_version: z.string(),
  /** Major version. The files are readable by no other. */
  postgresql: z.number().int(),
  /** The newest migration. */
  schema: z.object({ name: z.string(), product_version: z.string() }),
  /** The newest block when the backup ended, e.g. `{"height": 812, "hash": "9f86d0…", "time": "2026-11-22T18:00:00.000Z"}`. */
  head: z.object({ height: z.number().int().min(0), hash: hex(64), time: z.iso.datetime() }),
  /** A signing key as the master key sealed it, and a fingerprint of the master key. It is never here itself. */
  master_key: z.object({
    fingerprint: hex(16),
    key_id: hex(8),
    sealed_seed: z.string().regex(/^[0-9a-f]+$/),
  }),
  ended_at: z.iso.datetime(),
  /** Parents first. Listed because some are empty, and not every copy keeps an empty folder. */
  folders: z.array(path),
  files: z.array(
    z.object({
      path,
      bytes: z.number().int().min(0),
      sha256: hex(64),
    }),
  ),
})

export type BackupManifest = z.infer<typeof manifestSchema>

/** The folder of a backup that holds the cluster. */
export const CLUSTER_FOLDER = 'cluster'
const MANIFEST = 'manifest.json'
const MANIFEST_HASH = 'manifest.sha256'

async function writeManifest(folder: string, manifest: BackupManifest): Promise<void> {
  const text = `${JSON.stringify(manifestSchema.parse(manifest), null, 1)}\n`
  await writeDurably(join(folder, MANIFEST), text, 0o600)
  await writeDurably(join(folder, MANIFEST_HASH), `${sha256(text)}  ${MANIFEST}\n`, 0o600)
}

/** @throws an Error that says what is wrong with the folder */
export async function readManifest(folder: string): Promise<BackupManifest> {
  const [text, hash] = await Promise.all(
    [MANIFEST, MANIFEST_HASH].map((name) => readFile(join(folder, name), 'utf8').catch(whenAbsent)),
  )
  if (text === undefined || hash === undefined)
    throw new Error(
      `${folder} is no backup: it has no ${text === undefined ? MANIFEST : MANIFEST_HASH}. A folder whose name ends in ` +
        '.incomplete and a number is what an interrupted backup left, and can be removed.',
    )
  if (hash !== `${sha256(text)}  ${MANIFEST}\n`)
    throw new Error(
      `${join(folder, MANIFEST)} was changed: its hash is not the one in ${MANIFEST_HASH}. Use another backup.`,
    )
  const { success, data } = manifestSchema.safeParse(JSON.parse(text))
  if (success) return data
  throw new Error(
    `${join(folder, MANIFEST)} was written by another version of Pharos. Restore it with that version.`,
  )
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** As many are named. */
const NAMED = 5

/** @throws an Error that names the files that are missing, changed or not listed */
export async function checkBackup(
  folder: string,
  { files }: Pick<BackupManifest, 'files'>,
  onProgress: CopyWatch,
): Promise<void> {
  const from = join(folder, CLUSTER_FOLDER)
  const judged = await sideBySide(AT_ONCE, files, async ({ path, bytes, sha256 }) => {
    const found = await copyFile({ from, path, onProgress }).catch(whenAbsent)
    if (found === undefined) return [`${path} is missing`]
    if (found.bytes !== bytes) return [`${path} has ${found.bytes} bytes instead of ${bytes}`]
    return found.sha256 === sha256 ? [] : [`${path} was changed`]
  })
  const wrong = judged.flat()
  const listed = new Set(files.map(({ path }) => path))
  for (const entry of await readdir(from, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) continue
    const path = join(entry.parentPath, entry.name)
      .slice(from.length + 1)
      .replaceAll('\\', '/')
    if (!listed.has(path)) wrong.push(`${path} is not part of it`)
  }
  if (wrong.length === 0) return
  const more = wrong.length > NAMED ? [`and ${wrong.length - NAMED} more`] : []
  throw new Error(
    `The backup ${folder} is not what was written:\n${[...wrong.slice(0, NAMED), ...more]
      .map((line) => `  ${line}`)
      .join('\n')}\nNothing was restored. Use another backup, or another copy of this one.`,
  )
}
