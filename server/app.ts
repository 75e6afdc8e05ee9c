// The only file that knows every room: it puts them together with plain arguments and takes them apart again in order.
import { createServer } from 'node:http'
import { join } from 'node:path'
import Koa from 'koa'
import manifest from '../package.json' with { type: 'json' }
import type { LookupAddresses } from '../shared/proof/http_lookups.ts'
import { catalog } from './catalog/catalog.ts'
import { checkCatalog } from './catalog/check.ts'
import type { Services } from './catalog/context.ts'
import { startClockwork } from './clockwork.ts'
import { ACCOUNT_CHANNEL, createAccountCache } from './domain/accounts/account_cache.ts'
import { createBeaconFeed } from './domain/beacons/beacon_feed.ts'
import { createBeaconMemory } from './domain/beacons/beacon_memory.ts'
import { chainStandings } from './domain/commitments/chain_standings.ts'
import { type ChainChoices, openConfiguredChains } from './domain/commitments/chains/configured_chains.ts'
import type { SourceAt } from './domain/entropy/source.ts'
import { sourceStates } from './domain/entropy/source_state.ts'
import { BLOCK_CHANNEL } from './domain/ledger/insert_block.ts'
import { createSigner } from './domain/ledger/signer.ts'
import { readStanding } from './domain/ledger/standing.ts'
import { submitOnce } from './domain/ledger/submit_once.ts'
import { createSubmitter } from './domain/ledger/submitter.ts'
import type { LimitChoices } from './domain/limits/budgets.ts'
import { createLimits } from './domain/limits/limits.ts'
import { generateProof } from './domain/proofs/generate_proof.ts'
import { introducedKeys, keyringDocument } from './domain/proofs/own_keyring.ts'
import type { ProofLayout } from './domain/proofs/proof_request.ts'
import { openTrustedKeyrings } from './domain/proofs/trusted_keyrings.ts'
import { verifyProof } from './domain/proofs/verify_proof.ts'
import { createDeliveryFeed } from './domain/webhooks/delivery_feed.ts'
import { readGauges } from './gauges.ts'
import { addressKey } from './kernel/address_key.ts'
import { coalesce } from './kernel/coalesce.ts'
import { cursorCodec } from './kernel/keyset.ts'
import type { Log } from './kernel/log.ts'
import type { Metrics } from './kernel/metrics.ts'
import type { MasterKey } from './kernel/sealed.ts'
import { listen } from './store/listen.ts'
import type { Store } from './store/open_store.ts'
import { rows } from './store/rows.ts'
import { attachConsoleStream } from './surfaces/console/attach_console_stream.ts'
import { attachGraphqlStream, GRAPHQL_PATH } from './surfaces/graphql/attach_graphql_stream.ts'
import { buildGraphqlSchema } from './surfaces/graphql/build_schema.ts'
import { serveGraphql } from './surfaces/graphql/serve.ts'
import { openDoor } from './surfaces/http/charge_request.ts'
import { clientAddress } from './surfaces/http/client_address.ts'
import { consoleFiles } from './surfaces/http/console_files.ts'
import { cors } from './surfaces/http/cors.ts'
import { health } from './surfaces/http/health.ts'
import { closeServer, openServer } from './surfaces/http/http_server.ts'
import { serveKeyring } from './surfaces/http/keyring.ts'
import { countRequests, serveMetrics } from './surfaces/http/metrics.ts'
import { requestLog } from './surfaces/http/request_log.ts'
import { securityHeaders } from './surfaces/http/security_headers.ts'
import { refuseUnknownUpgrades, wantsWebSocket } from './surfaces/http/unknown_upgrade.ts'
import { routeTable } from './surfaces/jsonapi/routes.ts'
import { serveJsonApi } from './surfaces/jsonapi/serve.ts'
import { serveOpenApi } from './surfaces/openapi/serve_openapi.ts'
import { openWebhooks, type WebhookNetwork } from './webhooks.ts'

