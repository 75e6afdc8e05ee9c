// Attaches GraphQL subscriptions over WebSocket at /gql to the given HTTP server.
import type { Server as HttpServer, IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { handleProtocols } from 'graphql-ws'
import { type WebSocket, WebSocketServer } from 'ws'
import type { StreamDoor } from '../../../admission/places.ts'
import { validCredentials } from '../../../domain/accounts/caller.ts'
import { repeat } from '../../../kernel/flow/repeat.ts'
import type { Refusal } from '../../../kernel/refusal.ts'
import { isDatabaseUnavailable } from '../../../store/database_errors.ts'
import { callerFields } from '../../http/identify.ts'
import {
  CLOSE,
  STREAM_LIMITS,
  STREAM_TIMING,
  StreamConnection,
  type StreamHouse,
  type StreamTiming,
  streamProtocol,
} from './stream_connection.ts'

export interface GraphqlStreamParts extends StreamHouse {
  readonly httpServer: HttpServer
  readonly door: StreamDoor
  /** For tests: shortens durations that are too long to wait for. */
  readonly timing?: Partial<StreamTiming>
}

export const GRAPHQL_PATH = '/gql'

/** Takes WebSocket upgrades at /gql. Upgrades of other paths are left to other listeners. */
export function attachGraphqlStream(parts: GraphqlStreamParts) {
  const { httpServer, door, log } = parts
  const timing: StreamTiming = { ...STREAM_TIMING, ...parts.timing }
  const protocol = streamProtocol({ ...parts, onRefused: door.refused }, timing)
  const connections = new Set<StreamConnection>()
  let closing = false
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: STREAM_LIMITS.message_bytes,
    perMessageDeflate: false,
    handleProtocols,
  })

  const open = (socket: WebSocket, request: IncomingMessage): void => {
    const connection = new StreamConnection(socket, request, door.enter(request), timing)
    connections.add(connection)
    // An invalid frame ends the connection. Nothing more can be done about it.
    socket.on('error', (err) => log.debug({ err }, 'graphql_stream.socket_failed'))
    socket.on('pong', () => {
      connection.answers = true
      connection.isTooMuch()
    })
    // Each ping gets an answer, so each counts.
    socket.on('ping', () => connection.isTooMuch())
    const closed = protocol.opened(
      {
        protocol: socket.protocol,
        send: (text) => connection.send(text),
        close: (code = CLOSE.internal, why = '') => connection.end(code, why),
        onMessage: (take) => {
          socket.on('message', (data) => {
            if (connection.isTooMuch()) return
            take(String(data)).catch((err: unknown) => failed(connection, err))
          })
        },
      },
      connection,
    )
    socket.once('close', (code, why) => {
      connections.delete(connection)
      connection.place.leave()
      if (connection.caller !== undefined) log.info(endOf(connection, code), 'graphql_stream.ended')
      closed(code, String(why)).catch((err: unknown) => log.error({ err }, 'graphql_stream.close_failed'))
    })
  }

  const failed = (connection: StreamConnection, err: unknown): void => {
    const away = isDatabaseUnavailable(err)
    log[away ? 'warn' : 'error']({ err }, 'graphql_stream.fault')
    if (away) connection.end(CLOSE.tryAgainLater, 'Try again later')
    else connection.end(CLOSE.internal, 'Internal server error')
  }

  const upgrade = async (request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    if (pathOf(request) !== GRAPHQL_PATH) return
    const entrance = await door.letIn(request, () => closing)
    if (entrance === 'answered') return
    sockets.handleUpgrade(request, socket, head, (one) => {
      if (entrance === 'enters') open(one, request)
      else turnAway(one, request, entrance)
    })
  }
  const turnAway = (socket: WebSocket, request: IncomingMessage, refusal: Refusal): void => {
    const place = door.hear()
    socket.on('error', (err) => log.debug({ err }, 'graphql_stream.socket_failed'))
    socket.once('close', place.leave)
    new StreamConnection(socket, request, place, timing).refuse(refusal)
  }
  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    upgrade(request, socket, head).catch((err: unknown) => {
      log.error({ err }, 'graphql_stream.upgrade_failed')
      socket.destroy()
    })
  }
  httpServer.on('upgrade', onUpgrade)

  const sweep = setInterval(() => {
    for (const connection of connections) connection.sweep()
  }, timing.sweep)
  const ping = setInterval(() => {
    for (const connection of connections) connection.ping()
  }, timing.ping)
  const watch = repeat({
    everyMs: timing.credentials,
    onError: (err) => log.warn({ err }, 'graphql_stream.credential_watch_failed'),
    run: () => endRevoked(parts, connections),
  })

  return Object.freeze({
    connections: () => connections.size,
    /** Call `poke` after every notice that a credential or an account may have changed. */
    credentials: Object.freeze({ poke: () => watch.poke(timing.credentialsNotice) }),
    /**
     * Ends every connection in a way that makes clients reconnect, possibly to another server. The
     * HTTP server keeps running.
     */
    close: async () => {
      closing = true
      for (const timer of [sweep, ping]) clearInterval(timer)
      const gone = [...connections].map(
        ({ socket }) => new Promise<void>((resolve) => void socket.once('close', () => resolve())),
      )
      for (const connection of connections) connection.end(CLOSE.goingAway, 'This server is stopping')
      await Promise.all([...gone, watch.stop()])
      httpServer.off('upgrade', onUpgrade)
    },
  })
}

const endOf = ({ caller, openedAt }: StreamConnection, code: number) => ({
  code,
  ...(caller && callerFields(caller)),
  duration_ms: Math.round(performance.now() - openedAt),
})

/** Runs one query for all connections of a server. */
async function endRevoked(
  { store }: Pick<GraphqlStreamParts, 'store'>,
  connections: ReadonlySet<StreamConnection>,
): Promise<void> {
  const judged = [...connections].flatMap((connection) =>
    connection.caller === undefined ? [] : [{ connection, credential: connection.caller.credential }],
  )
  if (judged.length === 0) return
  const valid = await validCredentials(
    store.em('read'),
    judged.map(({ credential }) => credential),
  )
  for (const { connection, credential } of judged)
    if (!valid.has(credential.id)) connection.end(CLOSE.forbidden, 'The credential was revoked')
}

const pathOf = ({ url = '' }: IncomingMessage): string => url.split('?', 1)[0] ?? ''
