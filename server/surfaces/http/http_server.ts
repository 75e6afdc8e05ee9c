// Starts and stops the HTTP server. The requests of one connection begin one after the other, unknown upgrades are
// refused, and while it stops, it answers as many requests as the time allows.
import { once } from 'node:events'
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { Socket } from 'node:net'
import { endWithAnswer } from '../../admission/places.ts'

/**
 * Use it as `shouldUpgradeCallback`. A server may ignore an offer of any other protocol (RFC 9110 section 7.8). Some
 * clients offer HTTP/2 (`h2c`) with every plain request and still expect an answer.
 */
const wantsWebSocket = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  (headers.upgrade ?? '').toLowerCase().includes('websocket')

/** @param known the paths that may switch, whose own listeners answer; Socket.IO's path ends in a slash */
export function refuseUnknownUpgrades(server: Server, known: readonly string[]): void {
  server.on('upgrade', ({ url = '' }, socket) => {
    if (known.includes(url.split('?', 1)[0] ?? '')) return
    socket.on('error', () => undefined)
    endWithAnswer(socket, 404, {})
  })
}

/** Requests of one connection that wait. While there are more, nothing is read from it. */
const MOST_WAITING = 16

/** What was read already may hold more of them: this many are kept. */
const MOST_KEPT = 4_096

interface Line {
  /** The answer to the newest request. */
  last: ServerResponse
  waiting: number
}

/**
 * Begins the requests of one connection one after the other. Their answers leave in order, so an answer that is made
 * before its turn would wait in memory, with the turn of its caller.
 */
export function inOrder(begin: RequestListener): RequestListener {
  const lines = new WeakMap<Socket, Line>()

  const lineOf = (socket: Socket, first: ServerResponse): Line => {
    const line: Line = { last: first, waiting: 0 }
    lines.set(socket, line)
    // Node resumes a connection with the end of each request on it.
    socket.on('resume', () => {
      if (line.waiting > MOST_WAITING) socket.pause()
    })
    return line
  }

  const beginAfter = (line: Line, request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request
    line.waiting += 1
    if (line.waiting > MOST_WAITING) socket.pause()
    if (line.waiting > MOST_KEPT) socket.destroy()
    line.last.once('close', () => {
      line.waiting -= 1
      if (line.waiting === MOST_WAITING) socket.resume()
      // Nobody waits for an answer that has no connection, and a request behind the last answer is not carried out.
      if (response.socket !== null && !response.socket.destroyed) begin(request, response)
    })
    line.last = response
  }

  return (request, response) => {
    const line = lines.get(request.socket)
    if (line !== undefined && !line.last.closed) return beginAfter(line, request, response)
    if (line === undefined) lineOf(request.socket, response)
    else line.last = response
    begin(request, response)
  }
}

/** Milliseconds for a request to arrive, for its header fields, and in which nothing may move on a connection. */
export const SERVER_TIMES = {
  request: 60_000,
  headers: 20_000,
  keepAlive: 20_000,
  // Longer than any request takes, and than the pauses of the streams.
  silence: 150_000,
} as const

export function createHttpServer({
  maxHeaderBytes,
  times = SERVER_TIMES,
}: {
  readonly maxHeaderBytes: number
  readonly times?: Readonly<Record<keyof typeof SERVER_TIMES, number>>
}): Server {
  const server = createServer({
    requestTimeout: times.request,
    headersTimeout: times.headers,
    keepAliveTimeout: times.keepAlive,
    // How often Node looks for requests that are late. By itself it does every 30 seconds.
    connectionsCheckingInterval: times.headers / 20,
    shouldUpgradeCallback: wantsWebSocket,
    maxHeaderSize: maxHeaderBytes,
    requireHostHeader: false,
  })
  server.timeout = times.silence
  // Ignores unknown expectations, as the RFC allows. Node handles `100-continue`.
  server.on('checkExpectation', (request, response) => void server.emit('request', request, response))
  // A request that came before the answer to the one before it. The bounds of that answer end with it.
  server.prependListener('request', (_request, response: ServerResponse) => {
    if (response.socket === null) response.once('socket', (socket) => socket.setTimeout(times.silence))
  })
  return server
}

/** Milliseconds: the time for running requests to finish, and then the time to answer them that they will not. */
const DRAIN = { finish: 2_500, refused: 500 } as const

export type OpenServer = Awaited<ReturnType<typeof openServer>>

/** @throws an Error that says what to do, when the port is not available */
export async function openServer(
  server: Server,
  host: string,
  port: number,
  drain: Readonly<Record<keyof typeof DRAIN, number>> = DRAIN,
) {
  await listen(server, host, port)
  const address = server.address()
  const bound = typeof address === 'object' && address !== null ? address.port : port
  const underWay = new Set<ServerResponse>()
  const sockets = new Set<Socket>()
  let withdrawn = false
  // Before all other listeners, because Engine.IO replaces the listeners it finds and answers some requests itself.
  server.prependListener('request', (_request, response: ServerResponse) => {
    if (withdrawn) response.shouldKeepAlive = false
    underWay.add(response)
    // Node warns about more than ten listeners. Counting, logging, turns and parts of the answer add more than that.
    response.setMaxListeners(20)
    response.once('close', () => underWay.delete(response))
  })
  // Node's own list leaves out connections that were upgraded, and the server would wait for those without end.
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  const withdraw = (): void => {
    withdrawn = true
    for (const response of underWay) if (!response.headersSent) response.shouldKeepAlive = false
  }
  return Object.freeze({
    /** The one that was asked for, or was free. */
    port: bound,
    /** From now on every answer closes its connection. Requests are still answered. */
    withdraw,
    /**
     * Accepts no more connections, ends idle ones as Node does by itself, and waits for the rest.
     * @param giveUp called when the time for running requests is over; connections still open soon after are cut,
     * upgraded ones too
     */
    close: async (giveUp: () => void) => {
      withdraw()
      const timers = [
        setTimeout(giveUp, drain.finish),
        setTimeout(() => {
          for (const socket of sockets) socket.destroy()
        }, drain.finish + drain.refused),
      ]
      await new Promise((resolve) => server.close(resolve))
      for (const timer of timers) clearTimeout(timer)
    },
  })
}

/**
 * Checks that the port is available, so that startup fails before it creates anything. @throws as `openServer` does
 */
export async function tryPort(host: string, port: number): Promise<void> {
  const server = createServer()
  await listen(server, host, port)
  await new Promise((resolve) => server.close(resolve))
}

/**
 * Connections that were made and not taken yet. Clients that come at once are cut off beyond it, and Node's own number is
 * 511. The system has a bound of its own.
 */
const BACKLOG = 4_096

async function listen(server: Server, host: string, port: number): Promise<void> {
  try {
    server.listen({ port, host, backlog: BACKLOG })
    await once(server, 'listening')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    const advice = ADVICE[code]
    if (advice === undefined) throw error
    throw new Error(advice(host, port), { cause: error })
  }
}

const ADVICE: Readonly<Record<string, (host: string, port: number) => string>> = {
  EADDRINUSE: (host, port) =>
    `Port ${port} of ${host} is in use: is Pharos running already? Stop what listens there, or set PORT to another one.`,
  EACCES: (_, port) =>
    `Port ${port} may not be used by this account. Set PORT to one from 1024 on, or give the account the right to it.`,
  EADDRNOTAVAIL: (host) =>
    `HOST ${host} is no address of this machine. Set HOST to one that is, or to 0.0.0.0.`,
  ENOTFOUND: (host) => `HOST ${host} does not resolve to an address. Set HOST to an address of this machine.`,
}
