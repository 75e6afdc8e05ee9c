// The installation that the settings describe, for the command that checks it. Opens nothing.
import { readFile, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import manifest from '../../package.json' with { type: 'json' }
import { mostOpenFiles } from '../kernel/ceilings.ts'
import { masterKey } from '../kernel/sealed.ts'
import { baseOf, type Config, ConfigError, readConfig } from '../settings/read_settings.ts'
import { isSecret } from '../settings/settings.ts'
import { findMasterKey, RUNNING_URL_FILE } from '../start/open_database.ts'
import { isPooled } from '../store/purposes.ts'
import type { Examined, Reached } from './examine.ts'

type Environment = Readonly<Record<string, string | undefined>>

export function installationOf(environment: Environment, root: string): Examined {
  const secrets = secretsIn(environment)
  try {
    return { mistakes: [], secrets, settings: settingsOf(environment, root) }
  } catch (error) {
    if (error instanceof ConfigError) return { mistakes: error.mistakes, secrets }
    throw error
  }
}

function settingsOf(environment: Environment, root: string): NonNullable<Examined['settings']> {
  const config = readConfig(environment, root)
  const { databaseUrl, dataDir } = config
  return {
    ...config,
    version: manifest.version,
    base: baseOf(config),
    isEmbedded: databaseUrl === undefined,
    database: () => reachedBy(config),
    connections: config.databasePoolSize,
    now: Date.now,
    freeBytes,
    openFiles: mostOpenFiles(),
    masterKey: async (url) => masterKey(config.masterKey ?? (await findMasterKey(dataDir, url)).key),
  }
}

async function reachedBy({ databaseUrl, listenDatabaseUrl, dataDir }: Config): Promise<Reached> {
  if (databaseUrl === undefined) return { setting: `embedded in ${dataDir}`, url: await runningUrl(dataDir) }
  return isPooled(databaseUrl) && listenDatabaseUrl !== undefined
    ? { setting: 'LISTEN_DATABASE_URL', url: listenDatabaseUrl, poolerUrl: databaseUrl }
    : { setting: 'DATABASE_URL', url: databaseUrl }
}

async function freeBytes(folder: string): Promise<number | undefined> {
  const found = await statfs(folder).catch(() => undefined)
  return found === undefined ? undefined : found.bavail * found.bsize
}

async function runningUrl(dataDir: string): Promise<string> {
  try {
    return await readFile(join(dataDir, RUNNING_URL_FILE), 'utf8')
  } catch (error) {
    throw new Error(
      `The embedded database in ${dataDir} does not run, so nothing in it can be checked: start the server (npm start), and ask again.`,
      { cause: error },
    )
  }
}

/** The values of secret settings, and the passwords inside of addresses. */
const secretsIn = (environment: Environment): readonly string[] =>
  Object.entries(environment).flatMap(([name, value]) => {
    const given = value?.trim()
    if (!given || !isSecret(name)) return []
    const password = URL.parse(given)?.password ?? ''
    return [given, password, decodeURIComponent(password)].filter((each) => each !== '')
  })
