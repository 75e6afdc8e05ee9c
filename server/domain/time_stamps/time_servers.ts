// The time servers that the clock of the authority is compared with: each is asked once a minute.
import { repeat } from '../../kernel/flow/repeat.ts'
import type { Log } from '../../kernel/log.ts'
import { askTime, type ClockReading, KissOfDeath, type TimeServer } from '../../outgoing/ask_time.ts'

const EVERY_MS = 60_000

/** A reading that is older counts as none. */
const LONGEST_MS = 180_000

/** How long a server that wants fewer questions is left alone. One that wants none is for as long as this process runs. */
const REST_MS = 3_600_000

/** With fewer, one that lies cannot be told from the others. */
export const LEAST_TIME_SERVERS = 4

export type TimeServers = ReturnType<typeof openTimeServers>

export function openTimeServers(
  { servers, log }: { readonly servers: readonly TimeServer[]; readonly log: Log },
  { ask = askTime, everyMs = EVERY_MS, monotonic = () => performance.now() }: TimeServersForTests = {},
) {
  const known = new Map<TimeServer, ClockReading>()
  const restsUntil = new Map<TimeServer, number>()

  const askOne = async (server: TimeServer): Promise<void> => {
    if (monotonic() < (restsUntil.get(server) ?? 0)) return
    try {
      known.set(server, await ask(server))
    } catch (error) {
      if (error instanceof KissOfDeath)
        restsUntil.set(server, error.code === 'RATE' ? monotonic() + REST_MS : Number.POSITIVE_INFINITY)
      log.warn({ err: error, server: `${server.host}:${server.port}` }, 'time_server.not_read')
    }
  }
  const asking = repeat({
    everyMs,
    firstMs: 0,
    keepsAlive: false,
    onError: (err) => log.error({ err }, 'time_servers.fault'),
    run: async () => void (await Promise.all(servers.map(askOne))),
  })

  return Object.freeze({
    /** How many must agree: three of four. */
    quorum: Math.ceil(servers.length * 0.75),
    /** Those that are young enough. @param now on the monotonic clock */
    readings: (now: number): ClockReading[] => [...known.values()].filter(({ at }) => now - at <= LONGEST_MS),
    /** Asks all of them now. */
    look: asking.run,
    close: asking.stop,
  })
}

interface TimeServersForTests {
  readonly ask?: (server: TimeServer) => Promise<ClockReading>
  readonly everyMs?: number
  readonly monotonic?: () => number
}
