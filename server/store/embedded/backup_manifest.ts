// What a backup says about itself. `manifest.json` lists every file; `manifest.sha256` holds its own hash in the form
// that `sha256sum -c` reads.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { hasCode } from '../../kernel/error_code.ts'
import { writeDurably } from './durable_file.ts'

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

export async function writeManifest(folder: string, manifest: BackupManifest): Promise<void> {
  const text = `${JSON.stringify(manifest, null, 1)}\n`
  await writeDurably(join(folder, MANIFEST), text, 0o600)
  await writeDurably(join(folder, MANIFEST_HASH), `${sha256(text)}  ${MANIFEST}\n`, 0o600)
}

/** @throws an Error that says what is wrong with the folder */
export async function readManifest(folder: string): Promise<BackupManifest> {
  const [text, hash] = await Promise.all([MANIFEST, MANIFEST_HASH].map((name) => readOne(folder, name)))
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

const readOne = async (folder: string, name: string): Promise<string | undefined> => {
  try {
    return await readFile(join(folder, name), 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined
    throw error
  }
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
