// Every IANA name is found, canonical as tzdb has it, and the clock it shows is right on both sides of every change.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import fc from 'fast-check'
import moment from 'moment-timezone'
import { describe, expect, it } from 'vitest'
import { isFailure } from '../../../server/domain/utilities/read_action.ts'
import { serverTime } from '../../../server/domain/utilities/server_time.ts'
import {
  canonicalTimeZone,
  everyTimeZone,
  suggestTimeZones,
} from '../../../server/domain/utilities/time_zone.ts'
import { CANONICAL_ALIASES, OTHER_ALIASES } from './tzdb_names.ts'

const at = (iso: string) => ({ now: () => Date.parse(iso) })
const show = async (iso: string, time_zone?: string) => {
  const answer = await serverTime(at(iso), { time_zone })
  if (isFailure(answer)) throw new Error(answer.message)
  return answer
}

/** Read anew from the file, without moment-timezone's code and without ours: offsets east in minutes, by span. */
interface Spans {
  readonly untils: readonly number[]
  readonly offsets: readonly number[]
  readonly abbreviations: readonly string[]
}
const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWX'
const sixty = (text: string): number => {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\w*)\.?(\w*)$/.exec(text) ?? []
  const value =
    [...whole].reduce((sum, digit) => 60 * sum + DIGITS.indexOf(digit), 0) +
    [...fraction].reduce((sum, digit, place) => sum + DIGITS.indexOf(digit) / 60 ** (place + 1), 0)
  return sign === '-' ? -value : value
}
/** Steps of minutes, each from the one before; seconds are fractions of a minute. */
function timesOf(steps: string): number[] {
  const times: number[] = []
  for (const step of steps.split(' ').filter((text) => text !== ''))
    times.push(Math.round((times.at(-1) ?? 0) + sixty(step) * 60_000))
  return times
}
const packed = JSON.parse(
  readFileSync(createRequire(import.meta.url).resolve('moment-timezone/data/packed/latest.json'), 'utf8'),
) as { zones: string[]; links: string[] }
const spansByName = new Map<string, Spans>(
  packed.zones.map((line) => {
    const [name = '', abbreviations = '', offsets = '', indices = '', untils = ''] = line.split('|')
    const order = [...indices].map(sixty)
    return [
      name,
      {
        abbreviations: order.map((index) => abbreviations.split(' ')[index] ?? ''),
        offsets: order.map((index) => -sixty(offsets.split(' ')[index] ?? '')),
        untils: timesOf(untils),
      },
    ]
  }),
)
for (const link of packed.links) {
  const [zone = '', alias = ''] = link.split('|')
  const spans = spansByName.get(zone)
  if (spans !== undefined) spansByName.set(alias, spans)
}
const spanAt = ({ untils, offsets, abbreviations }: Spans, ms: number) => {
  const passed = untils.filter((until) => until <= ms).length
  const index = Math.min(passed, offsets.length - 1)
  return { minutes: offsets[index] ?? Number.NaN, abbreviation: abbreviations[index] }
}
const offsetText = (minutes: number): string => {
  const size = Math.abs(minutes)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`
}

describe('canonical names', () => {
  it('knows every name that moment-timezone has, in any case', () => {
    const names = moment.tz.names()
    expect(names.length).toBeGreaterThan(590)
    expect([...everyTimeZone()].map(({ name }) => name).sort()).toEqual([...names].sort())
    for (const { name, canonical } of everyTimeZone())
      for (const written of [name, name.toLowerCase(), name.toUpperCase()])
        expect(canonicalTimeZone(written)).toBe(canonical)
  })

  it('is its own canonical name, and shows the same clock', () => {
    for (const { name, canonical } of everyTimeZone()) {
      expect(canonicalTimeZone(canonical)).toBe(canonical)
      const [asked, shown] = [spansByName.get(name), spansByName.get(canonical)]
      if (asked === undefined || shown === undefined) throw new Error(`${name} has no clock`)
      // Zones of rules alone became links to places whose clocks differ only before the rules were everybody's.
      if (!/^[CEMP]ST\d[CEMP]DT$/.test(name)) expect(shown).toBe(asked)
      else
        for (const until of asked.untils.filter((ms) => ms > 0))
          expect([name, spanAt(shown, until)]).toEqual([name, spanAt(asked, until)])
    }
  })

  it.each([
    ['UTC', 'Etc/UTC'],
    ['Zulu', 'Etc/UTC'],
    ['Etc/UCT', 'Etc/UTC'],
    ['GMT', 'Etc/GMT'],
    ['Etc/GMT-0', 'Etc/GMT'],
    ['Greenwich', 'Etc/GMT'],
    ['Etc/GMT+5', 'Etc/GMT+5'],
    ['US/Pacific', 'America/Los_Angeles'],
    ['Asia/Calcutta', 'Asia/Kolkata'],
    ['Europe/Amsterdam', 'Europe/Amsterdam'],
    ['Europe/Berlin', 'Europe/Berlin'],
    ['Europe/Kiev', 'Europe/Kyiv'],
    ['Europe/Kyiv', 'Europe/Kyiv'],
    ['Asia/Rangoon', 'Asia/Yangon'],
    ['America/Godthab', 'America/Nuuk'],
    ['America/Fort_Wayne', 'America/Indiana/Indianapolis'],
    ['US/East-Indiana', 'America/Indiana/Indianapolis'],
    ['Pacific/Enderbury', 'Pacific/Kanton'],
    ['Singapore', 'Asia/Singapore'],
    ['Asia/Kuala_Lumpur', 'Asia/Kuala_Lumpur'],
    ['Iceland', 'Atlantic/Reykjavik'],
    ['Antarctica/South_Pole', 'Antarctica/McMurdo'],
    ['Pacific/Truk', 'Pacific/Chuuk'],
    ['CST6CDT', 'America/Chicago'],
    ['US/Aleutian', 'America/Adak'],
    ['Atlantic/Reykjavik', 'Atlantic/Reykjavik'],
    ['GB', 'Europe/London'],
    ['NZ', 'Pacific/Auckland'],
  ])('%s is %s', (name, canonical) => {
    expect(canonicalTimeZone(name)).toBe(canonical)
  })

  it('stays at the place it was asked for, as Unicode knows it too', () => {
    const place = (timeZone: string) => new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone
    for (const { name, canonical } of everyTimeZone())
      expect([name, place(canonical)]).toEqual([name, place(name)])
  })

  it('agrees with tzdb itself: its zones, the aliases of zone.tab, and the targets of the others', () => {
    for (const name of CANONICAL_ALIASES) expect(canonicalTimeZone(name)).toBe(name)
    for (const [name, target] of Object.entries(OTHER_ALIASES))
      expect([name, canonicalTimeZone(name)]).toEqual([name, target])
    const aliases = new Set(Object.keys(OTHER_ALIASES))
    for (const { name, canonical } of everyTimeZone()) if (!aliases.has(name)) expect(canonical).toBe(name)
  })

  it.each([
    '',
    ' ',
    'Europe_Paris',
    'Europe/Paris ',
    'europe\\paris',
    'Europe/Paris\0',
    'Mars/Olympus',
    '+01:00',
    'PST',
    'toString',
    '__proto__',
    'constructor',
    'Americ\u0430/New_York',
    '\u212aUWAIT',
    'Africa/K\u0131nshasa',
    'x'.repeat(500_000),
  ])('does not know %#', (name) => {
    expect(canonicalTimeZone(name)).toBeUndefined()
  })
})

describe('server-time', () => {
  it('is in UTC unless said otherwise, to the second', async () => {
    expect(await show('2026-11-20T18:00:00.999Z')).toEqual({
      iso8601: '2026-11-20T18:00:00Z',
      utc_iso8601: '2026-11-20T18:00:00Z',
      unix: 1_795_197_600,
      time_zone: 'Etc/UTC',
      requested_time_zone: 'UTC',
      utc_offset: '+00:00',
      abbreviation: 'UTC',
    })
  })

  it('echoes the zone as it was asked for', async () => {
    const { requested_time_zone, time_zone } = await show('2026-11-20T18:00:00Z', 'uS/pAcIfIc')
    expect([requested_time_zone, time_zone]).toEqual(['uS/pAcIfIc', 'America/Los_Angeles'])
  })

  it.each([
    // Both sides of a change, to the second.
    ['2026-03-08T09:59:59Z', 'America/Los_Angeles', '2026-03-08T01:59:59-08:00', 'PST'],
    ['2026-03-08T10:00:00Z', 'America/Los_Angeles', '2026-03-08T03:00:00-07:00', 'PDT'],
    ['2026-11-01T08:59:59Z', 'America/Los_Angeles', '2026-11-01T01:59:59-07:00', 'PDT'],
    ['2026-11-01T09:00:00Z', 'America/Los_Angeles', '2026-11-01T01:00:00-08:00', 'PST'],
    ['2026-03-29T00:59:59Z', 'Europe/Amsterdam', '2026-03-29T01:59:59+01:00', 'CET'],
    ['2026-03-29T01:00:00Z', 'Europe/Amsterdam', '2026-03-29T03:00:00+02:00', 'CEST'],
    ['2026-10-03T15:30:00Z', 'Australia/Lord_Howe', '2026-10-04T02:30:00+11:00', '+11'],
    ['2026-10-03T15:29:59Z', 'Australia/Lord_Howe', '2026-10-04T01:59:59+10:30', '+1030'],
    // Winter as the time that is saved: Irish standard time is in summer.
    ['2026-07-01T12:00:00Z', 'Europe/Dublin', '2026-07-01T13:00:00+01:00', 'IST'],
    ['2026-01-01T12:00:00Z', 'Europe/Dublin', '2026-01-01T12:00:00+00:00', 'GMT'],
    // Zero is Z in UTC alone.
    ['2026-01-01T12:00:00Z', 'Europe/London', '2026-01-01T12:00:00+00:00', 'GMT'],
    ['2026-01-01T12:00:00Z', 'GMT', '2026-01-01T12:00:00+00:00', 'GMT'],
    ['2026-01-01T12:00:00Z', 'Zulu', '2026-01-01T12:00:00Z', 'UTC'],
    // No letters: the number tzdb has.
    ['2026-01-01T12:00:00Z', 'America/Sao_Paulo', '2026-01-01T09:00:00-03:00', '-03'],
    ['2026-01-01T12:00:00Z', 'Asia/Kathmandu', '2026-01-01T17:45:00+05:45', '+0545'],
    ['2026-01-01T12:00:00Z', 'Etc/GMT+5', '2026-01-01T07:00:00-05:00', '-05'],
    ['2026-01-01T12:00:00Z', 'Pacific/Guam', '2026-01-01T22:00:00+10:00', 'ChST'],
    // The ends of the day line.
    ['2026-01-01T12:00:00Z', 'Pacific/Kiritimati', '2026-01-02T02:00:00+14:00', '+14'],
    ['2026-01-01T12:00:00Z', 'Pacific/Chatham', '2026-01-02T01:45:00+13:45', '+1345'],
    ['2026-01-01T12:00:00Z', 'Pacific/Marquesas', '2026-01-01T02:30:00-09:30', '-0930'],
  ])('%s in %s is %s', async (utc, zone, iso8601, abbreviation) => {
    const answer = await show(utc, zone)
    expect(answer).toMatchObject({ iso8601, abbreviation, utc_iso8601: utc })
    expect(answer.iso8601).toBe(
      `${iso8601.slice(0, 19)}${answer.time_zone === 'Etc/UTC' ? 'Z' : answer.utc_offset}`,
    )
  })

  it('shows in every zone, before and after its changes of these decades, what the packed data say', async () => {
    const from = Date.UTC(2020)
    const to = Date.UTC(2050)
    for (const { name, canonical } of everyTimeZone()) {
      const spans = spansByName.get(name)
      if (spans === undefined) throw new Error(`${name} is not in the file`)
      const changes = spans.untils.filter((until) => until > from && until < to)
      for (const change of [from, to, ...changes.slice(0, 3), ...changes.slice(-3)])
        for (const ms of [change - 1000, change]) {
          const { minutes, abbreviation } = spanAt(spans, ms)
          const shown = await show(new Date(ms).toISOString(), name)
          expect(shown).toEqual({
            iso8601: `${new Date(ms + minutes * 60_000).toISOString().slice(0, 19)}${canonical === 'Etc/UTC' ? 'Z' : offsetText(minutes)}`,
            utc_iso8601: `${new Date(ms).toISOString().slice(0, 19)}Z`,
            unix: ms / 1000,
            time_zone: canonical,
            requested_time_zone: name,
            utc_offset: offsetText(minutes),
            abbreviation,
          })
        }
    }
  })

  it('agrees with Intl on the offset, wherever Intl knows the zone', async () => {
    let compared = 0
    for (const name of moment.tz.names())
      for (const iso of ['2024-01-15T12:00:00Z', '2024-07-15T12:00:00Z']) {
        let named: string | undefined
        try {
          named = new Intl.DateTimeFormat('en', { timeZone: name, timeZoneName: 'longOffset' })
            .formatToParts(Date.parse(iso))
            .find(({ type }) => type === 'timeZoneName')?.value
        } catch {
          continue
        }
        const offset = named === 'GMT' ? '+00:00' : named?.replace('GMT', '')
        expect([name, (await show(iso, name)).utc_offset]).toEqual([name, offset])
        compared += 1
      }
    expect(compared).toBeGreaterThan(1_100)
  })

  it('holds at any time, whatever the zone: local time less offset is UTC', async () => {
    const names = moment.tz.names()
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: -6_000_000_000_000, max: 253_000_000_000_000 }),
        fc.constantFrom(...names),
        async (ms, name) => {
          const shown = await show(new Date(ms).toISOString(), name)
          expect(Date.parse(shown.iso8601)).toBe(shown.unix * 1000)
          expect(Date.parse(shown.utc_iso8601)).toBe(Math.floor(ms / 1000) * 1000)
          expect(shown.iso8601).not.toContain('.')
          expect(shown.utc_offset).toMatch(/^[+-]\d\d:\d\d$/)
          expect(shown.abbreviation).toMatch(/^([A-Za-z]+|[+-]\d{2,4})$/)
          expect('ok' in shown).toBe(false)
        },
      ),
      { numRuns: 500 },
    )
  })
})

describe('a zone that does not exist', () => {
  it.each([
    ['Europe/Zurch', 'Europe/Zurich'],
    ['zurich', 'Europe/Zurich'],
    ['Los Angeles', 'America/Los_Angeles'],
    ['america/new york', 'America/New_York'],
    ['Asia/Calcuta', 'Asia/Kolkata'],
    ['Europe_Paris', 'Europe/Paris'],
    ['UTZ', 'Etc/UTC'],
    ['US/Pacfic', 'America/Los_Angeles'],
    ['York', 'America/New_York'],
  ])('%s suggests %s', async (asked, near) => {
    const answer = await serverTime(at('2026-01-01T00:00:00Z'), { time_zone: asked })
    expect(answer).toEqual({
      ok: false,
      code: 'invalid',
      message: expect.stringMatching(`unknown time zone: did you mean .*${near}`),
      retryable: false,
    })
  })

  it.each(['', '   ', 'xyzzy-plugh-frotz', '\0', '時間', 'x'.repeat(500_000), ' '.repeat(500_000)])(
    'far from everything (%#) is told names that exist',
    async (asked) => {
      expect(await serverTime(at('2026-01-01T00:00:00Z'), { time_zone: asked })).toMatchObject({
        ok: false,
        code: 'invalid',
        message: expect.stringContaining('Etc/UTC'),
      })
    },
  )

  it('suggests at most three canonical names, and never repeats what was asked', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 80 }), (asked) => {
        const near = suggestTimeZones(asked)
        expect(near.length).toBeLessThanOrEqual(3)
        for (const name of near) expect(canonicalTimeZone(name)).toBe(name)
      }),
      { numRuns: 50 },
    )
  })

  it('does not ask for the time', async () => {
    const now = () => {
      throw new Error('asked')
    }
    expect(await serverTime({ now }, { time_zone: 'nowhere' })).toMatchObject({ ok: false })
  })
})