export interface AppOptions {
  readonly host: string
  /** 0 takes a free one. */
  readonly port: number
  readonly baseUrl: string | undefined
  readonly databaseUrl: string
  readonly listenDatabaseUrl: string
  readonly store: Store
  readonly masterKey: MasterKey
  readonly blockIntervalMs: number
  readonly maxBodyBytes: number
  readonly trustedProxies: Parameters<typeof clientAddress>[0]
  readonly limits: LimitChoices
  /** The public sources that are asked once a minute; none when empty. */
  readonly entropy: readonly SourceAt[]
  readonly chains: ChainChoices
  readonly webhooks: WebhookNetwork
  readonly metrics: Metrics
  readonly metricsToken: string | undefined
  /** Whom verifications ask. */
  readonly lookups: LookupAddresses
  /** Files and https addresses of keyrings whose keys count beside our own. */
  readonly trustedKeyrings: readonly string[]
  /** Of proofs whose request does not say. */
  readonly proofLayout: ProofLayout
  readonly log: Log
}

export interface App {
  /** The public origin, e.g. `http://localhost:4000`. */
  readonly base: string
  readonly close: () => Promise<void>
}

/** At most so many notices of new facts a second and server. */
const FACT_NOTICES_PER_SECOND = 20
const FACT_CHANNEL = 'pharos_fact'

/** How often it is noted which API keys were used. */
const NOTE_USE_MS = 30_000

/** A head younger than this is taken from memory while notices arrive. */
const HEAD_FRESH_MS = 5_000

