// One server of the console stream on a port of its own, with its feed and its LISTEN connection, as app.ts puts them together.
import { createServer } from 'node:http'
import type { AddressInfo, Socket as NetSocket } from 'node:net'
import { pino } from 'pino'
import { authenticate } from '../../../server/domain/accounts/caller.ts'
import { type BeaconFeed, createBeaconFeed } from '../../../server/domain/beacons/beacon_feed.ts'
import { openCatchUp } from '../../../server/domain/beacons/catch_up.ts'
import { BLOCK_CHANNEL } from '../../../server/domain/ledger/insert_block.ts'
import { keepDeliveryListeners } from '../../../server/domain/webhooks/deliveries/delivery_listeners.ts'
import { listenForNotices } from '../../../server/store/listen.ts'
import type { Store } from '../../../server/store/open_store.ts'
import { attachConsoleStream } from '../../../server/surfaces/console/attach_console_stream.ts'
import type { CountEvent, Timing } from '../../../server/surfaces/console/session.ts'
import type { Authenticate } from '../../../server/surfaces/http/identify.ts'
import { freePort } from '../../support/free_port.ts'
import { openTestDoor, type TestDoorOptions } from '../../support/stream_door.ts'

type CountedEvent = Parameters<CountEvent>[0]

export type LogLine = Readonly<Record<string, unknown>> & { readonly msg: string }

export interface ConsoleServer {
  readonly url: string
  readonly port: number
  readonly feed: BeaconFeed
  readonly stream: ReturnType<typeof attachConsoleStream>
  /** How often each event happened. */
  readonly counts: ReadonlyMap<CountedEvent, number>
  readonly lines: LogLine[]
  readonly close: () => Promise<void>
  /** Ends like a killed process: no goodbye to anybody. */
  readonly crash: () => Promise<void>
  /** Ends some TCP connections, as a network does. */
  readonly dropSome: (share: number) => void
}

/** A ledger, or a store of it that differs. */
type Ground = { readonly store: Store; readonly database: { readonly url: string } }

export interface ConsoleServerOptions {
  readonly timing?: Partial<Timing>
  readonly door?: TestDoorOptions
  /** Instead of the API keys in the database. */
  readonly authenticate?: Authenticate
  readonly port?: number
}

export async function startConsoleServer(
  { store, database }: Ground,
  options: ConsoleServerOptions = {},
): Promise<ConsoleServer> {
  const { timing = {}, port = await freePort() } = options
  const lines: LogLine[] = []
  const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const httpServer = createServer((_request, response) => response.writeHead(404).end())
  const sockets = new Set<NetSocket>()
  httpServer.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  const drop = (share: number): void => {
    for (const socket of sockets) if (Math.random() < share) socket.destroy()
  }
  const feed = createBeaconFeed({ em: store.em, log, connected: () => listener.connected() })
  await feed.start()
  const deliveryListeners = keepDeliveryListeners({ em: store.em, log })
  const counts = new Map<CountedEvent, number>()
  const count: CountEvent = (event, by = 1) => void counts.set(event, (counts.get(event) ?? 0) + by)
  const stream = attachConsoleStream({
    httpServer,
    store,
    beacons: openCatchUp({ em: store.em, feed, log }),
    deliveryListeners,
    authenticate: options.authenticate ?? ((token, resource) => authenticate(store.em(), token, resource)),
    log,
    count,
    timing,
    door: openTestDoor(options.door),
  })
  const news = (): void => {
    void feed.refresh()
    stream.facts.poke()
  }
  const listener = listenForNotices({
    url: database.url,
    channels: [BLOCK_CHANNEL],
    onNotice: news,
    onConnect: news,
  })
  await new Promise<void>((resolve, reject) => {
    httpServer.once('error', reject)
    httpServer.listen(port, '127.0.0.1', resolve)
  })
  httpServer.removeAllListeners('error')
  const taken = (httpServer.address() as AddressInfo).port
  return {
    url: `http://127.0.0.1:${taken}`,
    port: taken,
    feed,
    stream,
    counts,
    lines,
    dropSome: drop,
    crash: async () => {
      httpServer.close()
      drop(1)
      await Promise.all([feed.close(), listener.close(), stream.close(), deliveryListeners.close()])
    },
    close: async () => {
      const stopped = new Promise<void>((resolve) => httpServer.close(() => resolve()))
      await stream.close()
      await deliveryListeners.close()
      httpServer.closeAllConnections()
      await stopped
      await feed.close()
      await listener.close()
    },
  }
}
