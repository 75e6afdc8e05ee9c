// All ways in on one HTTP server: the request handlers in their order, and the two streams.
import { join } from 'node:path'
import Koa from 'koa'
import manifest from '../../package.json' with { type: 'json' }
import { clientAddress as clientAddressBehind } from '../admission/client_address.ts'
import { openAddressDoor, openDoor, openStampingDoor, refusalPace, requireRoom } from '../admission/door.ts'
import { watchLoopDelay } from '../admission/loop.ts'
import { boundConnections } from '../admission/places.ts'
import { createAdmission } from '../admission/turns.ts'
import { API_ROOT, catalog } from '../catalog/catalog.ts'
import { cursorCodec } from '../contract/keyset.ts'
import { openCatchUp } from '../domain/beacons/catch_up.ts'
import { introducedKeys, keyringDocument } from '../domain/proofs/keyrings.ts'
import { proofWaitWords } from '../domain/proofs/proof_request.ts'
import { allCertificates } from '../domain/time_stamps/certificates.ts'
import { receiverOff } from '../domain/webhooks/receiver/receiver_off.ts'
import { fewLines } from '../kernel/log.ts'
import { baseOf, isReachedFromHereAlone } from '../settings/read_settings.ts'
import { openAgentTools } from '../surfaces/agent/scripts/run_script.ts'
import { AGENT_PATH, serveAgent } from '../surfaces/agent/serve.ts'
import { rpcErrors } from '../surfaces/agent/tool.ts'
import { serveDocs } from '../surfaces/docs/serve_docs.ts'
import { serveCalendar } from '../surfaces/doors/calendar.ts'
import { serveStamp } from '../surfaces/doors/serve_stamp.ts'
import { serveTsa } from '../surfaces/doors/serve_tsa.ts'
import { openTokenEvidence } from '../surfaces/doors/token_evidence.ts'
import { buildGraphqlSchema } from '../surfaces/graphql/schema/build_schema.ts'
import { beaconSources } from '../surfaces/graphql/schema/subscriptions.ts'
import { graphqlErrors } from '../surfaces/graphql/schema/tell_errors.ts'
import { serveGraphql } from '../surfaces/graphql/serve.ts'
import { GRAPHQL_PATH } from '../surfaces/graphql/stream/attach_graphql_stream.ts'
import { answerErrors, answerRequest } from '../surfaces/http/answer_request.ts'
import { answerClientErrors } from '../surfaces/http/client_error.ts'
import { consoleFiles } from '../surfaces/http/console_files.ts'
import { errorDocument, JSON_API, requireHost } from '../surfaces/http/error_document.ts'
import { Drain } from '../surfaces/http/house.ts'
import { createHttpServer, inOrder, type OpenServer, openServer } from '../surfaces/http/http_server.ts'
import { health, serveKeyring, serveMetrics } from '../surfaces/http/operations.ts'
import { cors, securityHeaders } from '../surfaces/http/security_headers.ts'
import { routeTable } from '../surfaces/jsonapi/routes.ts'
import { serveJsonApi } from '../surfaces/jsonapi/serve.ts'
import { serveLog } from '../surfaces/log/serve_log.ts'
import { createFormTokens } from '../surfaces/oauth/form_guard.ts'
import { servePageFiles } from '../surfaces/oauth/pages/page.ts'
import { serveOauth } from '../surfaces/oauth/serve_oauth.ts'
import { serveOpenApi } from '../surfaces/openapi/serve_openapi.ts'
import { serveReceiver } from '../surfaces/receiver/serve_receiver.ts'
import type { AppOptions } from './app_options.ts'
import { attachStreams } from './attach_streams.ts'
import type { RequestServices } from './request_services.ts'

