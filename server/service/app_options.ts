// What a process of the service is started with: the settings, and what its start opened.
import type { LookupAddresses } from '../../shared/proof/lookups/lookup_places.ts'
import type { ChainChoices } from '../domain/commitments/chains/configured_chains.ts'
import type { SourceAt } from '../domain/entropy/source.ts'
import type { LimitChoices } from '../domain/limits/budgets.ts'
import type { ProofLayout } from '../domain/proofs/proof_request.ts'
import type { AddressRanges } from '../kernel/address_ranges.ts'
import { type Ceilings, mostOpenFiles, withinOpenFiles } from '../kernel/ceilings.ts'
import type { Log } from '../kernel/log.ts'
import type { Metrics, Snapshot } from '../kernel/metrics.ts'
import type { MasterKey } from '../kernel/sealed.ts'
import type { Config } from '../settings/read_settings.ts'
import type { Store } from '../store/open_store.ts'
import type { Replica } from '../store/replica.ts'
import type { SiblingSessions } from '../workers/sibling_sessions.ts'
import type { WebhookNetwork } from './webhooks.ts'

export interface AppOptions {
  readonly host: string
  /** 0 takes a free port. */
  readonly port: number
  readonly baseUrl: string | undefined
  readonly databaseUrl: string
  readonly listenDatabaseUrl: string
  /** Takes lists and counts. */
  readonly replica?: Replica | undefined
  readonly store: Store
  readonly masterKey: MasterKey
  /** For files that this server keeps for itself and for commands beside it. It keeps none when absent. */
  readonly dataDir?: string
  /** Anybody may read the public log. */
  readonly logIsPublic: boolean
  /** A file. Undefined when no witness is asked. */
  readonly witnessPolicy: string | undefined
  readonly blockIntervalMs: number
  readonly maxBodyBytes: number
  /** People may make accounts without an invitation. */
  readonly signUpIsOpen: boolean
  readonly trustedProxies: AddressRanges
  readonly limits: LimitChoices
  readonly ceilings: Ceilings
  /** The public sources that are asked once a minute. None when empty. */
  readonly entropy: readonly SourceAt[]
  readonly chains: ChainChoices
  readonly webhooks: WebhookNetwork
  readonly metrics: Metrics
  readonly metricsToken: string | undefined
  /** The services that verifications ask. */
  readonly lookups: LookupAddresses
  /** Files and https addresses of keyrings that count beside our own keys. */
  readonly trustedKeyrings: readonly string[]
  /** The layout of proofs whose request names none. */
  readonly proofLayout: ProofLayout
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
  entropy: config.entropy,
  chains: config.chains,
  webhooks: config.webhooks,
  metricsToken: config.metricsToken,
  lookups: config.lookups,
  trustedKeyrings: config.trustedKeyrings,
  proofLayout: config.proofLayout,
  ...opened,
})
