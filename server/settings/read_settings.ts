// Reads the environment into one frozen, typed object. Reports every mistake at once, before anything is opened.
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import type { ChainChoices } from '../domain/commitments/chains/configured_chains.ts'
import { SOURCES, type SourceAt } from '../domain/entropy/source.ts'
import type { LimitChoices } from '../domain/limits/budgets.ts'
import { PUBLIC_DOORS, type PublicDoor } from '../domain/rounds/public_door.ts'
import { receiverOff } from '../domain/webhooks/receiver/receiver_off.ts'
import { type Ceilings, ceilings } from '../kernel/ceilings.ts'
import { isPooled, leastConnections, usualConnections } from '../store/purposes.ts'
import { mistakeIn, type Setting, type SettingValues, settingValues } from './rules.ts'
import { isSecret, SETTING_NAMES, SETTINGS } from './settings.ts'
import type { TraceChoices } from './trace_settings.ts'

type Given = SettingValues<typeof SETTINGS>

/** What the settings say, and what is made of several of them. */
export interface Config
  extends Omit<
    Given,
    'chains' | 'entropyAddresses' | 'entropySources' | 'limits' | 'ceilings' | 'publicDoors' | 'traces'
  > {
  readonly chains: ChainChoices
  /** The public sources that are asked once a minute. None when empty. */
  readonly entropy: readonly SourceAt[]
  readonly limits: LimitChoices
  /** Those that are open. */
  readonly publicDoors: readonly PublicDoor[]
  readonly ceilings: Ceilings
  /** Undefined when nothing is traced. */
  readonly traces: TraceChoices | undefined
}

