// The clock of the authority: that of this computer, as long as the clocks that it is compared with agree. Time servers among them
// are asked once a minute.
import { repeat } from '../../kernel/flow/repeat.ts'
import type { Log } from '../../kernel/log.ts'
import { askTime, type ClockReading, KissOfDeath, type TimeServer } from '../../outgoing/ask_time.ts'
import type { RoundStart } from '../rounds/round.ts'
import { TimeStampRefused } from './time_stamp_request.ts'

/**
 * Milliseconds by which clocks may differ. With half a second of rounding it stays below the accuracy of one second that
 * tokens say.
 */
const MOST_OFF_MS = 400

/** What has kept tokens from being made. */
export type ClockStanding = 'ok' | 'database_differs' | 'time_servers_differ'

export type StampingClock = ReturnType<typeof openStampingClock>

/** @param clocks for tests: Unix milliseconds, and those of a monotonic clock */
export function openStampingClock(
  servers: Pick<TimeServers, 'readings' | 'quorum'> | undefined,
  clocks: { readonly wall: () => number; readonly monotonic: () => number } = WALL_AND_MONOTONIC,
) {
  let databaseDiffers = false

  const isNear = ({ timeMs, at, uncertaintyMs }: ClockReading): boolean =>
    Math.abs(clocks.wall() - (timeMs + clocks.monotonic() - at)) <= MOST_OFF_MS + uncertaintyMs

  const serversDiffer = (): boolean =>
    servers !== undefined && servers.readings(clocks.monotonic()).filter(isNear).length < servers.quorum

  return Object.freeze({
    /**
     * The time of a token, in Unix milliseconds of the nearest second.
     * @throws TimeStampRefused
     */
    timeIn: (round: RoundStart): number => {
      databaseDiffers = !isNear(readingOf(round))
      if (databaseDiffers) throw unavailable('the clocks of this server and of its database differ')
      if (serversDiffer()) throw unavailable('too few time servers agree with the clock of this server')
      return Math.round(clocks.wall() / 1_000) * 1_000
    },
    /** Of the database, what the newest token found. */
    standing: (): ClockStanding =>
      databaseDiffers ? 'database_differs' : serversDiffer() ? 'time_servers_differ' : 'ok',
  })
}

const WALL_AND_MONOTONIC = { wall: () => Date.now(), monotonic: () => performance.now() }

const unavailable = (why: string): TimeStampRefused =>
  new TimeStampRefused('time_not_available', `There is no time just now: ${why}.`)

/** The database answered at some moment between the question and the answer. */
const readingOf = ({ databaseMs, askedAt, answeredAt }: RoundStart): ClockReading => ({
  timeMs: databaseMs,
  at: (askedAt + answeredAt) / 2,
  uncertaintyMs: (answeredAt - askedAt) / 2,
})

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
