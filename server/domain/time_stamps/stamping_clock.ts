// The clock of the authority: that of this computer, as long as the clocks that it is compared with agree.
import type { ClockReading } from '../../outgoing/ask_time.ts'
import type { RoundStart } from '../rounds/round.ts'
import { TimeStampRefused } from './time_stamp_reply.ts'
import type { TimeServers } from './time_servers.ts'

/**
 * Milliseconds by which clocks may differ. With half a second of rounding it stays below the accuracy of one second that
 * tokens say.
 */
export const MOST_OFF_MS = 400

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
