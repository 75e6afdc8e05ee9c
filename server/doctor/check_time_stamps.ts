// Checks of the time-stamp authority: until when its certificate signs, and whether it has a time.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { bool, float8 } from '../store/columns.ts'
import { rows, statement } from '../store/statement.ts'
import { type DoctorFinding, ok, roughly, warning, wrong } from './examine.ts'

/** What an operator brought is his to renew; other certificates are followed by the next one a month before. */
const SOON_MS = 30 * 86_400_000

export async function stampingCertificates(em: EntityManager): Promise<DoctorFinding[]> {
  const [newest] = await rows(em, NEWEST)
  if (newest === undefined) return [ok('Nothing was time-stamped here yet.')]
  const { left_ms, is_brought } = newest
  if (!is_brought) return [ok('The certificate for time stamps is renewed by itself.')]
  if (left_ms <= 0) return [wrong('The certificate of TSA_CERTIFICATE signs no time stamps any more.', RENEW)]
  const text = `The certificate of TSA_CERTIFICATE signs time stamps for ${roughly(left_ms)} more.`
  return [left_ms < SOON_MS ? warning(text, RENEW) : ok(text)]
}

const RENEW =
  'Put another one, with its chain and its key, where TSA_CERTIFICATE and TSA_KEY say, and restart.'

/** Index: time_stamp_certificates_number_key. */
const NEWEST = statement(
  { left_ms: float8, is_brought: bool },
  sql`
  SELECT unix_ms(signs_until) - unix_ms(pharos_now()) AS left_ms, role = 'brought' AS is_brought
    FROM time_stamp_certificates WHERE role <> 'root' ORDER BY number DESC LIMIT 1`,
)

/** @param standing of the clock, as a server tells it. Undefined where nothing is time-stamped, or no server answers. */
export function stampingClock(standing: string | undefined): DoctorFinding[] {
  switch (standing) {
    case undefined:
      return []
    case 'ok':
      return [ok('The clock agrees with those that time stamps need.')]
    case 'database_differs':
      return [
        wrong('Nothing is time-stamped: the clocks of the server and of its database differ.', SET_CLOCK),
      ]
    default:
      return [wrong('Nothing is time-stamped: too few of TSA_TIME_SERVERS agree with the clock.', SET_CLOCK)]
  }
}

const SET_CLOCK = 'Set both by NTP, to within 400 ms. Time stamps are made again as soon as they agree.'
