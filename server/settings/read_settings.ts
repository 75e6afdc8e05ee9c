// Reads the environment into one frozen, typed object. Reports every mistake at once, before anything is opened.
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import type { z } from 'zod'
import {
  LOOKUP_PLACES,
  type LookupAddresses,
  lookupAddresses,
} from '../../shared/proof/lookups/lookup_places.ts'
import type { ChainChoices } from '../domain/commitments/chains/configured_chains.ts'
import {
  SOURCES,
  type SourceAddresses,
  type SourceChoice,
  sourceAddresses,
} from '../domain/entropy/sources.ts'
import { LIMIT_SETTINGS, type LimitChoices } from '../domain/limits/budgets.ts'
import type { ProofLayout } from '../domain/proofs/proof_request.ts'
import type { AddressRanges } from '../kernel/address_ranges.ts'
import { CEILINGS, type CeilingName, type Ceilings, ceilingNames, ceilings } from '../kernel/ceilings.ts'
import type { LOG_LEVELS } from '../kernel/log.ts'
import { isPooled, leastConnections, usualConnections } from '../store/purposes.ts'
import { ADDRESS_SETTINGS, lookupSetting, sourceSetting } from './address_settings.ts'
import { apiAddress, mistakeIn } from './rules.ts'
import { isSecret, SETTINGS } from './settings.ts'
import type { TraceChoices } from './trace_settings.ts'

export interface Config {
  /** Processes that answer clients. With 1 the same process does everything. */
  readonly workers: number
  readonly port: number
  readonly host: string
  /** Undefined until the port is known, when the setting is absent. */
  readonly baseUrl: string | undefined
  readonly databaseUrl: string | undefined
  readonly listenDatabaseUrl: string | undefined
  readonly readDatabaseUrl: string | undefined
  readonly databasePoolSize: number
  readonly databasePrepares: boolean
  readonly dataDir: string
  readonly masterKey: Buffer | undefined
  readonly blockIntervalMs: number
  /** Used by the first start alone. Undefined for that of the base address. */
  readonly logOrigin: string | undefined
  /** People may make accounts without an invitation. */
  readonly signUpIsOpen: boolean
  /** Milliseconds from the order to stop until requests are refused. */
  readonly stopDelayMs: number
  readonly maxBodyBytes: number
  readonly trustedProxies: AddressRanges
  readonly limits: LimitChoices
  readonly ceilings: Ceilings
  readonly entropy: EntropyConfig
  readonly lookups: LookupAddresses
  readonly proofLayout: ProofLayout
  /** Files and https addresses. */
  readonly trustedKeyrings: readonly string[]
  readonly chains: ChainChoices
  /** Private addresses that webhooks may reach. For trials only. */
  readonly webhookAllowAddresses: AddressRanges
  /** Addresses that the service reaches for nobody. */
  readonly webhookDenyAddresses: AddressRanges
  /** Anybody may read the public log. */
  readonly logIsPublic: boolean
  /** A file. Undefined when no witness is asked. */
  readonly witnessPolicy: string | undefined
  readonly metricsToken: string | undefined
  readonly logLevel: (typeof LOG_LEVELS)[number]
  /** Undefined when nothing is traced. */
  readonly traces: TraceChoices | undefined
}

