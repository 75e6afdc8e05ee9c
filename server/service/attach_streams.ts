// Attaches the two streams to the HTTP server: the console's Socket.IO and GraphQL over WebSocket, behind one count of
// places.
import type { Server } from 'node:http'
import type { ClientAddress } from '../admission/client_address.ts'
import { openStreamDoor, socketPlaces } from '../admission/places.ts'
import type { Limits } from '../domain/limits/limits.ts'
import { addressKey } from '../kernel/addresses.ts'
import type { Ceilings } from '../kernel/ceilings.ts'
import { fewLines } from '../kernel/log.ts'
import type { Metrics } from '../kernel/metrics.ts'
import { attachConsoleStream, type ConsoleStreamParts } from '../surfaces/console/attach_console_stream.ts'
import { COUNTED_EVENTS, type CountEvent } from '../surfaces/console/session.ts'
import {
  attachGraphqlStream,
  GRAPHQL_PATH,
  type GraphqlStreamParts,
} from '../surfaces/graphql/stream/attach_graphql_stream.ts'
import { refuseUnknownUpgrades } from '../surfaces/http/http_server.ts'
import { countCredentials } from '../surfaces/http/identify.ts'

type Own = 'httpServer' | 'door' | 'count' | 'timing' | 'charge'

interface StreamParts extends Omit<ConsoleStreamParts, Own>, Omit<GraphqlStreamParts, Own> {
  readonly limits: Limits
  readonly ceilings: Ceilings
  readonly clientAddress: ClientAddress
  readonly metrics: Metrics
}

/** Socket.IO wraps the request listeners that exist already, so this comes after them. */
export function attachStreams(httpServer: Server, parts: StreamParts) {
  const { limits, ceilings, clientAddress, metrics, authenticate } = parts
  const places = socketPlaces({ server: ceilings.sockets, address: ceilings.sockets_per_address })
  const note = fewLines(parts.log)
  const doorOf = (stream: 'console' | 'graphql', surface: 'jsonapi' | 'graphql') =>
    openStreamDoor({
      addressOf: (request) => addressKey(clientAddress(request)),
      charge: (address) => limits.charge(`${surface}_address`, address),
      ...{ places, log: parts.log },
      onRefused: ({ code, address }) => {
        metrics.count('pharos_stream_refusals_total', { stream, code })
        note({ stream, code, address }, 'stream.refused')
      },
    })
  const count: CountEvent = (event, by) => metrics.count('pharos_console_stream_events_total', { event }, by)
  // Each is shown before it happens, so that its first time is seen as a change.
  for (const event of COUNTED_EVENTS) count(event, 0)
  const consoleStream = attachConsoleStream({
    ...parts,
    httpServer,
    count,
    authenticate: countCredentials(metrics, 'console', authenticate),
    door: doorOf('console', 'jsonapi'),
  })
  const graphqlStream = attachGraphqlStream({
    ...parts,
    httpServer,
    authenticate: countCredentials(metrics, 'graphql', authenticate),
    door: doorOf('graphql', 'graphql'),
    charge: ({ userId }) => limits.charge('graphql_caller', userId),
  })
  metrics.atScrape(() => {
    metrics.set('pharos_stream_connections', { stream: 'console' }, consoleStream.sessions())
    metrics.set('pharos_stream_connections', { stream: 'graphql' }, graphqlStream.connections())
  })
  refuseUnknownUpgrades(httpServer, ['/socket.io/', GRAPHQL_PATH])
  return { consoleStream, graphqlStream }
}