/** The schema is up to date and genesis exists: see `prepare_ledger.ts`. Listens when this returns. */
export async function startApp(options: AppOptions): Promise<App> {
  const { store, log, masterKey, blockIntervalMs, maxBodyBytes, entropy, metrics } = options
  checkCatalog(catalog)
  const signer = createSigner({ masterKey })
  const cursors = cursorCodec(masterKey.derive('page cursors'))
  const accounts = createAccountCache({ em: store.em, connected: () => listener.connected() })

  const feed = createBeaconFeed({ em: store.em, log, connected: () => listener.connected() })
  const facts = coalesce(() => {
    rows(store.em(), 'SELECT pg_notify($1, $2)', [FACT_CHANNEL, '']).catch((err: unknown) =>
      log.warn({ err }, 'facts.notice_failed'),
    )
  }, 1_000 / FACT_NOTICES_PER_SECOND)
  const noteUse = () =>
    accounts.noteUse().catch((err: unknown) => log.warn({ err }, 'api_keys.use_not_noted'))
  const useTimer = setInterval(noteUse, NOTE_USE_MS)
  const limits = createLimits({ em: store.em, limits: options.limits, log })
  const addressOf = clientAddress(options.trustedProxies)
  const chains = await openConfiguredChains({ store, masterKey, log }, options.chains)
  const submitter = createSubmitter({ em: store.em, signer })
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
  const services: Services = {
    submitItem: async (draft) => {
      const item = await submitter.submit(draft)
      facts.poke()
      return item
    },
    submitItems: async (drafts, once) => {
      const results = await submitOnce({ em: store.em(), signer }, drafts, once)
      facts.poke()
      return results
    },
    announceFacts: facts.poke,
    forgetAccounts: accounts.clear,
    tenantOf: accounts.tenant,
    generateProof: (em, caller, { layout = options.proofLayout, ...request }) =>
      generateProof({ em, signer, charge: limits.charge, log }, caller, { ...request, layout }),
    verifyProof: (em, caller, request) =>
      verifyProof({ em, charge: limits.charge, trusted, addresses: options.lookups }, caller, request),
    beacons: createBeaconMemory(),
    webhooks: webhooks.services,
    knownHead: () => feed.headIfFresh(HEAD_FRESH_MS),
    knownNewest: () => feed.newestIfFresh(HEAD_FRESH_MS),
  }

  const server = createServer({
    requestTimeout: 60_000,
    headersTimeout: 20_000,
    keepAliveTimeout: 20_000,
    shouldUpgradeCallback: wantsWebSocket,
  })
  let base = options.baseUrl ?? ''
  const koa = new Koa()
  koa.silent = true
  koa.use(countRequests(metrics))
  koa.use(requestLog(log))
  koa.use(securityHeaders)
  koa.use(cors)
  koa.use(
    health(async () => {
      const { nowMs, head } = await readStanding({ em: store.em() })
      return {
        ready: true,
        database: 'ok',
        block_interval_ms: blockIntervalMs,
        head_height: head.height,
        head_age_ms: nowMs - head.timeMs,
        notices: listener.connected() ? 'arriving' : 'interrupted',
        entropy: await sourceStates({ em: store.em() }, entropy),
        chains: await chainStandings({ em: store.em() }, chains.all),
      }
    }),
  )
  koa.use(serveMetrics({ metrics, token: options.metricsToken, host: options.host, log }))
  koa.use(serveKeyring(async () => keyringDocument(await introducedKeys({ em: store.em() })), log))
  const authenticatedHouse = { store, services, maxBodyBytes, authenticate: accounts.authenticate }
  koa.use(serveOpenApi({ catalog, base: () => base, version: manifest.version }))
  koa.use(
    serveJsonApi(
      {
        ...authenticatedHouse,
        base: () => base,
        cursors,
        routes: routeTable(catalog),
        related: catalog.related,
        door: openDoor(limits, addressOf, 'jsonapi'),
      },
      log,
    ),
  )
  const deliveries = createDeliveryFeed({ em: store.em, log })
  const schema = buildGraphqlSchema({ catalog, cursors, beacons: feed, deliveries })
  koa.use(
    serveGraphql({
      ...authenticatedHouse,
      log,
      catalog,
      schema,
      door: openDoor(limits, addressOf, 'graphql'),
    }),
  )
  koa.use(await consoleFiles(join(import.meta.dirname, '..', 'console-web', 'dist')))
  koa.on('error', (err: Error & { headerSent?: boolean }) => {
    // After the head of an answer is out, an error is the client's leaving.
    log[err.headerSent === true ? 'debug' : 'error']({ err }, 'http.fault')
  })
  server.on('request', koa.callback())
  // Socket.IO takes over the request listeners it finds, so it comes last.
  const consoleStream = attachConsoleStream({
    httpServer: server,
    store,
    feed,
    authenticate: accounts.authenticate,
    chargeHandshake: async (request) => {
      const charge = await limits.charge('jsonapi_address', addressKey(addressOf(request)))
      return charge.allowed ? 0 : charge.retryAfterMs
    },
    log,
  })
  const graphqlStream = attachGraphqlStream({
    ...authenticatedHouse,
    httpServer: server,
    catalog,
    schema,
    chargeHandshake: async (request) => {
      const charge = await limits.charge('graphql_address', addressKey(addressOf(request)))
      return charge.allowed ? 0 : charge.retryAfterMs
    },
    charge: ({ userId }) => limits.charge('graphql_caller', userId),
    log,
  })
  refuseUnknownUpgrades(server, ['/socket.io/', GRAPHQL_PATH])
  // Until the clockwork runs there is nobody to tell.
  let pokeWebhooks = (): void => undefined
  const listener = listen({
    url: options.listenDatabaseUrl,
    channels: [BLOCK_CHANNEL, FACT_CHANNEL, ACCOUNT_CHANNEL],
    onNotice: (channel) => {
      if (channel === ACCOUNT_CHANNEL) return accounts.clear()
      if (channel === BLOCK_CHANNEL) void feed.refresh()
      consoleStream.facts.poke()
      deliveries.poke()
      pokeWebhooks()
    },
    onConnect: () => {
      accounts.clear()
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
    chains: chains.all,
    webhooks,
    announceFacts: facts.poke,
    metrics,
    log,
  })
  pokeWebhooks = clockwork.pokeWebhooks
  readGauges({
    em: store.em,
    metrics,
    entropy,
    streamConnections: () =>
      consoleStream.counters.connections_opened - consoleStream.counters.connections_ended,
  })

  const origin = await openServer(server, options.host, options.port)
  base = options.baseUrl ?? origin

  return Object.freeze({
    base,
    close: async () => {
      // Ways in first, then what works by the clock, then what both stand on.
      const closed = closeServer(server)
      await Promise.all([consoleStream.close(), graphqlStream.close()])
      await closed
      await clockwork.close()
      await chains.close()
      clearInterval(useTimer)
      await noteUse()
      facts.close()
      trusted.close()
      await limits.close()
      await deliveries.close()
      await feed.close()
      await listener.close()
    },
  })
}
