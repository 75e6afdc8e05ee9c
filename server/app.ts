// The only file that imports every room. It connects them with plain arguments and closes them again in order.

import { sql } from 'kysely'
import type { LookupAddresses } from '../shared/proof/lookups/lookup_places.ts'
import { catalog } from './catalog/catalog.ts'
import { checkCatalog } from './catalog/check.ts'
import type { Services } from './catalog/context.ts'
import { startClockwork } from './clockwork.ts'
import { openExpensiveReads } from './contract/expensive_reads.ts'
import { startDevchain } from './devchain/start_devchain.ts'
import { ACCOUNT_CHANNEL, createAccountCache } from './domain/accounts/account_cache.ts'
import { openAccountDoor } from './domain/accounts/account_door.ts'
import { createAllowances } from './domain/accounts/daily_allowance.ts'
import { createBeaconFeed } from './domain/beacons/beacon_feed.ts'
import { createBeaconMemory } from './domain/beacons/beacon_memory.ts'
import { type ChainChoices, openConfiguredChains } from './domain/commitments/chains/configured_chains.ts'
import type { SourceAt } from './domain/entropy/source.ts'
import { BLOCK_CHANNEL } from './domain/ledger/insert_block.ts'
import { createSigner } from './domain/ledger/signer.ts'
import { submitOnce } from './domain/ledger/submit_once.ts'
import { createSubmitter } from './domain/ledger/submitter.ts'
import { chargeAttempts } from './domain/limits/attempts.ts'
import type { LimitChoices } from './domain/limits/budgets.ts'
import { createLimits } from './domain/limits/limits.ts'
import { generateProof } from './domain/proofs/generate_proof.ts'
import type { ProofLayout } from './domain/proofs/proof_request.ts'
import { openTrustedKeyrings } from './domain/proofs/trusted_keyrings.ts'
import { verifyProof } from './domain/proofs/verify_proof.ts'
import { createDeliveryFeed } from './domain/webhooks/delivery_feed.ts'
import { getPinned } from './domain/webhooks/get_pinned.ts'
import { readGauges } from './gauges.ts'
import { watchHead } from './head_watch.ts'
import type { Ceilings } from './kernel/ceilings.ts'
import { coalesce } from './kernel/coalesce.ts'
import { cursorCodec } from './kernel/keyset.ts'
import type { Log } from './kernel/log.ts'
import type { Metrics } from './kernel/metrics.ts'
import { repeat } from './kernel/repeat.ts'
import type { MasterKey } from './kernel/sealed.ts'
import { readReadiness } from './readiness.ts'
import { listen } from './store/listen.ts'
import type { Store } from './store/open_store.ts'
import { change } from './store/run.ts'
import { command } from './store/statement.ts'
import { clientAddress } from './surfaces/http/client_address.ts'
import { buildWaysIn } from './ways_in.ts'
import { openWebhooks, type WebhookNetwork } from './webhooks.ts'

export interface AppOptions {
  readonly host: string
  /** 0 takes a free port. */
  readonly port: number
  readonly baseUrl: string | undefined
  readonly databaseUrl: string
  readonly listenDatabaseUrl: string
  readonly store: Store
  readonly masterKey: MasterKey
  readonly blockIntervalMs: number
  readonly maxBodyBytes: number
  /** People may make accounts without an invitation. */
  readonly signUpIsOpen: boolean
  readonly trustedProxies: Parameters<typeof clientAddress>[0]
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
  readonly log: Log
}

export interface App {
  /** The public origin, e.g. `http://localhost:4000`. */
  readonly base: string
  /**
   * The first step of a stop: `/health/ready` fails, so that load balancers route elsewhere. Requests are still
   * answered.
   */
  readonly withdraw: () => void
  readonly close: () => Promise<void>
}

/** At most this many notices of new facts per second and server. */
const FACT_NOTICES_PER_SECOND = 20
const FACT_CHANNEL = 'pharos_fact'

/** How often the use of credentials is written to the database. */
const NOTE_USE_MS = 30_000

/** A head younger than this is taken from memory while notices arrive. */
const HEAD_FRESH_MS = 5_000

/**
 * The schema must be up to date and genesis must exist: see `prepare_ledger.ts`. The server listens when this
 * returns.
 */
