// The real service on a cloned database: HTTP for the tests, and a few direct ways into the service.
import { pino } from 'pino'
import { createAccount } from '../../server/domain/accounts/account_door.ts'
import { createApiKey } from '../../server/domain/accounts/api_key.ts'
import { finalizeBlock } from '../../server/domain/ledger/finalize_block.ts'
import { createSigner } from '../../server/domain/ledger/signing_key.ts'
import { addressRanges } from '../../server/kernel/addresses.ts'
import { type Ceilings, ceilings } from '../../server/kernel/ceilings.ts'
import { newUuid7 } from '../../server/kernel/identifiers.ts'
import { createMetrics } from '../../server/kernel/metrics.ts'
import { requestFields } from '../../server/kernel/request_scope.ts'
import { type MasterKey, masterKey } from '../../server/kernel/sealed.ts'
import type { AppOptions } from '../../server/service/app_options.ts'
import { type App, startApp } from '../../server/service/start_service.ts'
import { readConfig } from '../../server/settings/read_settings.ts'
import { openStore, type Store } from '../../server/store/open_store.ts'
import { lookupAddresses } from '../../shared/proof/lookups/lookup.ts'
import { blockLog } from './block_log.ts'
import { cloneDatabase, type TestDatabase } from './database.ts'
import { freePort } from './free_port.ts'
import { TEST_MASTER_KEY } from './master_key.ts'
import { NO_BLOCKS_MS } from './no_blocks.ts'

export interface TestAccount {
  readonly userId: string
  readonly teamId: string
  /** The API key of the account. */
  readonly key: string
}

export interface TestApp {
  /** The base address that the service uses in links. */
  readonly base: string
  readonly port: number
  readonly database: TestDatabase
  readonly store: Store
  readonly masterKey: MasterKey
  /** An enterprise account, created before the start. */
  readonly owner: TestAccount
  /** Every line logged so far. */
  readonly logged: readonly LogLine[]
  readonly account: (name: string) => Promise<TestAccount>
  readonly apiKey: (
    key: Omit<Parameters<typeof createApiKey>[1], 'name'>,
  ) => Promise<{ id: string; secret: string }>
  readonly join: (teamId: string, userId: string, role: string) => Promise<void>
  /** A team that is not a personal one, with its owner. */
  readonly team: (owner: TestAccount, ownershipModel?: string) => Promise<string>
  /** Makes this many blocks at once, at any time. */
  readonly finalize: (count?: number) => Promise<void>
  readonly query: <Row>(text: string, parameters?: readonly unknown[]) => Promise<Row[]>
  /** The first step of a stop: readiness fails, but requests are still answered. */
  readonly withdraw: () => void
  /** Stops only the service. Everything else that the test opened stays open. */
  readonly stop: () => Promise<void>
  readonly close: () => Promise<void>
}

export type LogLine = Readonly<Record<string, unknown>> & { readonly msg?: string; readonly level?: string }

const ENOUGH = 1_000_000

/** Database connections of a service. */
export const POOL_SIZE = 20

/** Every budget is larger than a test can use. */
export const AMPLE = {
  LIMIT_CALLER_PER_MINUTE: ENOUGH,
  LIMIT_CALLER_WORK_PER_MINUTE: ENOUGH,
  LIMIT_ADDRESS_PER_MINUTE: ENOUGH,
  LIMIT_LOG_TILES_PER_MINUTE: ENOUGH,
  LIMIT_AGGREGATION_PER_MINUTE: ENOUGH,
  LIMIT_PROOF_GENERATE_PER_MINUTE: ENOUGH,
  LIMIT_PROOF_GENERATE_FLEET_PER_MINUTE: ENOUGH,
  LIMIT_PROOF_VERIFY_PER_MINUTE: ENOUGH,
  LIMIT_PROOF_VERIFY_EXTERNAL_FLEET_PER_MINUTE: ENOUGH,
  LIMIT_SIGN_IN_ADDRESS_PER_MINUTE: ENOUGH,
  LIMIT_SIGN_IN_ACCOUNT_PER_MINUTE: ENOUGH,
  LIMIT_SIGN_UP_PER_MINUTE: ENOUGH,
  LIMIT_SCRIPT_CPU_MS_PER_MINUTE: ENOUGH,
} as const

/** Verifications in tests ask no outside service, because nothing listens on port 1. */
const NOBODY = lookupAddresses(() => 'http://127.0.0.1:1')

/** Nothing is committed to a chain. If a test adds a name, the service commits to that chain continuously. */
export const NO_CHAINS: AppOptions['chains'] = {
  names: [],
  intervals: { bitcoin: 1_000, stellar: 1_000, embedded: 1_000 },
  bitcoin: { rpcUrl: undefined, confirmations: 1 },
  stellar: { network: 'testnet', horizonUrl: 'http://127.0.0.1:1', secret: undefined },
}

