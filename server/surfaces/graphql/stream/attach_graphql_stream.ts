// Attaches GraphQL subscriptions over WebSocket at /gql to the given HTTP server.
import type { Server as HttpServer, IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { handleProtocols } from 'graphql-ws'
import { type WebSocket, WebSocketServer } from 'ws'
import { letIn, type StreamDoor } from '../../../admission/stream_door.ts'
import { validCredentials } from '../../../domain/accounts/caller.ts'
import { repeat } from '../../../kernel/flow/repeat.ts'
import type { Refusal } from '../../../kernel/refusal.ts'
import { isDatabaseUnavailable } from '../../../store/database_errors.ts'
import { credentialFields } from '../../http/identify.ts'
import {
  CLOSE,
  endConnection,
  newConnection,
  pingConnection,
  refuseConnection,
  STREAM_LIMITS,
  STREAM_TIMING,
  type StreamConnection,
  type StreamTiming,
  sendTo,
  sweepConnection,
} from './stream_connection.ts'
import { type StreamHouse, streamProtocol } from './stream_protocol.ts'

export interface GraphqlStreamParts extends StreamHouse {
  readonly httpServer: HttpServer
  readonly door: StreamDoor
  /** For tests: shortens durations that are too long to wait for. */
  readonly timing?: Partial<StreamTiming>
}

export type GraphqlStream = ReturnType<typeof attachGraphqlStream>

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
    const connection = newConnection(socket, request, door.enter(request))
    connections.add(connection)
    // An invalid frame ends the connection. Nothing more can be done about it.
    socket.on('error', (err) => log.debug({ err }, 'graphql_stream.socket_failed'))
    const isTooMuch = (): boolean => {
      connection.messages += 1
      if (connection.messages <= STREAM_LIMITS.messages) return false
      if (connection.messages === STREAM_LIMITS.messages + 1)
        endConnection(connection, CLOSE.tooManyRequests, 'Too many messages', timing)
      return true
    }
    socket.on('pong', () => {
      connection.answers = true
      isTooMuch()
    })
    // Each ping gets an answer, so each counts.
    socket.on('ping', isTooMuch)
    const closed = protocol.opened(
      {
        protocol: socket.protocol,
        send: (text) => sendTo(connection, text),
        close: (code = CLOSE.internal, why = '') => endConnection(connection, code, why, timing),
        onMessage: (take) => {
          socket.on('message', (data) => {
            if (isTooMuch()) return
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
    if (away) endConnection(connection, CLOSE.tryAgainLater, 'Try again later', timing)
    else endConnection(connection, CLOSE.internal, 'Internal server error', timing)
  }

  const upgrade = async (request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    if (pathOf(request) !== GRAPHQL_PATH) return
    const entrance = await letIn({ door, log, stopping: () => closing }, request)
    if (entrance === 'answered') return
    const taken = entrance === 'enters' ? open : (one: WebSocket) => turnAway(one, entrance)
    sockets.handleUpgrade(request, socket, head, taken)
  }
  const turnAway = (socket: WebSocket, refusal: Refusal): void => {
    const place = door.hear()
    socket.on('error', (err) => log.debug({ err }, 'graphql_stream.socket_failed'))
    socket.once('close', place.leave)
    refuseConnection({ socket }, refusal, timing)
  }
  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    upgrade(request, socket, head).catch((err: unknown) => {
      log.error({ err }, 'graphql_stream.upgrade_failed')
      socket.destroy()
    })
  }
  httpServer.on('upgrade', onUpgrade)

  const sweep = setInterval(() => {
    for (const connection of connections) sweepConnection(connection, timing)
  }, timing.sweep)
  const ping = setInterval(() => {
    for (const connection of connections) pingConnection(connection)
  }, timing.ping)
  const watch = repeat({
    everyMs: timing.credentials,
    onError: (err) => log.warn({ err }, 'graphql_stream.credential_watch_failed'),
    run: () => endRevoked(parts, connections, timing),
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
      for (const connection of connections)
        endConnection(connection, CLOSE.goingAway, 'This server is stopping', timing)
      await Promise.all([...gone, watch.stop()])
      httpServer.off('upgrade', onUpgrade)
    },
  })
}

const endOf = ({ caller, openedAt }: StreamConnection, code: number) => ({
  code,
  user_id: caller?.userId,
  ...(caller === undefined ? {} : credentialFields(caller)),
  duration_ms: Math.round(performance.now() - openedAt),
})

/** Runs one query for all connections of a server. */
async function endRevoked(
  { store }: Pick<GraphqlStreamParts, 'store'>,
  connections: ReadonlySet<StreamConnection>,
  timing: StreamTiming,
): Promise<void> {
  const asked = [...connections].flatMap((connection) =>
    connection.caller === undefined ? [] : [{ connection, credential: connection.caller.credential }],
  )
  if (asked.length === 0) return
  const valid = await validCredentials(
    store.em('read'),
    asked.map(({ credential }) => credential),
  )
  for (const { connection, credential } of asked)
    if (!valid.has(credential.id))
      endConnection(connection, CLOSE.forbidden, 'The credential was revoked', timing)
}

const pathOf = ({ url = '' }: IncomingMessage): string => url.split('?', 1)[0] ?? ''
