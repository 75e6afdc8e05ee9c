// Makes what a process of the service is started with from the configuration.
import type { AppOptions } from './app_options.ts'
import type { Config } from './config.ts'
import { SOURCES } from './domain/entropy/sources.ts'
import type { LogChoices } from './domain/log/prepare_log.ts'
import { openSignedMemory } from './domain/log/signed_memory.ts'
import { entities } from './entities.ts'
import { mostOpenFiles, withinOpenFiles } from './kernel/open_files.ts'
import { openListing } from './listing.ts'
import type { StoreOptions } from './store/open_store.ts'
import type { Half } from './store/purposes.ts'
import type { Replica } from './store/replica.ts'
import { originOf } from './surfaces/http/http_server.ts'

/** What the configuration does not know: opened by the caller. */
type Opened = Pick<
  AppOptions,
  | 'databaseUrl'
  | 'listenDatabaseUrl'
  | 'store'
  | 'masterKey'
  | 'metrics'
  | 'log'
  | 'siblings'
  | 'measureOthers'
  | 'replica'
  | 'embeddedNode'
  | 'databaseTrouble'
>

export const appOptions = (config: Config, opened: Opened): AppOptions => ({
  host: config.host,
  port: config.port,
  baseUrl: config.baseUrl,
  dataDir: config.dataDir,
  logIsPublic: config.logIsPublic,
  witnessPolicy: config.witnessPolicy,
  blockIntervalMs: config.blockIntervalMs,
  maxBodyBytes: config.maxBodyBytes,
  signUpIsOpen: config.signUpIsOpen,
  trustedProxies: config.trustedProxies,
  limits: config.limits,
  ceilings: withinOpenFiles(config.ceilings, mostOpenFiles()),
  entropy: config.entropy.sources.map((name) => ({
    source: SOURCES[name],
    address: config.entropy.addresses[name],
  })),
  chains: config.chains,
  webhooks: { allow: config.webhookAllowAddresses, deny: config.webhookDenyAddresses },
  metricsToken: config.metricsToken,
  lookups: config.lookups,
  trustedKeyrings: config.trustedKeyrings,
  proofLayout: config.proofLayout,
  ...opened,
})

/** Where the public address is not set, it is that of the port. */
export const baseOf = ({ baseUrl, host, port }: Config): string => baseUrl ?? originOf(host, port)

export const logChoices = (config: Config): LogChoices => ({
  origin: config.logOrigin ?? `${baseOf(config).replace(/^https?:\/\//, '')}/log`,
  memory: openSignedMemory(config.dataDir),
})

/** @param half of several processes; a single one does everything */
export const storeOptions = (
  { databasePoolSize, databasePrepares, workers }: Config,
  half: Exclude<Half, 'both'>,
): Pick<StoreOptions, 'poolSize' | 'prepares' | 'share'> => ({
  poolSize: databasePoolSize,
  prepares: databasePrepares,
  share: { half: workers === 1 ? 'both' : half, workers },
})

/** For the process that answers clients. Undefined without a replica. */
export const configuredReplica = async (
  config: Config,
  opened: Pick<AppOptions, 'store' | 'metrics' | 'log'>,
): Promise<Replica | undefined> =>
  config.readDatabaseUrl === undefined
    ? undefined
    : openListing({ ...opened, ...storeOptions(config, 'ways_in'), url: config.readDatabaseUrl, entities })
