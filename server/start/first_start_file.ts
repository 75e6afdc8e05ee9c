// Deletes the file with the first key once it has served: after the key was used, or after a day.
import { readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { hashApiKeySecret } from '../domain/accounts/api_key_secret.ts'
import { whenMissing } from '../kernel/error_code.ts'
import { type Repeating, repeat } from '../kernel/flow/repeat.ts'
import type { Log } from '../kernel/log.ts'
import { bool } from '../store/columns.ts'
import { rows } from '../store/run.ts'
import { statement } from '../store/statement.ts'

/** The file in the data folder. */
export const firstStartFile = (dataDir: string): string => join(dataDir, 'first-start.txt')

/** Uses of keys are noted twice a minute, see `service/front.ts`. */
const LOOK_MS = 30_000

const DAY_MS = 86_400_000

export interface FirstStartFile {
  readonly em: () => EntityManager
  readonly dataDir: string
  readonly log: Log
}

/**
 * Looks at once and then twice a minute, until the file is gone. A file that an earlier start left behind is deleted in
 * the same way.
 */
export function watchFirstStartFile(parts: FirstStartFile): Repeating {
  return repeat({
    everyMs: LOOK_MS,
    firstMs: 0,
    keepsAlive: false,
    onError: (err) => parts.log.warn({ err }, 'first_start_file.not_deleted'),
    run: async () => ((await tidyFirstStartFile(parts)) ? undefined : Number.POSITIVE_INFINITY),
  })
}

/** Returns false when there is no file, or no more. */
export async function tidyFirstStartFile({ em, dataDir, log }: FirstStartFile): Promise<boolean> {
  const path = firstStartFile(dataDir)
  const text = await readFile(path, 'utf8').catch(whenMissing)
  if (text === undefined) return false
  const reason = await reasonToDelete(em(), text, path)
  if (reason === undefined) return true
  await rm(path, { force: true })
  log.info({ path, reason }, 'first_start_file.deleted')
  return false
}

async function reasonToDelete(
  em: EntityManager,
  text: string,
  path: string,
): Promise<'the key was used' | 'a day has passed' | undefined> {
  const key = /phk_\w+/.exec(text)?.[0] ?? ''
  const [known] = await rows(em, KEY({ hash: hashApiKeySecret(key) }))
  if (known?.was_used) return 'the key was used'
  const written = await stat(path).catch(whenMissing)
  const isOld = known?.is_old ?? (written !== undefined && Date.now() - written.mtimeMs > DAY_MS)
  return isOld ? 'a day has passed' : undefined
}

/** A revoked key has served, too. */
const KEY = statement(
  { was_used: bool, is_old: bool },
  ({ hash }: { hash: Uint8Array }) => sql`
  SELECT last_used_at IS NOT NULL OR revoked_at IS NOT NULL AS was_used,
         inserted_at < pharos_now() - interval '1 day' AS is_old
    FROM api_keys WHERE secret_hash = ${hash}`,
)
