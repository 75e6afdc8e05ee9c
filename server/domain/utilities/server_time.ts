// server-time: the time of the database, our only clock, in any time zone. For information only. It proves nothing.
import type { EntityManager } from '@mikro-orm/postgresql'
import { attribute } from '../../contract/attribute.ts'
import { resultOf, textResult, wholeMember } from '../../contract/operation.ts'
import { DATABASE_TIME, row } from '../../store/statement.ts'
import { anyText, invalid, readAction } from './read_action.ts'
import { findTimeZone, suggestTimeZones, UTC } from './time_zone.ts'

/** Unix milliseconds. */
export async function databaseTime(em: EntityManager): Promise<number> {
  const { now_ms } = await row(em, DATABASE_TIME)
  return now_ms
}

/** `now` returns unix milliseconds. It is not called when the zone is unknown. */
export async function serverTime(
  { now }: { now: () => number | Promise<number> },
  { time_zone }: { readonly time_zone?: string | null | undefined },
) {
  const requested = time_zone ?? 'UTC'
  const zone = findTimeZone(requested)
  if (zone === undefined) return invalid(unknownZone(requested))
  const unix = Math.floor((await now()) / 1000)
  const minutes = zone.offsetAt(unix * 1000)
  const offset = offsetText(minutes)
  return {
    iso8601: `${secondsText(unix + minutes * 60)}${zone.name === UTC ? 'Z' : offset}`,
    utc_iso8601: `${secondsText(unix)}Z`,
    unix,
    time_zone: zone.name,
    requested_time_zone: requested,
    utc_offset: offset,
    abbreviation: zone.abbreviationAt(unix * 1000),
  }
}

/** `2026-11-20T18:00:00` */
const secondsText = (unix: number): string => new Date(unix * 1000).toISOString().replace(/\.\d+Z$/, '')

function offsetText(minutes: number): string {
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  return `${minutes < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`
}

const WELL_KNOWN = [UTC, 'America/New_York', 'Europe/London']

function unknownZone(requested: string): string {
  const near = suggestTimeZones(requested)
  return near.length > 0
    ? `unknown time zone: did you mean ${near.join(', ')}?`
    : `unknown time zone: use an IANA name such as ${WELL_KNOWN.join(', ')}`
}

export const serverTimeUtility = readAction({
  name: 'serverTime',
  tool: { name: 'server_time', title: 'Server time' },
  http: 'POST /utilities/server-time',
  doc: 'What the service’s clock shows, in any time zone. Informational: it is no evidence of anything.',
  accepts: {
    time_zone: attribute(anyText, '`UTC` unless said otherwise. Any IANA name or alias, in either case.', {
      nullable: true,
    }),
  },
  result: resultOf({
    iso8601: textResult('In the zone, to the second; in UTC with `Z`.'),
    utc_iso8601: textResult('In UTC, to the second.'),
    unix: wholeMember('Seconds since 1970.'),
    time_zone: textResult('The zone’s canonical name.'),
    requested_time_zone: textResult('As given.'),
    utc_offset: textResult('Sign, hours and minutes, daylight saving included, e.g. `+01:00`.'),
    abbreviation: textResult('Letters such as `CET`, or a number such as `-03` where the zone has none.'),
  }),
  example: {
    data: { time_zone: 'US/Pacific' },
    result: {
      iso8601: '2026-11-20T10:00:00-08:00',
      utc_iso8601: '2026-11-20T18:00:00Z',
      unix: 1_795_197_600,
      time_zone: 'America/Los_Angeles',
      requested_time_zone: 'US/Pacific',
      utc_offset: '-08:00',
      abbreviation: 'PST',
    },
  },
  run: ({ em }, given) => serverTime({ now: () => databaseTime(em) }, given),
})
