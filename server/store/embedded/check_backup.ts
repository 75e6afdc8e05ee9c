// Checks every file of a backup against its manifest, by reading all of it.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../../kernel/error_code.ts'
import { sideBySide } from '../../kernel/flow/side_by_side.ts'
import { type BackupManifest, CLUSTER_FOLDER } from './backup_manifest.ts'
import { AT_ONCE, type CopyWatch, copyFile } from './cluster_files.ts'

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
    const found = await copyFile({ from, path, onProgress }).catch((error: unknown) => {
      if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined
      throw error
    })
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
