// Attaches the console stream (Socket.IO) to the given HTTP server, and starts what the stream needs.
import type { Server as HttpServer, IncomingMessage } from 'node:http'
import { Server, type Socket } from 'socket.io'
import {
  BEACON_CREATED,
  CONSOLE_NAMESPACE,
  connectionEvents,
  connectionLimits,
} from '../../../shared/wire/console_stream.ts'
import type { StreamDoor } from '../../admission/places.ts'
import { PLANS } from '../../domain/accounts/plan.ts'
import { factReader } from '../../domain/ledger/facts.ts'
import { repeat } from '../../kernel/flow/repeat.ts'
import type { Log } from '../../kernel/log.ts'
import type { Refusal } from '../../kernel/refusal.ts'
import type { Store } from '../../store/open_store.ts'
import { callerFields } from '../http/identify.ts'
import { BEACON_ROOM } from './beacon_pump.ts'
import { takeCommands } from './command.ts'
import { guardConnections } from './connection_guard.ts'
import { createAudience, fanOutToStream } from './fan_out.ts'
import { type AdmittedCaller, admit, beyondCeiling, HandshakeRefused, welcomeOf } from './handshake.ts'
import { Session, TIMING, type Timing, watchCredentials } from './session.ts'
import { commandTable, type StreamParts } from './subscribe.ts'

export interface ConsoleStreamParts
  extends Pick<StreamParts, 'beacons' | 'authenticate' | 'deliveryListeners' | 'count'> {
  readonly httpServer: HttpServer
  readonly store: Store
  readonly log: Log
  readonly door: StreamDoor
  /** Completes the ids of Engine.IO's sessions. */
  readonly nameSession?: ((id: string) => string) | undefined
  /** For tests: shortens durations that are too long to wait for. */
  readonly timing?: Partial<Timing>
}

/**
 * Attaches the stream once the HTTP server listens. The returned `close` must be called before the feed is closed.
 */
