// Opens the database: the one that a setting names, or the embedded one in the data folder, and the master key.
// The data folder keeps the key, and the database decides which one is in force: the key that opens the signing keys. A
// change writes the new key to its own file, waits for the disk, commits the keys sealed under it, and only then replaces
// the old file. A crash in between leaves both files, and the next start keeps the one that opens.
import { createHash, randomBytes } from 'node:crypto'
import { readdir, readFile, realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from 'pg'
import { opensSeed, SEALED_SEED, type SealedSeed } from '../domain/ledger/signing_key.ts'
import { type MasterKey, masterKey } from '../kernel/sealed.ts'
import type { Config } from '../settings/read_settings.ts'
import { checkDatabase, checkPooler } from '../store/check_database.ts'
import { type DataFolder, openDataFolder } from '../store/embedded/data_folder.ts'
import { renameDurably, syncFolder, writeDurably } from '../store/embedded/durable_file.ts'
import { FolderInUse } from '../store/embedded/folder_lock.ts'
import { CLUSTER } from '../store/embedded/place.ts'
import {
  type EmbeddedPostgres,
  SUPERUSER_PASSWORD_FILE,
  startEmbeddedPostgres,
} from '../store/embedded/postgres_process.ts'
import { superuserUrlOf } from '../store/embedded/prepare_cluster.ts'
import { refuseUnfinishedRestore } from '../store/embedded/restore_cluster.ts'
import type { StoreOptions } from '../store/open_store.ts'
import { type Half, isPooled } from '../store/purposes.ts'
import { withSession } from '../store/session.ts'

export interface OpenDatabase {
  readonly url: string
  readonly listenUrl: string
  readonly masterKey: MasterKey
  /** The same 32 bytes, for other processes of this start. */
  readonly masterKeyBytes: Uint8Array
  /** How its superuser reaches the embedded database, and its data directory. */
  readonly embedded?: { readonly superuserUrl: string; readonly cluster: string }
  /** Present when the data folder keeps the key. Replaces the key and reseals everything that it seals. */
  readonly changeMasterKey?: <T>(to: Uint8Array, rewrap: () => Promise<T>) => Promise<T>
  /**
   * Present for an embedded database that this process runs, which is started again when it ends by itself: why there is
   * none at the moment, and a call whenever that changes.
   */
  readonly trouble?: EmbeddedPostgres['trouble']
  readonly onTrouble?: EmbeddedPostgres['onTrouble']
  /** The public origin of the server that runs the database meanwhile. Undefined where none does, as far as is known. */
  readonly servedAt?: string | undefined
  /** Stores the address of this server in the data folder, for other processes that look there. */
  readonly announce: (base: string) => Promise<void>
  readonly close: () => Promise<void>
}

/** @param say prints one line for a person, for steps that take longer than a second */
export async function openDatabase(config: Config, say: (line: string) => void): Promise<OpenDatabase> {
  if (config.databaseUrl !== undefined && config.masterKey !== undefined) {
    await checkNamed(config.databaseUrl)
    if (config.listenDatabaseUrl !== undefined)
      await checkDatabase(config.listenDatabaseUrl, 'LISTEN_DATABASE_URL')
    return opened(config.databaseUrl, config.masterKey, config.listenDatabaseUrl)
  }
  const folder = await openDataFolder(config.dataDir)
  try {
    await refuseUnfinishedRestore(folder)
    const postgres = await startEmbeddedPostgres({ folder, log: say, settings: roomFor(config) })
    const key = await keyOf(config, folder, postgres).catch(async (error: unknown) => {
      await postgres.stop()
      throw error
    })
    return {
      ...opened(postgres.url, key),
      embedded: { superuserUrl: postgres.superuserUrl, cluster: postgres.cluster },
      ...keyKeptIn(config),
      trouble: postgres.trouble,
      onTrouble: postgres.onTrouble,
      announce: folder.announce,
      close: async () => {
        await rm(join(folder.path, RUNNING_URL_FILE), { force: true })
        await postgres.stop()
        await folder.release()
      },
    }
  } catch (error) {
    await folder.release()
    throw error
  }
}

/** A database that others run. */
const opened = (url: string, key: Uint8Array, listenUrl = url): OpenDatabase => ({
  url,
  listenUrl,
  masterKey: masterKey(key),
  masterKeyBytes: key,
  announce: async () => undefined,
  close: async () => undefined,
})

/** More connections than usual, when this start may need them: beside its pools each process listens, and one queues. */
const roomFor = ({ databasePoolSize, workers }: Config): Record<string, string> => {
  const needed = databasePoolSize + workers + COMMANDS
  return needed > USUAL ? { max_connections: String(needed) } : {}
}

/** For the queue, for operator commands beside the server, and for people who look. */
const COMMANDS = 40
/** What the embedded database allows by itself. */
const USUAL = 200

const checkNamed = (url: string): Promise<unknown> =>
  isPooled(url) ? checkPooler(url, 'DATABASE_URL') : checkDatabase(url, 'DATABASE_URL')

/** Also stores where the database is, for commands beside the server. */
async function keyOf(config: Config, folder: DataFolder, { url }: EmbeddedPostgres): Promise<Buffer> {
  const key = config.masterKey ?? (await openMasterKey(folder, url))
  await writeDurably(join(folder.path, RUNNING_URL_FILE), url, 0o600)
  return key
}

/**
 * The database for an operator command. When a running server holds the data folder, the command uses its running
 * database. Otherwise the command starts the database.
 */
export async function reachDatabase(config: Config, say: (line: string) => void): Promise<OpenDatabase> {
  try {
    return await openDatabase(config, say)
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error
    const url = await readFile(join(config.dataDir, RUNNING_URL_FILE), 'utf8').catch(() => {
      throw error
    })
    const key = config.masterKey ?? (await findMasterKey(config.dataDir, url)).key
    return {
      ...opened(url, key),
      embedded: await embeddedIn(config.dataDir, url),
      ...keyKeptIn(config),
      servedAt: error.address ?? undefined,
    }
  }
}

async function embeddedIn(dataDir: string, url: string): Promise<NonNullable<OpenDatabase['embedded']>> {
  const password = (await readFile(join(dataDir, SUPERUSER_PASSWORD_FILE), 'utf8')).trim()
  return { superuserUrl: superuserUrlOf(url, password), cluster: await realpath(join(dataDir, CLUSTER)) }
}

/** A key that was set can be changed only by its owner. */
const keyKeptIn = ({ masterKey: given, dataDir }: Config): Pick<OpenDatabase, 'changeMasterKey'> =>
  given === undefined ? { changeMasterKey: (to, rewrap) => changeMasterKey(dataDir, to, rewrap) } : {}

/** The running database's address, for commands beside the server. The file has mode 0600 like every secret. */
export const RUNNING_URL_FILE = 'database_url'

/** @param half of several processes; a single one does everything */
export const storeOptions = (
  { databasePoolSize, databasePrepares, workers }: Config,
  half: Exclude<Half, 'both'>,
): Pick<StoreOptions, 'poolSize' | 'prepares' | 'share'> => ({
  poolSize: databasePoolSize,
  prepares: databasePrepares,
  share: { half: workers === 1 ? 'both' : half, workers },
})

const FILE = 'master_key'
const KEY_BYTES = 32
/** The name contains a part of the key, so that two changes never write to the same file. */
const nextFile = (key: Uint8Array): string =>
  `${FILE}.next.${createHash('sha256').update(key).digest('hex').slice(0, 16)}`

/**
 * First completes a change that was interrupted. Makes a new key only while nothing is sealed, because a new key
 * opens no sealed data. Safe because the caller holds the folder's lock.
 * @throws an Error that says what to do, when something is sealed and no file opens it
 */
export async function openMasterKey(
  folder: Pick<DataFolder, 'path' | 'readSecret'>,
  url: string,
): Promise<Buffer> {
  const sealed = await sealedSeed(url)
  if (sealed === undefined || (await keyFiles(folder.path)).includes(FILE))
    await folder.readSecret(FILE, newKey)
  const found = await thatOpens(folder.path, sealed)
  const left = (await keyFiles(folder.path)).filter((file) => file !== FILE)
  if (left.length === 0) return found.key
  if (found.file !== FILE) await renameDurably(join(folder.path, found.file), join(folder.path, FILE))
  for (const file of left) await rm(join(folder.path, file), { force: true })
  await syncFolder(folder.path)
  return found.key
}

/**
 * The key in force, for a command beside the running server. Writes nothing. @throws when no file opens the signing
 * keys
 */
export const findMasterKey = async (path: string, url: string): Promise<{ file: string; key: Buffer }> =>
  thatOpens(path, await sealedSeed(url))

async function thatOpens(
  path: string,
  sealed: SealedSeed | undefined,
): Promise<{ file: string; key: Buffer }> {
  for (const file of await keyFiles(path)) {
    const key = Buffer.from((await readFile(join(path, file), 'utf8')).trim(), 'hex')
    if (key.length === KEY_BYTES && (sealed === undefined || opensSeed(masterKey(key), sealed)))
      return { file, key }
  }
  throw new Error(
    sealed === undefined
      ? `The file ${join(path, FILE)} holds no master key (64 hex characters), and nothing is sealed yet: remove it, and the next start makes one.`
      : `No ${FILE} in ${path} opens the signing keys of the ledger there. Nothing was started, and no new key was made. ` +
          `Put your copy of ${join(path, FILE)} back, set MASTER_KEY to what it held, or set DATA_DIR to another folder to begin anew.`,
  )
}

/**
 * @param rewrap seals everything under the new key, all or nothing. When it fails, both key files stay: only the next
 * start can find out whether an unacknowledged commit took place.
 */
export async function changeMasterKey<T>(path: string, to: Uint8Array, rewrap: () => Promise<T>): Promise<T> {
  const next = join(path, nextFile(to))
  await writeDurably(next, `${Buffer.from(to).toString('hex')}\n`, 0o600)
  await syncFolder(path)
  // Commit point: from here on only the new key opens.
  const outcome = await rewrap()
  await renameDurably(next, join(path, FILE))
  return outcome
}

const newKey = (): string => randomBytes(32).toString('hex')

/** The key file in force comes first, unless a change was interrupted after its commit. */
const keyFiles = async (path: string): Promise<string[]> =>
  (await readdir(path)).filter((name) => name === FILE || name.startsWith(`${FILE}.next.`)).toSorted()

/** Undefined in a database without a ledger. */
function sealedSeed(url: string): Promise<SealedSeed | undefined> {
  const look = async (session: Client) => {
    const { rows } = await session.query<{ exists: boolean }>(
      `SELECT to_regclass('signing_keys') IS NOT NULL AS exists`,
    )
    return rows[0]?.exists === true ? (await session.query<SealedSeed>(SEALED_SEED)).rows[0] : undefined
  }
  const ceilings = { connectionTimeoutMillis: 10_000, statement_timeout: 10_000 }
  return withSession(url, look, { ...ceilings, application_name: 'pharos master key' })
}
