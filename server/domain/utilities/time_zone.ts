// Time zones: their names as the time zone database has them, and names like one that it does not have.
import moment from 'moment-timezone'
import packed from 'moment-timezone/data/packed/latest.json' with { type: 'json' }

/**
 * Names that link to the zone of another country with the same clocks. The name's own place, which `zone.tab` lists,
 * is given in a comment of that file (`Link Africa/Abidjan Iceland #= Atlantic/Reykjavik`).
 */
const OWN_PLACES = {
  'Africa/Asmera': 'Africa/Asmara',
  'Africa/Timbuktu': 'Africa/Bamako',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Virgin': 'America/St_Thomas',
  'Antarctica/South_Pole': 'Antarctica/McMurdo',
  'Atlantic/Jan_Mayen': 'Arctic/Longyearbyen',
  Iceland: 'Atlantic/Reykjavik',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
  'Pacific/Yap': 'Pacific/Chuuk',
} as const

/** Zones without a place, which are links since tzdb 2024b. The data still has them as zones. */
const FORMER_RULE_ZONES = {
  CST6CDT: 'America/Chicago',
  EST5EDT: 'America/New_York',
  MST7MDT: 'America/Denver',
  PST8PDT: 'America/Los_Angeles',
} as const

const TZDB_BACKWARD: ReadonlyMap<string, string> = new Map(
  Object.entries({ ...OWN_PLACES, ...FORMER_RULE_ZONES }),
)

/** Ignores case. Returns undefined when the text is no IANA name. */
export function findTimeZone(name: string) {
  const canonical = canonicalTimeZone(name)
  const zone = canonical === undefined ? null : moment.tz.zone(canonical)
  if (canonical === undefined || zone === null) return undefined
  return {
    /** Canonical. */
    name: canonical,
    /**
     * Whole minutes east of Greenwich. Local mean times of the 19th century have seconds, which ISO 8601 offsets cannot
     * express.
     */
    offsetAt: (ms: number): number => 0 - Math.round(zone.utcOffset(ms)),
    /** Letters such as `CEST`, or tzdb's numeric form such as `-03` or `+0545` where a zone has none. */
    abbreviationAt: (ms: number): string => zone.abbr(ms),
  }
}

/** e.g. `US/Pacific` → `America/Los_Angeles`, `Iceland` → `Atlantic/Reykjavik`, `Europe/Amsterdam` → itself. */
export function canonicalTimeZone(name: string): string | undefined {
  // moment-timezone's own lookup also accepts `Europe_Paris`. Case is folded in ASCII only.
  if (name.length > LONGEST_NAME || !/^[A-Za-z0-9_+\-/]+$/.test(name)) return undefined
  return CANONICAL.get(name.toLowerCase())
}

/** No IANA name is longer. The longest name has 32 characters at present. */
const LONGEST_NAME = 64

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

/**
 * Returns up to three canonical names, nearest first, or none. Work is bounded for any input: only the beginning of
 * the text is compared, and names of a very different length are skipped.
 */
export function suggestTimeZones(text: string): string[] {
  const wanted = text
    .slice(0, LONGEST_NAME + 1)
    .trim()
    .toLowerCase()
    .replace(/\s+/g, '_')
  if (wanted === '' || wanted.length > LONGEST_NAME) return []
  const farthest = Math.min(MOST_MISTAKES, Math.max(1, Math.floor(wanted.length / 3)))
  const nearest = new Map<string, number>()
  for (const { spellings, canonical } of CANDIDATES) {
    const distance = Math.min(...spellings.map((spelling) => distanceTo(wanted, spelling, farthest)))
    if (distance <= farthest && distance < (nearest.get(canonical) ?? Number.POSITIVE_INFINITY))
      nearest.set(canonical, distance)
  }
  return [...nearest]
    .sort(([a, near], [b, far]) => near - far || (a < b ? -1 : 1))
    .slice(0, MOST_SUGGESTIONS)
    .map(([name]) => name)
}

const MOST_SUGGESTIONS = 3

/** A text with more wrong letters means something else. This also keeps the comparison short. */
const MOST_MISTAKES = 4

/** People leave out the continent, so each name can also be found by its last part. */
const CANDIDATES = [...everyTimeZone()].map(({ name, canonical }) => {
  const whole = name.toLowerCase()
  const city = whole.slice(whole.lastIndexOf('/') + 1)
  return { canonical, spellings: city === whole ? [whole] : [whole, city] }
})

/** Levenshtein distance. A name that contains the text is at most `farthest` away. Returns infinity beyond `farthest`. */
function distanceTo(wanted: string, name: string, farthest: number): number {
  if (wanted.length >= 4 && name.includes(wanted)) return Math.min(farthest, name.length - wanted.length)
  if (Math.abs(wanted.length - name.length) > farthest) return Number.POSITIVE_INFINITY
  let above = Uint8Array.from({ length: name.length + 1 }, (_, index) => index)
  let row = new Uint8Array(above.length)
  for (let i = 1; i <= wanted.length; i++) {
    row[0] = i
    let least = i
    const character = wanted.charCodeAt(i - 1)
    for (let j = 1; j <= name.length; j++) {
      const replaced = (above[j - 1] ?? 0) + (character === name.charCodeAt(j - 1) ? 0 : 1)
      const value = Math.min(replaced, (above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1)
      row[j] = value
      least = Math.min(least, value)
    }
    if (least > farthest) return Number.POSITIVE_INFINITY
    const done = above
    above = row
    row = done
  }
  return above.at(-1) ?? Number.POSITIVE_INFINITY
}
