// Where the database is: the one that was named, or the one of our own in the data folder, and the master key with it.
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from './config.ts'
import { type MasterKey, masterKey } from './kernel/sealed.ts'
import { changeMasterKey, findMasterKey, openMasterKey } from './master_key_file.ts'
import { checkDatabase } from './store/check_database.ts'
import { type DataFolder, openDataFolder } from './store/embedded/data_folder.ts'
import { writeDurably } from './store/embedded/durable_file.ts'
import { FolderInUse } from './store/embedded/folder_lock.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './store/embedded/postgres_process.ts'

export interface OpenDatabase {
  readonly url: string
  readonly listenUrl: string
  readonly masterKey: MasterKey
  /** Where the key is kept by us, not set: puts another one in its place, together with what seals everything under it. */
  readonly changeMasterKey?: <T>(to: Uint8Array, rewrap: () => Promise<T>) => Promise<T>
  /** Settles when a database of our own ends by itself, with its last words; never for a named one. */
  readonly lost: Promise<string>
  /** Tells others that look at the data folder where this server answers. */
  readonly announce: (base: string) => Promise<void>
  readonly close: () => Promise<void>
}

/** @param say one line for a person, for what takes longer than a second */
export async function openDatabase(config: Config, say: (line: string) => void): Promise<OpenDatabase> {
  if (config.databaseUrl !== undefined && config.masterKey !== undefined) {
    await checkDatabase(config.databaseUrl, 'DATABASE_URL')
    if (config.listenDatabaseUrl !== undefined)
      await checkDatabase(config.listenDatabaseUrl, 'LISTEN_DATABASE_URL')
    return {
      url: config.databaseUrl,
      listenUrl: config.listenDatabaseUrl ?? config.databaseUrl,
      masterKey: masterKey(config.masterKey),
      lost: new Promise(() => undefined),
      announce: async () => undefined,
      close: async () => undefined,
    }
  }
  const folder = await openDataFolder(config.dataDir)
  try {
    const postgres = await startEmbeddedPostgres({ folder, log: say })
    const key = await keyOf(config, folder, postgres).catch(async (error: unknown) => {
      await postgres.stop()
      throw error
    })
    return {
      url: postgres.url,
      listenUrl: postgres.url,
      masterKey: masterKey(key),
      ...keyKeptIn(config),
      lost: postgres.exited,
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

/** Also says where the database is, for commands beside the server. */
async function keyOf(config: Config, folder: DataFolder, { url }: EmbeddedPostgres): Promise<Buffer> {
  const key = config.masterKey ?? (await openMasterKey(folder, url))
  await writeDurably(join(folder.path, RUNNING_URL_FILE), url, 0o600)
  return key
}

/**
 * The database for a command beside the server: when a running server holds the data folder, its database is used as
 * it runs; otherwise it is started for the command.
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
      ...keyKeptIn(config),
      lost: new Promise(() => undefined),
      announce: nothing,
      close: nothing,
    }
  }
}

/** A key that was set is its owner's to change. */
const keyKeptIn = ({ masterKey: given, dataDir }: Config): Pick<OpenDatabase, 'changeMasterKey'> =>
  given === undefined ? { changeMasterKey: (to, rewrap) => changeMasterKey(dataDir, to, rewrap) } : {}

/** The running database's address for commands beside the server; 0600 like every secret. */
const RUNNING_URL_FILE = 'database_url'