/** All base addresses end without a slash. */
interface EntropyConfig {
  /** The names of the sources that are asked. None when empty. */
  readonly sources: readonly SourceChoice[]
  readonly addresses: SourceAddresses
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

/** Names in the `.env` file that no setting has, usually misspelt. What other programs read is left out. */
export function unknownNames(root: string): readonly string[] {
  const file = join(root, '.env')
  if (!existsSync(file)) return []
  const known = new Set(SETTING_NAMES)
  return Object.keys(parseEnv(readFileSync(file, 'utf8'))).filter(
    (name) => !known.has(name) && !OF_OTHERS.test(name),
  )
}

/** Node, libpq, the command line for users, and the usual names of a shell. */
const OF_OTHERS = /^(NODE_|PG|PHAROS_|SSL_|LC_|(LANG|TZ|HOME|PATH|NO_COLOR)$|.*PROXY$)/i

/** @throws ConfigError that names every wrong setting. A blank value counts as not set. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>, root: string): Config {
  const mistakes: string[] = []
  const read: Read = <Name extends keyof typeof SETTINGS>(name: Name) => {
    const { rule, byDefault } = SETTINGS[name]
    const given = environment[name]?.trim() || byDefault
    const judged = rule.safeParse(given)
    if (!judged.success) mistakes.push(`${name} ${mistakeIn(rule, judged.error)}`)
    return judged.data as z.infer<(typeof SETTINGS)[Name]['rule']>
  }
  const masterKey = read('MASTER_KEY')
  const workers = read('WORKERS')
  const addressSet = (name: string): string | undefined => {
    const given = environment[name]?.trim()
    if (!given) return undefined
    const judged = apiAddress.safeParse(given)
    if (!judged.success) mistakes.push(`${name} ${mistakeIn(apiAddress, judged.error)}`)
    return judged.data
  }
  const lookups = lookupAddresses(
    (place) => addressSet(lookupSetting(place)) ?? LOOKUP_PLACES[place].byDefault,
  )
  const witnessPolicy = read('WITNESS_POLICY')
  const chainNames = read('PUBLIC_CHAINS')
  const stellarNetwork = read('STELLAR_NETWORK')
  const homeHorizon = stellarNetwork === 'public' ? lookups.horizonPublic : lookups.horizonTestnet
  // Verifiers ask a witness on the network of the bundle's commitments.
  const usualSource: { readonly [Choice in SourceChoice]?: string } = {
    stellar: chainNames?.includes('stellar') ? homeHorizon : lookups.horizonPublic,
  }
  const config: Config = {
    workers,
    port: read('PORT'),
    host: read('HOST'),
    baseUrl: read('BASE_URL'),
    databaseUrl: read('DATABASE_URL'),
    listenDatabaseUrl: read('LISTEN_DATABASE_URL'),
    readDatabaseUrl: read('READ_DATABASE_URL'),
    databasePoolSize: isSet(environment.DATABASE_POOL_SIZE)
      ? read('DATABASE_POOL_SIZE')
      : Math.max(read('DATABASE_POOL_SIZE'), usualConnections(workers)),
    databasePrepares: read('DATABASE_PREPARED_STATEMENTS') === 'on',
    dataDir: resolve(root, read('DATA_DIR') ?? '.data'),
    masterKey: masterKey === undefined ? undefined : Buffer.from(masterKey, 'hex'),
    blockIntervalMs: read('BLOCK_INTERVAL'),
    logOrigin: read('LOG_ORIGIN'),
    signUpIsOpen: read('SIGN_UP') === 'open',
    stopDelayMs: read('STOP_DELAY'),
    maxBodyBytes: read('LIMIT_BODY_BYTES'),
    trustedProxies: read('TRUSTED_PROXIES'),
    limits: readNumbers(environment, LIMIT_SETTINGS.keys(), mistakes),
    ceilings: readCeilings(environment, mistakes),
    entropy: {
      sources: read('ENTROPY_SOURCES'),
      addresses: sourceAddresses(
        (choice) => addressSet(sourceSetting(choice)) ?? usualSource[choice] ?? SOURCES[choice].byDefault,
      ),
    },
    lookups,
    proofLayout: read('PROOF_LAYOUT'),
    trustedKeyrings: read('TRUSTED_KEYRINGS'),
    webhookAllowAddresses: read('WEBHOOK_ALLOW_ADDRESSES'),
    webhookDenyAddresses: read('WEBHOOK_DENY_ADDRESSES'),
    chains: {
      names: chainNames,
      intervals: {
        bitcoin: read('EPOCH_INTERVAL_BITCOIN'),
        stellar: read('EPOCH_INTERVAL_STELLAR'),
        embedded: read('EPOCH_INTERVAL_EMBEDDED'),
      },
      bitcoin: { rpcUrl: read('BITCOIN_RPC_URL'), confirmations: read('BITCOIN_CONFIRMATIONS') },
      stellar: {
        network: stellarNetwork,
        horizonUrl: read('STELLAR_HORIZON_URL') ?? homeHorizon,
        secret: read('STELLAR_SECRET'),
      },
    },
    logIsPublic: read('PUBLIC_LOG') === 'on',
    witnessPolicy: witnessPolicy === undefined ? undefined : resolve(root, witnessPolicy),
    metricsToken: read('METRICS_TOKEN'),
    logLevel: read('LOG_LEVEL'),
    traces: tracesOf(read),
  }
  if (config.databaseUrl !== undefined && !isSet(environment.MASTER_KEY))
    mistakes.push('MASTER_KEY is required with DATABASE_URL: 64 hex characters, the same on every server')
  if (workers > 1 && config.databasePoolSize < leastConnections(workers))
    mistakes.push(`DATABASE_POOL_SIZE must be at least ${leastConnections(workers)} with ${workers} WORKERS`)
  if (isPooled(config.databaseUrl ?? '') && config.listenDatabaseUrl === undefined)
    mistakes.push('LISTEN_DATABASE_URL is required with {purpose} in DATABASE_URL: past the pooler')
  if (config.readDatabaseUrl !== undefined && config.databaseUrl === undefined)
    mistakes.push('READ_DATABASE_URL needs DATABASE_URL: the embedded database has no replica')
  const { names, bitcoin, stellar } = config.chains
  if (names?.includes('bitcoin') && bitcoin.rpcUrl === undefined)
    mistakes.push('BITCOIN_RPC_URL is required when bitcoin is among PUBLIC_CHAINS')
  if (names?.includes('stellar') && stellar.secret === undefined)
    mistakes.push('STELLAR_SECRET is required when stellar is among PUBLIC_CHAINS')
  if (mistakes.length > 0) throw new ConfigError(mistakes)
  return Object.freeze(config)
}

const isSet = (given: string | undefined): boolean => given !== undefined && given.trim() !== ''

type Read = <Name extends keyof typeof SETTINGS>(name: Name) => z.infer<(typeof SETTINGS)[Name]['rule']>

function tracesOf(read: Read): TraceChoices | undefined {
  const choices = {
    headers: read('OTEL_EXPORTER_OTLP_HEADERS'),
    serviceName: read('OTEL_SERVICE_NAME'),
    resource: read('OTEL_RESOURCE_ATTRIBUTES'),
    sampler: read('OTEL_TRACES_SAMPLER'),
    ratio: read('OTEL_TRACES_SAMPLER_ARG'),
  }
  const endpoint = read('OTEL_EXPORTER_OTLP_ENDPOINT')
  return endpoint === undefined ? undefined : { endpoint, ...choices }
}

/** Settings that are whole numbers from 1, as far as they are set. */
function readNumbers<Name extends string>(
  environment: Readonly<Record<string, string | undefined>>,
  names: Iterable<Name>,
  mistakes: string[],
): Partial<Record<Name, number>> {
  const numbers: Partial<Record<Name, number>> = {}
  for (const name of names) {
    const given = environment[name]?.trim()
    if (!given) continue
    if (/^[1-9]\d{0,8}$/.test(given)) numbers[name] = Number(given)
    else mistakes.push(`${name} is not a whole number from 1`)
  }
  return numbers
}

function readCeilings(
  environment: Readonly<Record<string, string | undefined>>,
  mistakes: string[],
): Ceilings {
  const given = readNumbers(environment, CEILING_SETTINGS, mistakes)
  const chosen: { [Name in CeilingName]?: number } = {}
  for (const name of ceilingNames) {
    const number = given[CEILINGS[name].setting]
    if (number !== undefined) chosen[name] = number
  }
  return ceilings(chosen)
}

const CEILING_SETTINGS = ceilingNames.map((name) => CEILINGS[name].setting)

export class ConfigError extends Error {
  readonly mistakes: readonly string[]

  constructor(mistakes: readonly string[]) {
    super(`The configuration is wrong:\n${mistakes.map((text) => `  ${text}`).join('\n')}`)
    this.name = 'ConfigError'
    this.mistakes = mistakes
  }
}

export const SETTING_NAMES: readonly string[] = [
  ...Object.keys(SETTINGS),
  ...ADDRESS_SETTINGS.keys(),
  ...LIMIT_SETTINGS.keys(),
  ...CEILING_SETTINGS,
]

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

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '::1', '0.0.0.0', '::'])

/** Where no setting names it, it is the address that people on this machine can open. */
export const baseOf = ({ baseUrl, host, port }: Pick<Config, 'baseUrl' | 'host' | 'port'>): string =>
  baseUrl ?? `http://${LOOPBACK.has(host) ? 'localhost' : host}:${port}`
