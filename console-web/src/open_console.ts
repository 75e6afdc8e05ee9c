// Everything that lives as long as one sign-in: the API client, the feed, and the stream that fills it.
import { BeaconFeed } from './chain/beacon_feed.ts'
import { beaconStream } from './connection/beacon_stream.ts'
import { apiClient } from './data/api_client.ts'
import type { SignedIn } from './data/credential.ts'
import { type RequestBudget, readBudget } from './data/request_budget.ts'
import { LONGEST_WAIT_IN_SIGHT_MS, LONGEST_WAIT_MS } from './data/retry_schedule.ts'
import { textAt } from './data/shape.ts'
import { Store } from './data/store.ts'
import { ConnectionLog } from './data/stream/connection_log.ts'
import { consoleSocket, keepStreamToken } from './data/stream/console_socket.ts'
import { LiveEvents } from './data/stream/live_events.ts'
import { watchWake } from './data/stream/wake.ts'
import { session } from './session/session.ts'
import { reachable } from './ui/load/reachable.ts'

export const openConsole = (by: SignedIn) => {
  const { credential } = by
  const slowedUntil = new Store(0)
  const clockOffset = new Store(0)
  const budget = new Store<RequestBudget | null>(null)
  const connection = new ConnectionLog()
  const api = apiClient({
    credential,
    unauthorized: () => session.refused(by, 401),
    slowedUntil,
    answered: (headers) => budget.write(readBudget(headers, Date.now()) ?? budget.read()),
  })
  const feed = new BeaconFeed(api)
  const live = new LiveEvents()
  const mayConnect = Promise.withResolvers<void>()
  let wake: (() => void) | undefined
  /** Starts everything; the stream waits for `connect`. The returned function stops everything. */
  const start = (): (() => void) => {
    let token = ''
    /** A connection was refused, and another token was got for the next. */
    let isReplaced = false
    const stream = beaconStream({
      open: async (failures) => {
        await mayConnect.promise
        token = await credential.token()
        return consoleSocket(token, failures)
      },
      resumeAfter: feed.resumeAfter,
      longestWaitMs: () =>
        document.visibilityState === 'visible' ? LONGEST_WAIT_IN_SIGHT_MS : LONGEST_WAIT_MS,
      joined: (socket, welcome) => {
        isReplaced = false
        const time = Date.parse(textAt(welcome, 'server_time') ?? '')
        if (!Number.isNaN(time)) clockOffset.write(time - Date.now())
        const leave = live.joined(socket)
        const { engine } = socket.io
        connection.joined(engine.transport.name, welcome)
        engine.once('upgrade', () => connection.carriedBy(engine.transport.name))
        const unkeep = keepStreamToken(credential, socket, token)
        return () => {
          unkeep()
          leave()
        }
      },
      subscribed: feed.subscribed,
      received: feed.received,
      startAnew: feed.startAnew,
      changed: (next) => {
        if (next.phase === 'offline') connection.lost(next.why)
        feed.connectionChanged(next)
      },
      refused: async (status) => {
        isReplaced = status === 401 && !isReplaced && (await credential.another(token)) !== null
        if (!isReplaced) session.refused(by, status)
        return isReplaced
      },
    })
    wake = stream.wake
    const unwatch = watchWake(stream.wake, () => void reachable().then((yes) => yes || stream.drop()))
    return () => {
      unwatch()
      stream.stop()
      feed.stop()
    }
  }
  return {
    parts: { api, live, clockOffset, slowedUntil, connection, budget, by, connect: mayConnect.resolve },
    chain: { feed, retryNow: () => wake?.() },
    start,
  }
}