export function attachConsoleStream(parts: ConsoleStreamParts) {
  const { httpServer, store, beacons, authenticate, door, log, count } = parts
  const { feed } = beacons
  const timing: Timing = { ...TIMING, ...parts.timing }
  const sessions = new Set<Session>()
  const em = () => store.em('read')
  /** Connections that are only told why they may not stay, by their handshakes. */
  const hearing = new WeakMap<IncomingMessage, Refusal>()
  let closing = false

  const io = new Server({
    path: '/socket.io',
    serveClient: false,
    transports: ['polling', 'websocket'],
    cors: { origin: '*', credentials: false },
    perMessageDeflate: false,
    httpCompression: false,
    maxHttpBufferSize: connectionLimits.frame_bytes,
    connectTimeout: timing.join,
    pingInterval: timing.pingInterval,
    pingTimeout: timing.pingTimeout,
    allowRequest: (request, decide) => {
      door
        .letIn(request, () => closing)
        .then((entrance) => {
          if (entrance !== 'enters') count('connections_turned_away')
          // The door has already answered the request. `decide` would give every refusal the same status.
          if (entrance === 'answered') return
          if (entrance !== 'enters') hearing.set(request, entrance)
          decide(undefined, true)
        })
    },
  })
  const guard = guardConnections({
    count,
    log,
    timing,
    enter: (request) => (hearing.has(request) ? door.hear() : door.enter(request)),
  })

  const attach = (): void => {
    io.attach(httpServer)
    io.engine.on('connection', guard.watch)
    const { engine } = io
    const { nameSession } = parts
    if (nameSession === undefined) return
    const newId = engine.generateId.bind(engine)
    engine.generateId = async (request: IncomingMessage) => nameSession(await newId(request))
  }
  // Engine.IO takes over the request listeners that exist when it attaches. Once the server
  // listens, all of them exist.
  if (httpServer.listening) attach()
  else httpServer.once('listening', attach)

  const audience = createAudience()
  const facts = factReader({
    em,
    log,
    tell: (fact) => fanOutToStream({ em, audience, log }, fact),
    everyMs: timing.facts,
  })
  const table = commandTable({ ...parts, em, facts, audience, burstMs: timing.burst })
  const admissions = new WeakMap<Socket, AdmittedCaller>()

  const open = (socket: Socket, admission: AdmittedCaller): void => {
    const session = new Session(socket, admission, timing)
    sessions.add(session)
    count('connections_opened')
    guard.joined(socket.conn, (reason) => session.end(reason))
    socket.on('disconnect', (reason) => {
      sessions.delete(session)
      session.stopStreams()
      const by = session.ended ?? reason
      // A client may leave the namespace and keep its connection. The connection has no use then, so it is ended.
      session.end('closed')
      count('connections_ended')
      count('beacons_caught_up', session.counts.beacons)
      log.info(endOf(session, by), 'stream.ended')
    })
    socket.emit(connectionEvents.welcome, welcomeOf(admission, feed.head().beacon))
    takeCommands({ table, log, count }, session)
    session.watchExpiry()
  }

  const namespace = io.of(CONSOLE_NAMESPACE)
  namespace.use((socket, next) => {
    const ceiling = hearing.get(socket.conn.request)
    if (ceiling !== undefined) {
      next(beyondCeiling(ceiling))
      // After it was sent.
      setImmediate(() => socket.conn.close())
      return
    }
    const tried = guard.mayTry(socket.conn)
    if (tried === 0) return next(new HandshakeRefused('rate_limited'))
    const parts = { em, authenticate, log, deadlineMs: timing.handshake }
    // The HTTP handshake already charged the first attempt.
    const charge = tried === 1 ? undefined : () => door.charge(socket.request)
    const turnAway = (refused: HandshakeRefused): void => {
      count('handshakes_refused')
      guard.failed(socket.conn)
      door.refused(socket.request, refused.data.code)
      next(refused)
    }
    admit(parts, socket, charge).then((admission) => {
      const { userId, plan } = admission.caller
      if (!guard.claim(socket.conn, userId, plan)) {
        return turnAway(new HandshakeRefused('plan_limit', { limit: PLANS[plan].sockets }))
      }
      admissions.set(socket, admission)
      next()
    }, turnAway)
  })
  namespace.on('connection', (socket) => {
    const admission = admissions.get(socket)
    if (admission !== undefined && !closing) open(socket, admission)
    else socket.conn.close(true)
  })
  // Socket.IO always creates this namespace. The console uses the other one.
  io.of('/').use((_socket, next) => next(new HandshakeRefused('invalid_argument')))

  const stopBroadcast = feed.onBeacon(({ beacon }) => {
    count('beacons_broadcast')
    namespace.to(BEACON_ROOM).emit(BEACON_CREATED, beacon)
  })
  const stopReplaced = feed.onReplaced((replacement) => {
    for (const session of sessions) session.beacons?.replaced(replacement)
  })

  const sweep = setInterval(() => {
    guard.sweep()
    for (const session of sessions) session.watchExpiry()
  }, timing.sweep)
  const watch = repeat({
    everyMs: timing.credentials,
    retry: { firstMs: timing.credentialsRetry, mostMs: timing.credentials },
    onError: (err) => log.warn({ err }, 'stream.credential_watch_failed'),
    run: () => watchCredentials(em(), sessions),
  })

  return Object.freeze({
    /** Call `poke` after every notice that new facts may exist. */
    facts: Object.freeze({ poke: facts.poke }),
    /** Call `poke` after every notice that a credential or an account may have changed. */
    credentials: Object.freeze({ poke: () => watch.poke(timing.credentialsNotice) }),
    connections: guard.count,
    /** Those that joined the namespace. */
    sessions: () => sessions.size,
    /**
     * Ends every connection within 2 s, in a way that makes clients reconnect, possibly to another server. The HTTP
     * server keeps running.
     */
    close: async (): Promise<void> => {
      closing = true
      httpServer.off('listening', attach)
      stopBroadcast()
      stopReplaced()
      clearInterval(sweep)
      for (const session of [...sessions]) session.end('closed')
      await Promise.all([guard.hangUpAll(), facts.close(), watch.stop()])
    },
  })
}

const endOf = ({ socket, caller, tenant, openedAt, counts }: Session, reason: string) => ({
  reason,
  ...callerFields(caller),
  team_id: tenant.id,
  transport: socket.conn.transport.name,
  address: socket.handshake.address,
  duration_ms: Math.round(performance.now() - openedAt),
  commands: counts.commands,
  beacons: counts.beacons,
  events: counts.events,
  events_summed_up: counts.summedUp,
  bursts: counts.bursts,
})
