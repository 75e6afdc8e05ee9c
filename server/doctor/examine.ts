// What all checks of an installation have in common: the installation that the settings describe, of which nothing is opened;
// what a check finds, in plain words; and how checks are run one after the other, each with a time limit.
import { readFile, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from 'pg'
import manifest from '../../package.json' with { type: 'json' }
import { type Paint, printable } from '../../shared/cli/terminal.ts'
import { mostOpenFiles } from '../kernel/ceilings.ts'
import { within } from '../kernel/flow/at_once.ts'
import { type MasterKey, masterKey } from '../kernel/sealed.ts'
import { baseOf, type Config, ConfigError, readConfig } from '../settings/read_settings.ts'
import { isSecret } from '../settings/settings.ts'
import { findMasterKey, RUNNING_URL_FILE } from '../start/open_database.ts'
import { isPooled } from '../store/purposes.ts'
import { withSession } from '../store/session.ts'

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

function settingsOf(environment: Environment, root: string): InstalledSettings {
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

export interface DoctorFinding {
  /** `wrong`: something does not work, or will not. `warning`: it works, and somebody should know. */
  readonly state: 'ok' | 'warning' | 'wrong'
  /** One sentence, without a secret. */
  readonly text: string
  /** What to do. */
  readonly advice?: string
}

export interface Check {
  readonly name: string
  /** May throw: the error's message becomes the finding. */
  readonly run: () => Promise<Found>
}

/** What a check finds. */
export type Found = DoctorFinding | readonly DoctorFinding[]

export const ok = (text: string): DoctorFinding => ({ state: 'ok', text })
export const warning = (text: string, advice: string): DoctorFinding => ({ state: 'warning', text, advice })
export const wrong = (text: string, advice: string): DoctorFinding => ({ state: 'wrong', text, advice })

/** e.g. `3 min`. Whole units, rounded down. */
export function roughly(ms: number): string {
  const units = [
    [86_400_000, 'd'],
    [3_600_000, 'h'],
    [60_000, 'min'],
    [1_000, 's'],
  ] as const
  const [size, name] = units.find(([each]) => ms >= each) ?? [1, 'ms']
  return `${Math.floor(ms / size)} ${name}`
}

export interface Examined {
  /** The mistakes in the settings. When there are any, nothing else is known. */
  readonly mistakes: readonly string[]
  readonly settings?: InstalledSettings
  /** Values that no line shows. */
  readonly secrets: readonly string[]
}

export interface Reached {
  /** The name of the setting that the address comes from. */
  readonly setting: string
  /** Leads to the database itself, past a pooler. */
  readonly url: string
  /** The addresses of a pooler, one for each purpose. */
  readonly poolerUrl?: string
}

type Settled =
  | 'host'
  | 'port'
  | 'metricsToken'
  | 'dataDir'
  | 'listenDatabaseUrl'
  | 'readDatabaseUrl'
  | 'workers'
  | 'ceilings'
  | 'blockIntervalMs'

export interface InstalledSettings extends Pick<Config, Settled> {
  readonly version: string
  /** The public origin. */
  readonly base: string
  readonly database: () => Promise<Reached>
  readonly isEmbedded: boolean
  readonly tsa: Pick<Config['tsa'], 'certificate'>
  /** Database connections of one server, of all its processes together. */
  readonly connections: number
  /** Milliseconds by the clock of this machine. */
  readonly now: () => number
  /** Bytes that are free where a folder is; undefined when there is no such folder. */
  readonly freeBytes: (folder: string) => Promise<number | undefined>
  /** Open files that this process may have. Undefined where it is not known. */
  readonly openFiles: number | undefined
  readonly masterKey: (url: string) => Promise<MasterKey>
}

/** Runs work in a session of its own, with a ceiling for every wait. */
export const inSession = <T>(url: string, work: (session: Client) => Promise<T>): Promise<T> =>
  withSession(url, work, {
    connectionTimeoutMillis: 5_000,
    query_timeout: 5_000,
    application_name: 'pharos doctor',
  })

/** Milliseconds for one check. */
const PATIENCE_MS = 15_000

export interface CheckFinding extends DoctorFinding {
  readonly check: string
}

/** Yields each finding as soon as it is known. Never throws: a check that fails is a finding. */
export async function* examine(
  checks: readonly Check[],
  {
    secrets,
    patienceMs = PATIENCE_MS,
  }: { readonly secrets: readonly string[]; readonly patienceMs?: number },
): AsyncGenerator<CheckFinding> {
  for (const { name, run } of checks)
    for (const { text, advice, ...finding } of [await foundBy(run, patienceMs)].flat())
      yield {
        check: name,
        ...finding,
        text: without(secrets, text),
        ...(advice === undefined ? {} : { advice: without(secrets, advice) }),
      }
}

async function foundBy(run: Check['run'], patienceMs: number): Promise<Found> {
  try {
    return await within(patienceMs, run(), () => new Error(`No answer within ${patienceMs / 1_000} s.`))
  } catch (error) {
    // The first line: what follows is a stack for programmers, or repeats what was asked.
    const [text = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
    return { state: 'wrong', text }
  }
}

/** Messages of other programs may repeat a part of an address. */
const without = (secrets: readonly string[], text: string): string =>
  secrets.reduce((shown, secret) => (secret === '' ? shown : shown.replaceAll(secret, '(hidden)')), text)

const COLOURS = { ok: 'green', warning: 'yellow', wrong: 'red' } as const
const WORDS = { ok: 'ok', warning: 'look', wrong: 'WRONG' } as const

/** One finding as lines for a person. */
export function findingLines({ check, state, text, advice }: CheckFinding, paint: Paint): string {
  const first = `${paint[COLOURS[state]](WORDS[state].padEnd(6))}${check.padEnd(14)}${printable(text)}`
  return advice === undefined ? first : `${first}\n${' '.repeat(20)}${printable(advice)}`
}