/** The process's environment, with the additions of a `.env` file beside package.json. @throws ConfigError */
export function environment(root: string): Readonly<Record<string, string | undefined>> {
  const file = join(root, '.env')
  try {
    if (existsSync(file)) process.loadEnvFile(file)
  } catch (error) {
    throw new ConfigError([
      `${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    ])
  }
  return process.env
}

/**
 * Names that no setting has, misspelt or of a setting that there was: in the `.env` file all but those that other
 * programs read, and in the environment the limits, which nobody else sets.
 */
export function unknownNames(
  environment: Readonly<Record<string, string | undefined>>,
  root: string,
): readonly string[] {
  const file = join(root, '.env')
  const inFile = existsSync(file) ? Object.keys(parseEnv(readFileSync(file, 'utf8'))) : []
  const limits = Object.keys(environment).filter((name) => /^LIMIT_/.test(name) && environment[name]?.trim())
  const known = new Set(SETTING_NAMES)
  return [...new Set([...inFile, ...limits])].filter((name) => !known.has(name) && !OF_OTHERS.test(name))
}

/** Node, libpq, the command line for users, and the usual names of a shell. */
const OF_OTHERS = /^(NODE_|PG|PHAROS_|SSL_|LC_|(LANG|TZ|HOME|PATH|NO_COLOR)$|.*PROXY$)/i

/** @throws ConfigError that names every wrong setting. A blank value counts as not set. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>, root: string): Config {
  const mistakes: string[] = []
  const read = ({ setting, rule, byDefault }: Setting): unknown => {
    const judged = rule.safeParse(environment[setting]?.trim() || byDefault)
    if (!judged.success) mistakes.push(`${setting} ${mistakeIn(rule, judged.error)}`)
    return judged.data
  }
  const isSet = ({ setting }: Setting): boolean => Boolean(environment[setting]?.trim())
  // What is wrong is undefined, until all mistakes are told.
  const given = settingValues(SETTINGS, read)
  const { workers, witnessPolicy, lookups, traces } = given
  const databasePoolSize = isSet(SETTINGS.databasePoolSize)
    ? given.databasePoolSize
    : Math.max(given.databasePoolSize, usualConnections(workers))
  mistakes.push(...conflictsIn({ ...given, databasePoolSize }, isSet(SETTINGS.masterKey)))
  if (mistakes.length > 0) throw new ConfigError(mistakes)
  const { entropySources, entropyAddresses, ...others } = given
  const { names, stellar } = given.chains
  const homeHorizon = stellar.network === 'public' ? lookups.horizonPublic : lookups.horizonTestnet
  // Verifiers ask a witness on the network of the bundle's commitments.
  const usualStellar = names.includes('stellar') ? homeHorizon : lookups.horizonPublic
  const addresses = isSet(SETTINGS.entropyAddresses.stellar)
    ? entropyAddresses
    : { ...entropyAddresses, stellar: usualStellar }
  return Object.freeze({
    ...others,
    databasePoolSize,
    dataDir: resolve(root, given.dataDir),
    witnessPolicy: witnessPolicy === undefined ? undefined : resolve(root, witnessPolicy),
    tsa: {
      ...given.tsa,
      certificate: given.tsa.certificate && resolve(root, given.tsa.certificate),
      key: given.tsa.key && resolve(root, given.tsa.key),
    },
    chains: { ...given.chains, stellar: { ...stellar, horizonUrl: stellar.horizonUrl ?? homeHorizon } },
    entropy: entropySources.map((name) => ({ source: SOURCES[name], address: addresses[name] })),
    ceilings: ceilings(given.ceilings),
    publicDoors: given.publicDoors ?? (isReachedFromHereAlone(given) ? PUBLIC_DOORS : []),
    traces: traces.endpoint === undefined ? undefined : { ...traces, endpoint: traces.endpoint },
  })
}

/** What settings that are right by themselves say against each other. */
function conflictsIn(given: Given, isKeySet: boolean): string[] {
  const { workers, databaseUrl, databasePoolSize } = given
  const { names, bitcoin, stellar } = given.chains
  const mistakes: string[] = []
  if (databaseUrl !== undefined && !isKeySet)
    mistakes.push('MASTER_KEY is required with DATABASE_URL: 64 hex characters, the same on every server')
  if (workers > 1 && databasePoolSize < leastConnections(workers))
    mistakes.push(`DATABASE_POOL_SIZE must be at least ${leastConnections(workers)} with ${workers} WORKERS`)
  if (isPooled(databaseUrl ?? '') && given.listenDatabaseUrl === undefined)
    mistakes.push('LISTEN_DATABASE_URL is required with {purpose} in DATABASE_URL: past the pooler')
  if (given.readDatabaseUrl !== undefined && databaseUrl === undefined)
    mistakes.push('READ_DATABASE_URL needs DATABASE_URL: the embedded database has no replica')
  const { tsa } = given
  if (tsa.certificate === undefined && tsa.key !== undefined)
    mistakes.push('TSA_CERTIFICATE is required with TSA_KEY')
  if (tsa.key === undefined && tsa.certificate !== undefined)
    mistakes.push('TSA_KEY is required with TSA_CERTIFICATE')
  if (names?.includes('bitcoin') && bitcoin.rpcUrl === undefined)
    mistakes.push('BITCOIN_RPC_URL is required when bitcoin is among PUBLIC_CHAINS')
  if (names?.includes('stellar') && stellar.secret === undefined)
    mistakes.push('STELLAR_SECRET is required when stellar is among PUBLIC_CHAINS')
  return mistakes
}

export class ConfigError extends Error {
  readonly mistakes: readonly string[]

  constructor(mistakes: readonly string[]) {
    super(`The configuration is wrong:\n${mistakes.map((text) => `  ${text}`).join('\n')}`)
    this.name = 'ConfigError'
    this.mistakes = mistakes
  }
}

/** The settings for the log line at start. Secrets show only that they are set. */
export const maskedSettings = (
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> =>
  Object.fromEntries(
    SETTING_NAMES.flatMap((name) => {
      const value = environment[name]?.trim()
      return value ? [[name, isSecret(name) ? '(set)' : value]] : []
    }),
  )

/** Whether only this machine reaches the service. Behind a proxy it is the proxy that others reach. */
export const isReachedFromHereAlone = (
  exposure: Pick<Config, 'host' | 'baseUrl' | 'trustedProxies'>,
): boolean => receiverOff(exposure) === undefined

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '::1', '0.0.0.0', '::'])

/** Where no setting names it, it is the address that people on this machine can open. */
export const baseOf = ({ baseUrl, host, port }: Pick<Config, 'baseUrl' | 'host' | 'port'>): string =>
  baseUrl ?? `http://${LOOPBACK.has(host) ? 'localhost' : host}:${port}`
