// What a pasted text names: ids, hashes, heights and times, in any spelling, and nothing in any other text.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Named, readNames } from '../../shared/search/read_names.ts'

const NOW = Date.UTC(2027, 0, 2, 12, 30)
const DAY = 86_400_000
const named = (text: string) => readNames(text, NOW)
const time = (from: string, until: string | null): Named => ({
  kind: 'time',
  from: Date.parse(from),
  until: until === null ? null : Date.parse(until),
})

const ULID = '01MB78W7FGY7TZHKNWE7WA3Z57'
const UUID = '01a2ce8e-9320-7630-bb7f-73edc8868b1d'
const HASH = '77b87c8129f32320a030b0628d8e30cca99e23e3b117b13097d619c30c0b662a'

describe('an id or a hash', () => {
  it.each([
    [ULID.toLowerCase(), { kind: 'item', id: ULID }],
    [` ${UUID.toUpperCase()}\n`, { kind: 'id', id: UUID }],
    [HASH.toUpperCase(), { kind: 'hash', hash: HASH }],
    ['a'.repeat(128), { kind: 'digest', digest: 'a'.repeat(128) }],
    [`msg_${ULID}`, { kind: 'message', id: `msg_${ULID}` }],
    [`https://pharos.example/items/${ULID}?x=1`, { kind: 'item', id: ULID }],
    [`"block_id":"${UUID}"`, { kind: 'id', id: UUID }],
    [`sha256:${HASH}  report.pdf`, { kind: 'hash', hash: HASH }],
  ])('%s', (text, expected) => {
    expect(named(text)).toEqual([expected])
  })

  it('is found once, and not more than a few times, in a longer text', () => {
    expect(named(`${UUID} ${UUID} ${ULID}`)).toEqual([
      { kind: 'id', id: UUID },
      { kind: 'item', id: ULID },
    ])
    const many = Array.from({ length: 30 }, (_, index) => index.toString(16).padStart(64, '0'))
    expect(named(many.join('\n'))).toHaveLength(4)
    expect(named(HASH.padEnd(3_000, ' x'))).toEqual([])
  })

  it('is nothing when a character is missing or another version of UUID', () => {
    expect([HASH.slice(1), ULID.slice(1), UUID.replace('-7', '-4'), 'phk_abc', ''].flatMap(named)).toEqual([])
  })
})

describe('a height', () => {
  it.each(['4711', '4,711', '#4711', 'block 4 711', 'Height 4711'])('%s', (text) => {
    expect(named(text)).toEqual([{ kind: 'height', height: 4_711 }])
  })
  it('is below 2^31', () => {
    expect(named('2147483648')).not.toContainEqual({ kind: 'height', height: 2_147_483_648 })
  })
})

describe('a time', () => {
  it.each([
    ['yesterday', time('2027-01-01T00:00:00Z', '2027-01-02T00:00:00Z')],
    ['Yesterday 14:02', time('2027-01-01T14:02:00Z', '2027-01-01T14:03:00Z')],
    ['today', time('2027-01-02T00:00:00Z', '2027-01-03T00:00:00Z')],
    ['2026-12-24', time('2026-12-24T00:00:00Z', '2026-12-25T00:00:00Z')],
    ['2026-12-24 18:00:05', time('2026-12-24T18:00:05Z', '2026-12-24T18:00:06Z')],
    ['2026-12-24 18:00:05 UTC', time('2026-12-24T18:00:05Z', '2026-12-24T18:00:06Z')],
    ['2026-12-24T18:00:05.120Z', time('2026-12-24T18:00:05.120Z', null)],
    ['2026-12-24T18:00+02:00', time('2026-12-24T16:00:00Z', '2026-12-24T16:01:00Z')],
    ['11:15', time('2027-01-02T11:15:00Z', '2027-01-02T11:16:00Z')],
    ['14:02', time('2027-01-01T14:02:00Z', '2027-01-01T14:03:00Z')],
    ['90 min ago', time('2027-01-02T11:00:00Z', null)],
    ['2 days ago', time('2026-12-31T00:00:00Z', '2027-01-01T00:00:00Z')],
    ['1798761600000', time('2027-01-01T00:00:00Z', null)],
  ])('%s', (text, expected) => {
    expect(named(text)).toEqual([expected])
  })

  it('of ten digits may be a height too', () => {
    expect(named('1798761600')).toEqual([
      { kind: 'height', height: 1_798_761_600 },
      time('2027-01-01T00:00:00Z', null),
    ])
  })

  it('is not to come, and is on the calendar', () => {
    expect(['2027-01-03', '2026-02-30', '25:00', '2026-13-01', '9999999 days ago'].flatMap(named)).toEqual([])
  })

  it('that the console writes is read as the same time', () => {
    fc.assert(
      fc.property(fc.integer({ min: NOW - 3_000 * DAY, max: NOW }), (ms) => {
        const iso = new Date(ms).toISOString()
        const [read] = named(`${iso.slice(0, 10)} ${iso.slice(11, 23)}`)
        return read?.kind === 'time' && read.from === ms
      }),
    )
  })
})

it('no text at all makes it fail', () => {
  fc.assert(fc.property(fc.string({ maxLength: 300 }), (text) => Array.isArray(named(text))))
})
