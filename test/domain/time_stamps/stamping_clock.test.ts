// No token is made while the clock of the server is not the one that others have. The clocks are the test's.
import { expect, it } from 'vitest'
import type { RoundStart } from '../../../server/domain/rounds/round.ts'
import { openStampingClock } from '../../../server/domain/time_stamps/stamping_clock.ts'

const NOON = Date.UTC(2026, 10, 24, 12)

/** A clock whose server has `wall`, 1,000 ms after it has asked the database for the round. */
function clockAt(wall: number, servers?: Parameters<typeof openStampingClock>[0]) {
  const time = { wall, monotonic: 5_000 }
  return {
    time,
    clock: openStampingClock(servers, { wall: () => time.wall, monotonic: () => time.monotonic }),
  }
}

/** The database said noon, and was asked and had answered at these moments. */
const round = (askedAt = 4_000, answeredAt = askedAt): RoundStart => ({
  ...{ number: 1, databaseMs: NOON, askedAt, answeredAt },
})

const UNAVAILABLE = { failure: 'time_not_available' }

it.each([
  [NOON + 1_000, NOON + 1_000],
  [NOON + 1_399, NOON + 1_000],
  [NOON + 601, NOON + 1_000],
])('rounds %i to the nearest second while it agrees with the database', (wall, time) => {
  const { clock } = clockAt(wall)
  expect([clock.timeIn(round()), clock.standing()]).toEqual([time, 'ok'])
})

it.each([401, -401, 3_600_000, -86_400_000])(
  'has no time when it is %i ms off the database, and says so',
  (off) => {
    const { clock } = clockAt(NOON + 1_000 + off)
    expect(() => clock.timeIn(round())).toThrow(expect.objectContaining(UNAVAILABLE))
    expect(clock.standing()).toBe('database_differs')
  },
)

it('finds that a clock was set within a round', () => {
  const { clock, time } = clockAt(NOON + 1_000)
  clock.timeIn(round())
  time.wall += 500
  expect(() => clock.timeIn(round())).toThrow(expect.objectContaining(UNAVAILABLE))
  time.monotonic += 500
  expect(clock.timeIn(round())).toBe(NOON + 2_000)
  expect(clock.standing()).toBe('ok')
})

it('does not take the time on the way to the database for a difference', () => {
  // Whether it answered at the beginning or at the end of two seconds is not known.
  const { clock } = clockAt(NOON + 2_300)
  expect(clock.timeIn(round(2_700, 4_700))).toBe(NOON + 2_000)
  expect(() => clock.timeIn(round(3_000, 3_000))).not.toThrow()
  expect(() => clock.timeIn(round(4_700, 4_700))).toThrow(expect.objectContaining(UNAVAILABLE))
})

const reading = (timeMs: number, uncertaintyMs = 0) => ({ timeMs, at: 5_000, uncertaintyMs })

it.each([
  ['all of four agree', 4, [0, 100, -100, 399], true],
  ['three of four agree', 4, [0, 100, -100, 9_000], true],
  ['two of four agree', 4, [0, 100, 9_000, -9_000], false],
  ['one of four has been read', 4, [0], false],
  ['none has been read', 4, [], false],
  ['a majority agrees on another time', 4, [500, 500, 500, 500], false],
  ['four of six agree', 6, [0, 0, 0, 0, 900, 900], false],
  ['five of six agree', 6, [0, 0, 0, 0, 0, 900], true],
])('where there are time servers, has a time only when %s', (_, count, offs, isThere) => {
  const readings = () => offs.map((off) => reading(NOON + 1_000 + off))
  const { clock } = clockAt(NOON + 1_000, { readings, quorum: Math.ceil(count * 0.75) })
  if (isThere) expect(clock.timeIn(round())).toBe(NOON + 1_000)
  else expect(() => clock.timeIn(round())).toThrow(expect.objectContaining(UNAVAILABLE))
  expect(clock.standing()).toBe(isThere ? 'ok' : 'time_servers_differ')
})