/** @param behind what stands behind the ways in */
export async function buildWaysIn(options: AppOptions, behind: RequestServices) {
  const { store, masterKey, maxBodyBytes, ceilings, trustedProxies, metrics, log } = options
  const { services, limits, feed, deliveryListeners } = behind
  const { authenticate } = behind.accounts
  const cursors = cursorCodec(masterKey.derive('page cursors'))
  /** Signs the cookies of browsers. */
  const cookieKey = masterKey.derive('browser cookies').toString('base64url')
  const clientAddress = clientAddressBehind(trustedProxies)
  const server = createHttpServer({ maxHeaderBytes: ceilings.header_bytes })
  answerClientErrors(server, { maxHeaderBytes: ceilings.header_bytes, maxBodyBytes, log })
  let base = options.baseUrl ?? ''
  let opened: OpenServer | undefined
  const drain = new Drain()
  const loop = watchLoopDelay()
  const admission = createAdmission({ ceilings, delayMs: loop.delayMs })
  const house = { base: () => base, store, services, authenticate, maxBodyBytes, drain, admission }
  const noteRefused = fewLines(log)
  boundConnections(server, {
    ceilings,
    trusted: trustedProxies,
    onRefused: ({ of, address }) => {
      metrics.count('pharos_connections_refused_total', { of })
      noteRefused({ of, address }, 'connection.refused')
    },
  })
  const beacons = openCatchUp({ em: () => store.em('read'), feed, log })
  const schema = buildGraphqlSchema({
    catalog,
    cursors,
    beacons: beaconSources(beacons),
    deliveries: behind.deliveries,
  })

  const koa = new Koa()
  koa.silent = true
  koa.keys = [cookieKey]
  const answerError = answerErrors(
    [
      { prefix: API_ROOT, contentType: JSON_API, body: (problems) => errorDocument(problems, '') },
      { prefix: GRAPHQL_PATH, body: graphqlErrors },
      { prefix: AGENT_PATH, body: rpcErrors },
    ],
    { base: () => base, log },
  )
  koa.use(answerRequest({ metrics, log, answerError }))
  koa.use(securityHeaders({ base: () => base, trusted: trustedProxies }))
  koa.use(cors)
  koa.use(requireHost)
  const pace = refusalPace({ perSecond: ceilings.refusals_per_second })
  const doors = { limits, pace, admission, clientAddress }
  const door = openDoor(doors, 'jsonapi')
  // The two that most requests are for come before the others, because each layer costs all requests that pass it. The
  // document lies among the paths of the first.
  koa.use(
    serveOpenApi({
      catalog,
      base: () => base,
      version: manifest.version,
      ceilings: { ...ceilings, body_bytes: maxBodyBytes },
      door,
    }),
  )
  koa.use(
    serveJsonApi(
      {
        ...house,
        cursors,
        routes: routeTable(catalog),
        related: catalog.related,
        door,
      },
      log,
    ),
  )
  const chargeOther = openAddressDoor(doors, 'other_address')
  const stamping = {
    ...{ ...house, ceilings, log, door: openStampingDoor(doors), chargeAddress: chargeOther },
    rounds: behind.rounds,
    proofs: behind.roundProofs,
  }
  koa.use(serveStamp({ ...stamping, isOpen: options.publicDoors.includes('stamp') }))
  koa.use(
    serveCalendar({
      ...stamping,
      isOpen: options.publicDoors.includes('calendar'),
      chains: options.chains.names,
      isLocal: isReachedFromHereAlone(options),
      standing: behind.bitcoinStanding,
      onInexpressible: (reason) => {
        metrics.count('pharos_calendar_inexpressible_total', {})
        noteRefused({ reason }, 'calendar.inexpressible')
      },
    }),
  )
  koa.use(
    serveTsa({
      ...stamping,
      ...behind.timeStamps,
      allCertificates: () => allCertificates(store.em('read')),
      evidence: openTokenEvidence({
        em: () => store.em('read'),
        proofs: behind.roundProofs,
        base: () => base,
      }),
    }),
  )
  koa.use(serveReceiver(house, receiverOff(options), door))
  koa.use(serveGraphql({ ...house, log, catalog, schema, door: openDoor(doors, 'graphql') }))
  koa.use(health(behind.readiness, () => drain.leaving()))
  koa.use(
    serveLog({
      source: behind.publicLog,
      isPublic: options.logIsPublic,
      authenticate,
      base: () => base,
      chargeAddress: openAddressDoor(doors, 'log_address'),
      chargeTile: openAddressDoor(doors, 'log_tiles'),
    }),
  )
  const toolHouse = { ...house, cursors, related: catalog.related, door, metrics, log }
  const agentTools = openAgentTools(toolHouse, catalog, limits, proofWaitWords(behind.slots))
  const { scripts } = agentTools
  koa.use(serveAgent({ ...toolHouse, ...agentTools, version: manifest.version }))
  const pages = { ...house, em: store.em, clientAddress, door, log }
  koa.use(
    serveOauth({
      ...pages,
      metrics,
      accounts: behind.accountDoor,
      formTokens: createFormTokens({ key: masterKey.derive('form tokens'), base: () => base }),
      getDocument: behind.getDocument,
      charge: limits.charge,
      forgetAccounts: behind.accounts.clear,
      cookieKey,
      /** Makes the refresh tokens that follow others. */
      refreshKey: masterKey.derive('refresh tokens'),
    }),
  )
  koa.use(await serveDocs({ ...pages, em: () => store.em('read'), charge: chargeOther }))
  // For everything that comes after it and has no budget of its own.
  koa.use(async (ctx, next) => {
    requireRoom(ctx, await chargeOther(ctx))
    await next()
  })
  koa.use(
    serveMetrics({
      ...{ metrics, token: options.metricsToken, host: options.host, log },
      others: options.measureOthers,
    }),
  )
  koa.use(serveKeyring(async () => keyringDocument(await introducedKeys(store.em('read')))))
  koa.use(await servePageFiles())
  koa.use(await consoleFiles(join(import.meta.dirname, '..', '..', 'console-web', 'dist'), options))
  koa.on('error', (err: Error & { headerSent?: boolean }) => {
    // After the headers were sent, an error usually means that the client left.
    log[err.headerSent === true ? 'debug' : 'error']({ err }, 'http.fault')
  })
  server.on('request', inOrder(koa.callback()))

  const { consoleStream, graphqlStream } = attachStreams(server, {
    ...{ ...house, catalog, schema, limits, ceilings, clientAddress, beacons, metrics, log },
    deliveryListeners,
    nameSession: options.siblings?.nameSession,
  })

  return Object.freeze({
    consoleStream,
    /** Looks whether the credentials of open connections still hold. Call it when an account may have changed. */
    checkCredentials: (): void => {
      consoleStream.credentials.poke()
      graphqlStream.credentials.poke()
    },
    /** The public origin. Empty until it is known. */
    base: (): string => base,
    /** Starts to listen and returns the public origin. */
    open: async (): Promise<string> => {
      opened = await openServer(server, options.host, options.port)
      await options.siblings?.attach(server)
      base = baseOf({ ...options, port: opened.port })
      return base
    },
    /** Readiness fails, and connections end with their next answer. Requests are still answered. */
    withdraw: (): void => {
      drain.leave()
      opened?.withdraw()
    },
    /** Running requests may finish. Streams get their closing message. */
    close: async (): Promise<void> => {
      drain.close()
      pace.close()
      const scriptsClosed = scripts.close()
      const closed = opened?.close(() => {
        drain.giveUp()
        scripts.end()
      })
      await Promise.all([consoleStream.close(), graphqlStream.close()])
      await Promise.all([closed, options.siblings?.close()])
      // Nobody waits for a script any more.
      scripts.end()
      await scriptsClosed
      loop.close()
      admission.close()
    },
  })
}