export async function startApp(options: AppOptions): Promise<App> {
  const { store, log, masterKey, blockIntervalMs, entropy, metrics } = options
  checkCatalog(catalog)
  const watch = () => store.em('watch')
  const signer = createSigner({ masterKey })
  const accounts = createAccountCache({ em: () => store.em('read'), connected: () => listener.connected() })

  const feed = createBeaconFeed({ em: watch, log, connected: () => listener.connected() })
  const facts = coalesce(() => {
    change(watch(), NEWS_OF_FACTS).catch((err: unknown) => log.warn({ err }, 'facts.notice_failed'))
  }, 1_000 / FACT_NOTICES_PER_SECOND)
  const useNotNoted = (err: unknown) => log.warn({ err }, 'accounts.use_not_noted')
  const noting = repeat({ everyMs: NOTE_USE_MS, onError: useNotNoted, run: accounts.noteUse })
  const limits = createLimits({ em: watch, limits: options.limits, log })
  const accountDoor = openAccountDoor({
    em: () => store.em('write'),
    attempt: chargeAttempts(limits),
    ceilings: options.ceilings,
    signUpIsOpen: options.signUpIsOpen,
    forgetAccounts: accounts.clear,
    log,
  })
  const devchain = options.chains.names.includes('embedded')
    ? await startDevchain({ store, masterKey, log })
    : undefined
  const chains = await openConfiguredChains({ log, nodes: { embedded: devchain } }, options.chains)
  const allowances = createAllowances({ em: () => store.em('write'), log })
  const submitter = createSubmitter({ em: () => store.em('write'), signer, allowances })
  const trusted = await openTrustedKeyrings({ sources: options.trustedKeyrings, log })
  const webhooks = openWebhooks({
    store,
    masterKey,
    network: options.webhooks,
    metrics,
    announceFacts: facts.poke,
    chargeSample: (userId) => limits.charge('webhook_test', userId),
    log,
  })
  const headWatch = watchHead({ intervalMs: blockIntervalMs, log })
  const beacons = createBeaconMemory()
  feed.onReplaced(() => {
    beacons.forget()
    metrics.count('pharos_chain_replaced_total', {})
  })
  const services: Services = {
    base: () => waysIn.base(),
    submitItem: async (draft, plan) => {
      const item = await submitter.submit(draft, plan)
      facts.poke()
      return item
    },
    submitItems: async (by, drafts, once) => {
      const results = await submitOnce({ em: store.em('write'), signer }, by, drafts, once)
      facts.poke()
      return results
    },
    announceFacts: facts.poke,
    forgetAccounts: accounts.clear,
    changePassword: accountDoor.changePassword,
    tenantOf: accounts.tenant,
    generateProof: (em, caller, { layout = options.proofLayout, ...request }) =>
      generateProof({ em, signer, charge: limits.charge, log }, caller, { ...request, layout }),
    verifyProof: (em, caller, request, waiting) =>
      verifyProof(
        { em, charge: limits.charge, trusted, addresses: options.lookups },
        caller,
        request,
        waiting,
      ),
    beacons,
    ceilings: options.ceilings,
    expensiveReads: openExpensiveReads({
      em: () => store.em('expensive'),
      connections: store.connections('expensive'),
      ceilings: options.ceilings,
    }),
    webhooks: webhooks.services,
    knownHead: () => feed.headIfFresh(HEAD_FRESH_MS),
    knownNewest: () => feed.newestIfFresh(HEAD_FRESH_MS),
  }

  const deliveries = createDeliveryFeed({ em: watch, log })
  const waysIn = await buildWaysIn({
    host: options.host,
    port: options.port,
    baseUrl: options.baseUrl,
    maxBodyBytes: options.maxBodyBytes,
    ceilings: options.ceilings,
    store,
    services,
    authenticate: accounts.authenticate,
    accountDoor,
    cursors: cursorCodec(masterKey.derive('page cursors')),
    limits,
    cookieKey: masterKey.derive('browser cookies').toString('base64url'),
    formKey: masterKey.derive('form tokens'),
    getDocument: getPinned({ ...options.webhooks, guard: webhooks.tools.guard }),
    clientAddress: clientAddress(options.trustedProxies),
    trustedProxies: options.trustedProxies,
    feed,
    deliveries,
    readiness: () =>
      readReadiness({
        em: watch,
        blockIntervalMs,
        entropy,
        chains,
        notices: listener.connected,
        headWatch,
        feed,
      }),
    metrics,
    metricsToken: options.metricsToken,
    log,
  })
  const { consoleStream } = waysIn

  // Before the clockwork runs there is nothing to notify.
  let pokeWebhooks = (): void => undefined
  const listener = listen({
    url: options.listenDatabaseUrl,
    channels: [BLOCK_CHANNEL, FACT_CHANNEL, ACCOUNT_CHANNEL],
    onNotice: (channel) => {
      if (channel === ACCOUNT_CHANNEL) {
        accounts.clear()
        return waysIn.checkCredentials()
      }
      if (channel === BLOCK_CHANNEL) void feed.refresh()
      consoleStream.facts.poke()
      deliveries.poke()
      pokeWebhooks()
    },
    onConnect: () => {
      accounts.clear()
      waysIn.checkCredentials()
      void feed.refresh()
      consoleStream.facts.poke()
    },
    onLost: (err) => log.warn({ err }, 'listen.lost'),
  })
  await feed.start()

  const clockwork = await startClockwork({
    store,
    signer,
    queueUrl: options.listenDatabaseUrl,
    blockIntervalMs,
    entropy,
    chains,
    webhooks,
    announceFacts: facts.poke,
    seeHead: headWatch.see,
    metrics,
    log,
  })
  pokeWebhooks = clockwork.pokeWebhooks
  readGauges({
    em: () => store.em('read'),
    metrics,
    entropy,
    streamConnections: () =>
      consoleStream.counters.connections_opened - consoleStream.counters.connections_ended,
  })

  return Object.freeze({
    base: await waysIn.open(),
    withdraw: waysIn.withdraw,
    close: async () => {
      // Closes the ways in first, then the clockwork, then what both use.
      await waysIn.close()
      await clockwork.close()
      await devchain?.close()
      await noting.stop()
      await accounts.noteUse().catch(useNotNoted)
      facts.close()
      trusted.close()
      await limits.close()
      await deliveries.close()
      await feed.close()
      await listener.close()
    },
  })
}

const NEWS_OF_FACTS = command(sql`SELECT pg_notify(${sql.lit(FACT_CHANNEL)}, '')`)
