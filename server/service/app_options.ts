// What a process of the service is started with: the settings, what its start opened, and a replica where there is one.
import type { AddressRanges } from '../kernel/addresses.ts'
import { mostOpenFiles, withinOpenFiles } from '../kernel/ceilings.ts'
import type { Log } from '../kernel/log.ts'
import type { Metrics, Snapshot } from '../kernel/metrics.ts'
import type { MasterKey } from '../kernel/sealed.ts'
import type { ResolveName } from '../outgoing/guard.ts'
import type { Config } from '../settings/read_settings.ts'
import { storeOptions } from '../start/open_database.ts'
import { openReplica, type Replica, type Store } from '../store/open_store.ts'
import type { SiblingSessions } from '../workers/sibling_sessions.ts'

/** How receivers of webhooks are reached. Tests and local trials say more of it than the settings do. */
export interface WebhookNetwork {
  /** Private addresses that webhooks may reach. None by default. */
  readonly allow: AddressRanges
  /** Addresses that nobody's webhooks may reach, beside those that are refused anyway. None by default. */
  readonly deny?: AddressRanges
  /** Trusted instead of the system's certificate authorities. */
  readonly ca?: string
  /** Asked instead of the name servers. */
  readonly resolve?: ResolveName
}

/** What the settings do not know: opened by the caller. */
interface Opened {
  readonly databaseUrl: string
  readonly listenDatabaseUrl: string
  /** Takes lists and counts. */
  readonly replica?: Replica | undefined
  readonly store: Store
  readonly masterKey: MasterKey
  readonly metrics: Metrics
  /** Why the embedded database is away at the moment. */
  readonly databaseTrouble?: () => string | undefined
  /** Beside other workers of the same start: keeps sessions of long polling together. */
  readonly siblings?: SiblingSessions
  /** The metrics of the other processes of the same start. */
  readonly measureOthers?: () => Promise<readonly Snapshot[]>
  /** The node of the development chain, where another process of the same start runs it. */
  readonly embeddedNode?: { readonly rpcUrl: string }
  readonly log: Log
}

/** The settings by the names that their table gives them. */
type Settled = Omit<Config, keyof Opened | 'dataDir' | 'webhooks'>

export interface AppOptions extends Settled, Opened {
  /** For files that this server keeps for itself and for commands beside it. It keeps none when absent. */
  readonly dataDir?: string | undefined
  readonly webhooks: WebhookNetwork
}

export const appOptions = (config: Config, opened: Opened): AppOptions => ({
  ...config,
  ceilings: withinOpenFiles(config.ceilings, mostOpenFiles()),
  ...opened,
})

/** For the process that answers clients. Undefined without a replica. */
export function configuredReplica(
  config: Config,
  { store, metrics, log }: Pick<Opened, 'store' | 'metrics' | 'log'>,
): Replica | undefined {
  if (config.readDatabaseUrl === undefined) return undefined
  const replica = openReplica({
    ...{ url: config.readDatabaseUrl, ...storeOptions(config, 'ways_in') },
    primary: () => store.em('watch'),
    onChange: ({ state, lagMs }, err) => {
      if (state === 'used') log.info({ lag_ms: lagMs }, 'replica.used')
      else log.warn({ state, lag_ms: lagMs, ...(err === undefined ? {} : { err }) }, 'replica.not_used')
    },
  })
  metrics.atScrape(() => {
    const { state, lagMs } = replica.standing()
    metrics.set('pharos_replica_used', {}, state === 'used' ? 1 : 0)
    if (lagMs === null) metrics.unset('pharos_replica_lag_seconds')
    else metrics.set('pharos_replica_lag_seconds', {}, lagMs / 1_000)
  })
  return replica
}
