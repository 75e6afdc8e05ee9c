// Checks of what is stamped: how long rounds wait for the chains and what they take; until when the certificate of the time-stamp
// authority signs, and whether it has a time.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { plural } from '../../shared/cli/terminal.ts'
import { readStanding } from '../domain/ledger/standing.ts'
import { ulidFloor } from '../kernel/identifiers.ts'
import { float8, int4 } from '../store/columns.ts'
import { row, rows, statement } from '../store/statement.ts'
import {
  type DoctorFinding,
  type Found,
  type InstalledSettings,
  ok,
  roughly,
  warning,
  wrong,
} from './examine.ts'

/** As the alert has it. */
const LONG_SECONDS = 21_600

/** @param ages seconds of the oldest round that each chain has not confirmed, as a server tells them */
export const roundAges = (ages: Readonly<Record<string, number>> = {}): DoctorFinding[] =>
  Object.entries(ages).map(([chain, seconds]) => {
    if (seconds === 0) return ok(`No round waits for ${chain}.`)
    const text = `The oldest round that ${chain} has not confirmed is ${roughly(seconds * 1_000)} old.`
    return seconds > LONG_SECONDS
      ? warning(
          text,
          'What was stamped in it cannot be upgraded until then: look at the chain, and at the fee of its wallet.',
        )
      : ok(text)
  })

const DAY_MS = 86_400_000

/** Of the database, for one round with its item. */
const ROUND_BYTES = 2_200

export async function roundsOfDay(em: EntityManager): Promise<DoctorFinding> {
  const { nowMs } = await readStanding(em)
  const { count } = await row(em, ROUNDS_SINCE({ floor: ulidFloor(nowMs - DAY_MS) }))
  if (count === 0) return ok('Nothing was stamped without an account in the last day.')
  return ok(
    `The last day has ${plural(count, 'round')} of what was stamped without an account, ${sizeOf(count)}. One address ` +
      `that never rests makes one a second, ${sizeOf(DAY_MS / 1_000)} a day, in each process that it reaches.`,
  )
}

const sizeOf = (rounds: number): string => `about ${Math.max(1, Math.round((rounds * ROUND_BYTES) / 1e6))} MB`

/** Index: aggregation_rounds_item_id_key. */
const ROUNDS_SINCE = statement(
  { count: int4 },
  ({ floor }: { floor: string }) => sql`
  SELECT count(*)::int AS count FROM aggregation_rounds WHERE item_id > ${floor}`,
)

/** What an operator brought is his to renew; other certificates are followed by the next one a month before. */
const SOON_MS = 30 * 86_400_000

/** What is brought is told as the newest server to start with it has written it down. */
export async function stampingCertificates(
  em: EntityManager,
  { tsa }: Pick<InstalledSettings, 'tsa'>,
): Promise<DoctorFinding> {
  if (tsa.certificate === undefined) return ok('The certificate for time stamps is renewed by itself.')
  const [newest] = await rows(em, NEWEST_BROUGHT)
  if (newest === undefined) return ok('No server has begun with TSA_CERTIFICATE yet.')
  const { left_ms } = newest
  if (left_ms <= 0) return wrong('The certificate of TSA_CERTIFICATE signs no time stamps any more.', RENEW)
  const text = `The certificate of TSA_CERTIFICATE signs time stamps for ${roughly(left_ms)} more.`
  return left_ms < SOON_MS ? warning(text, RENEW) : ok(text)
}

const RENEW =
  'Put another one, with its chain and its key, where TSA_CERTIFICATE and TSA_KEY say, and restart.'

/** Index: time_stamp_certificates_number_key. */
const NEWEST_BROUGHT = statement(
  { left_ms: float8 },
  sql`
  SELECT unix_ms(signs_until) - unix_ms(pharos_now()) AS left_ms
    FROM time_stamp_certificates WHERE role = 'brought' ORDER BY number DESC LIMIT 1`,
)

/** @param standing of the clock, as a server tells it. Undefined where nothing is time-stamped, or no server answers. */
export function stampingClock(standing: string | undefined): Found {
  switch (standing) {
    case undefined:
      return []
    case 'ok':
      return ok('The clock agrees with those that time stamps need.')
    case 'database_differs':
      return wrong('Nothing is time-stamped: the clocks of the server and of its database differ.', SET_CLOCK)
    default:
      return wrong('Nothing is time-stamped: too few of TSA_TIME_SERVERS agree with the clock.', SET_CLOCK)
  }
}

const SET_CLOCK = 'Set both by NTP, to within 400 ms. Time stamps are made again as soon as they agree.'
