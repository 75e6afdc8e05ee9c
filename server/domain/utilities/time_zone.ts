// Time zones by every IANA name: the canonical name, and the local time at a moment.
import moment from 'moment-timezone'
import packed from 'moment-timezone/data/packed/latest.json' with { type: 'json' }
import { TZDB_BACKWARD } from './tzdb_backward.ts'

export interface TimeZone {
  /** Canonical. */
  readonly name: string
  /** Whole minutes east of Greenwich. */
  readonly offsetAt: (ms: number) => number
  /** Letters such as `CEST`, or tzdb's numeric form such as `-03` or `+0545` where a zone has none. */
  readonly abbreviationAt: (ms: number) => string
}

/** Ignores case. Returns undefined when the text is no IANA name. */
export function findTimeZone(name: string): TimeZone | undefined {
  const canonical = canonicalTimeZone(name)
  const zone = canonical === undefined ? null : moment.tz.zone(canonical)
  if (canonical === undefined || zone === null) return undefined
  return {
    name: canonical,
    // Local mean times of the 19th century have seconds, which ISO 8601 offsets cannot express.
    offsetAt: (ms) => 0 - Math.round(zone.utcOffset(ms)),
    abbreviationAt: (ms) => zone.abbr(ms),
  }
}

/** e.g. `US/Pacific` → `America/Los_Angeles`, `Iceland` → `Atlantic/Reykjavik`, `Europe/Amsterdam` → itself. */
export function canonicalTimeZone(name: string): string | undefined {
  // moment-timezone's own lookup also accepts `Europe_Paris`. Case is folded in ASCII only.
  if (name.length > LONGEST_NAME || !/^[A-Za-z0-9_+\-/]+$/.test(name)) return undefined
  return CANONICAL.get(name.toLowerCase())
}

/** No IANA name is longer. The longest name has 32 characters at present. */
export const LONGEST_NAME = 64

export const UTC = 'Etc/UTC'

/** Every name with its canonical name, in tzdb's spelling. */
export function* everyTimeZone(): Generator<{ readonly name: string; readonly canonical: string }> {
  for (const names of groups()) {
    const target = targetOf(names)
    for (const name of names)
      yield { name, canonical: COUNTRIES_USING.has(name) ? name : (TZDB_BACKWARD.get(name) ?? target) }
  }
}

/**
 * The number of countries that list a zone, in zone.tab and zone1970.tab together. Every name in them is a Zone of
 * tzdb or an alias that zone.tab gives to one country, so each is canonical.
 */
const COUNTRIES_USING = countriesUsing()

/** Zones of tzdb that have aliases and belong to no country. */
const NOBODYS_ZONES: ReadonlySet<string> = new Set([UTC, 'Etc/GMT'])

/** By name in lower case. */
const CANONICAL: ReadonlyMap<string, string> = new Map(
  everyTimeZone().map(({ name, canonical }): [string, string] => [name.toLowerCase(), canonical]),
)

/**
 * Names for the same clocks. moment-timezone keeps one of them as its zone and the others as links, but chooses by
 * population: `Asia/Kuala_Lumpur` before `Asia/Singapore`, `Europe/Kiev` before `Europe/Kyiv`. So its choice does not
 * show tzdb's choice.
 */
function groups(): Iterable<readonly string[]> {
  const byLeader = new Map<string, string[]>()
  for (const zone of packed.zones) {
    const [leader = ''] = zone.split('|', 1)
    byLeader.set(leader, [leader])
  }
  for (const link of packed.links) {
    const [leader = '', alias = ''] = link.split('|')
    byLeader.get(leader)?.push(alias)
  }
  return byLeader.values()
}

/**
 * Finds tzdb's Zone among names for the same clocks. zone1970.tab lists it for every country that uses it, and
 * zone.tab lists each alias for one country, so the name with the most countries is the Zone. A group without
 * countries is one of `NOBODYS_ZONES`, or a single name.
 */
function targetOf(names: readonly string[]): string {
  const uses = (name: string): number => COUNTRIES_USING.get(name) ?? (NOBODYS_ZONES.has(name) ? 0.5 : 0)
  return names.reduce((best, name) => (uses(name) > uses(best) ? name : best))
}

function countriesUsing(): ReadonlyMap<string, number> {
  const uses = new Map<string, number>()
  for (const country of packed.countries) {
    const names = country.split('|')[1] ?? ''
    for (const name of new Set(names.split(' '))) uses.set(name, (uses.get(name) ?? 0) + 1)
  }
  return uses
}
