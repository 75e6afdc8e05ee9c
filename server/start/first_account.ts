// Makes the first account, and introduces it: on the terminal, or in a file that is removed once it was used.
import { mkdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { createAccount } from '../domain/accounts/account_door.ts'
import { createApiKey } from '../domain/accounts/api_key.ts'
import { makePasswordReset } from '../domain/accounts/new_password.ts'
import { oneTimeLink } from '../domain/accounts/one_time_link.ts'
import type { Plan } from '../domain/accounts/plan.ts'
import { whenMissing } from '../kernel/error_code.ts'
import { type Repeating, repeat } from '../kernel/flow/repeat.ts'
import { secretHash } from '../kernel/identifiers.ts'
import type { Log } from '../kernel/log.ts'
import { bool } from '../store/columns.ts'
import { renameDurably, writeDurably } from '../store/embedded/durable_file.ts'
import { change, command, db, inTransaction, rows, statement } from '../store/statement.ts'

interface FirstAccount {
  readonly email: string
  /** Shown once. */
  readonly apiKey: string
  /** Of the one-time link with which the owner chooses a password. Shown once. */
  readonly passwordToken: string
}

const FIRST_ACCOUNT: { email: string; firstName: string; plan: Plan } = {
  email: 'owner@localhost.local',
  firstName: 'Owner',
  plan: 'enterprise',
}

/** One lock number for the whole database, different from those of the ledger and the migrations. */
const FIRST_KEY_LOCK = 7_205_003

/**
 * The key and the link are shown inside the transaction that makes them. If the process is killed before the commit, the shown key
 * never becomes valid and the next start shows another one. If it is killed after the commit, the key was shown. So
 * every valid key was shown. Of servers that start together, only one creates it.
 * @param show must not return before the key is stored where a person finds it
 */
export async function makeFirstAccount(
  em: EntityManager,
  show: (first: FirstAccount) => Promise<void> | void,
): Promise<void> {
  if (await someKey(em)) return
  const userId = await firstUser(em)
  await inTransaction(em, async (tx) => {
    await change(tx, LOCK)
    if (await someKey(tx)) return
    const { secret } = await createApiKey(tx, { userId, name: 'first key' })
    const passwordToken = await makePasswordReset(tx, userId)
    await show({ email: FIRST_ACCOUNT.email, apiKey: secret, passwordToken })
    // Commit point: from here on the key is valid, and no later start makes another.
  })
}

const LOCK = command(sql`SELECT pg_advisory_xact_lock(${sql.lit(FIRST_KEY_LOCK)})`)

const someKey = async (em: EntityManager): Promise<boolean> =>
  (await db(em).selectFrom('api_keys').select('id').limit(1).executeTakeFirst()) !== undefined

/** Finds an account that a start left behind before it made the key, or that another server is making now. */
async function firstUser(em: EntityManager): Promise<string> {
  const known = await ownerId(em)
  if (known !== undefined) return known
  try {
    return (await createAccount(em, FIRST_ACCOUNT)).userId
  } catch (error) {
    const theirs = await ownerId(em)
    if (theirs === undefined) throw error
    return theirs
  }
}

async function ownerId(em: EntityManager): Promise<string | undefined> {
  const owner = await db(em)
    .selectFrom('users')
    .select('id')
    .where('email', '=', FIRST_ACCOUNT.email)
    .executeTakeFirst()
  return owner?.id
}

/** The file in the data folder. */
export const firstStartFile = (dataDir: string): string => join(dataDir, 'first-start.txt')

/** Uses of keys are noted twice a minute, see `service/request_services.ts`. */
const LOOK_MS = 30_000

const DAY_MS = 86_400_000

interface FirstStartFile {
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
  const [known] = await rows(em, KEY({ hash: secretHash(key) }))
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

const GOES =
  'The server deletes this file within a minute after the API key is used for the first time, and after a day in any case.'

interface Introduced {
  /** The public origin. */
  readonly base: string
  readonly dataDir: string
  /** Somebody may be reading what is said. */
  readonly isTerminal: boolean
  readonly say: (line: string) => void
}

/** Returns when a person can find the key, even after a power cut. */
export async function introduce(
  { apiKey, email, passwordToken }: FirstAccount,
  { base, dataDir, isTerminal, say }: Introduced,
): Promise<void> {
  const text = [
    'This is shown once. Keep the API key; only its hash is stored.',
    '',
    `  Account   ${email}`,
    `  API key   ${apiKey}`,
    `  Console   ${base}/#key=${apiKey}`,
    `  Password  ${oneTimeLink(base, 'password_reset', passwordToken)}`,
    '',
    'The console link signs in with the key. The password link works once, within a day: choose a password there, and',
    'sign in with it and the address above from then on.',
    '',
    'Submit a first item:',
    '',
    `  curl -sS ${base}/api/json/items -H 'Authorization: Bearer ${apiKey}' -H 'Content-Type: application/vnd.api+json' -d '{"data":{"type":"item","attributes":{"claims":{"name":"My first item","description":"Recorded to see how long a minute is."}}}}'`,
    '',
    'Another key or password link, should these be lost:',
    '',
    `  npm run pharos -- key create --email ${email}`,
    `  npm run pharos -- user reset-password --email ${email}`,
    '',
  ].join('\n')
  if (isTerminal) return say(`\n${text}`)
  const path = firstStartFile(dataDir)
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
    await writeDurably(`${path}.new`, `${GOES}\n\n${text}`, 0o600)
    await renameDurably(`${path}.new`, path)
  } catch (error) {
    throw new Error(
      `The first API key could not be written to ${path} (${error instanceof Error ? error.message : String(error)}), ` +
        'so it was not made. Set DATA_DIR to a folder that can be written, and start again.',
      { cause: error },
    )
  }
  say(
    `The first API key, links to sign in and a first request are in ${path} (deleted once the key was used, or after a day)`,
  )
}