export type TestAppOptions = Partial<
  Pick<
    AppOptions,
    | 'port'
    | 'signUpIsOpen'
    | 'baseUrl'
    | 'blockIntervalMs'
    | 'maxBodyBytes'
    | 'limits'
    | 'trustedProxies'
    | 'host'
    | 'entropy'
    | 'chains'
    | 'webhooks'
    | 'metricsToken'
    | 'lookups'
    | 'trustedKeyrings'
    | 'proofLayout'
    | 'dataDir'
    | 'logIsPublic'
    | 'publicDoors'
    | 'aggregationIntervalMs'
    | 'tsa'
    | 'witnessPolicy'
  >
> & {
  /** Ceilings that differ from the defaults. */
  readonly ceilings?: Partial<Ceilings>
  /** Starts another server on the same database. */
  readonly beside?: TestApp
  /** Changes the address that the service itself uses for the database, such as to a proxy. */
  readonly through?: (url: string) => string
}

export async function openTestApp({
  beside,
  through = (url) => url,
  ceilings: chosen,
  ...options
}: TestAppOptions = {}): Promise<TestApp> {
  const database = beside?.database ?? (await cloneDatabase())
  const url = through(database.url)
  const store = openStore({ url, poolSize: POOL_SIZE })
  const key = masterKey(TEST_MASTER_KEY)
  const signer = createSigner({ masterKey: key })
  const publicLog = blockLog(key)
  const logged: LogLine[] = []
  const log = pino(
    { level: 'debug', base: null, mixin: requestFields, formatters: { level: (level) => ({ level }) } },
    {
      write: (line: string) => void logged.push(JSON.parse(line)),
    },
  )
  const { query } = database

  const account = async (name: string): Promise<TestAccount> => {
    const made = await createAccount(store.em(), {
      email: `${name}@example.com`,
      firstName: name,
      plan: 'enterprise',
    })
    const { secret } = await createApiKey(store.em(), { userId: made.userId, name: 'test' })
    return { ...made, key: secret }
  }
  const owner = beside?.owner ?? (await account('ada'))
  const port = options.port ?? (options.baseUrl === undefined ? 0 : await freePort())
  const app: App = await startApp({
    // As it is without settings, but for what follows.
    ...readConfig({}, import.meta.dirname),
    host: '127.0.0.1',
    dataDir: undefined,
    databaseUrl: url,
    listenDatabaseUrl: url,
    store,
    masterKey: key,
    blockIntervalMs: NO_BLOCKS_MS,
    // Tests that are not about budgets must never reach one.
    limits: AMPLE,
    // The loop of a test machine is often late, so only the tests about lateness set this ceiling.
    ceilings: ceilings({ loop_delay_ms: ENOUGH, ...chosen }),
    // No outside service is asked.
    entropy: [],
    chains: NO_CHAINS,
    metrics: createMetrics(),
    lookups: NOBODY,
    log,
    ...options,
    // No name server is asked either.
    webhooks: { allow: addressRanges(''), resolve: async () => [], ...options.webhooks },
    port,
  })
  let stopped: Promise<void> | undefined
  const stop = (): Promise<void> => {
    stopped ??= app.close()
    return stopped
  }
  const join = async (teamId: string, userId: string, role: string): Promise<void> => {
    await query('INSERT INTO memberships (id, team_id, user_id, role) VALUES ($1, $2, $3, $4)', [
      newUuid7(),
      teamId,
      userId,
      role,
    ])
  }
  return {
    base: app.base,
    port: port === 0 ? Number(new URL(app.base).port) : port,
    database,
    store,
    masterKey: key,
    owner,
    logged,
    account,
    apiKey: (fresh) => createApiKey(store.em(), { ...fresh, name: 'another' }),
    join,
    team: async ({ userId }, ownershipModel = 'creator_retains') => {
      const id = newUuid7()
      await query('INSERT INTO teams (id, name, ownership_model) VALUES ($1, $2, $3)', [
        id,
        'A team',
        ownershipModel,
      ])
      await join(id, userId, 'owner')
      return id
    },
    finalize: async (count = 1) => {
      for (let made = 0; made < count; ) {
        const { outcome } = await finalizeBlock({ em: store.em(), signer, publicLog }, { intervalMs: 1 })
        if (outcome === 'finalized') made += 1
      }
    },
    query,
    withdraw: app.withdraw,
    stop,
    close: async () => {
      await stop()
      await store.close()
      if (beside === undefined) await database.drop()
    },
  }
}
