// Opens the database: the one that a setting names, or the embedded one in the data folder, and the master key.
import { readFile, realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type MasterKey, masterKey } from '../kernel/sealed.ts'
import type { Config } from '../settings/read_settings.ts'
import { checkDatabase, checkPooler } from '../store/check_database.ts'
import { type DataFolder, openDataFolder } from '../store/embedded/data_folder.ts'
import { writeDurably } from '../store/embedded/durable_file.ts'
import { FolderInUse } from '../store/embedded/folder_lock.ts'
import { CLUSTER } from '../store/embedded/place.ts'
import {
  type EmbeddedPostgres,
  SUPERUSER_PASSWORD_FILE,
  startEmbeddedPostgres,
} from '../store/embedded/postgres_process.ts'
import { refuseUnfinishedRestore } from '../store/embedded/restore_cluster.ts'
import { superuserUrlOf } from '../store/embedded/roles.ts'
import type { StoreOptions } from '../store/open_store.ts'
import { type Half, isPooled } from '../store/purposes.ts'
import { changeMasterKey, findMasterKey, openMasterKey } from './master_key_file.ts'

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
    return {
      url: config.databaseUrl,
      listenUrl: config.listenDatabaseUrl ?? config.databaseUrl,
      masterKey: masterKey(config.masterKey),
      masterKeyBytes: config.masterKey,
      announce: async () => undefined,
      close: async () => undefined,
    }
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
      url: postgres.url,
      listenUrl: postgres.url,
      embedded: { superuserUrl: postgres.superuserUrl, cluster: postgres.cluster },
      masterKey: masterKey(key),
      masterKeyBytes: key,
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

/** More connections than usual, when this start may need them: beside its pools each process listens, and one queues. */
const roomFor = ({ databasePoolSize, workers }: Config): Record<string, string> => {
  const needed = databasePoolSize + workers + COMMANDS
  return needed > USUAL ? { max_connections: String(needed) } : {}
}

/** For the queue, for operator commands beside the server, and for people who look. */
const COMMANDS = 40
/** What the embedded database allows by itself. */
const USUAL = 200

const checkNamed = (url: string): Promise<void> =>
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
    const nothing = async () => undefined
    return {
      url,
      listenUrl: url,
      masterKey: masterKey(key),
      masterKeyBytes: key,
      embedded: await embeddedIn(config.dataDir, url),
      ...keyKeptIn(config),
      servedAt: error.address ?? undefined,
      announce: nothing,
      close: nothing,
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
