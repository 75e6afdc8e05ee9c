// The time inside an id comes out of every well-formed one, and other text is refused without a fault.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ulidTimestamp, uuidv7Timestamp } from '../../../server/domain/utilities/id_timestamp.ts'
import { ulidFrom, uuid7From } from '../../../server/kernel/identifiers.ts'
import { vectors } from '../../proof/vectors.ts'

const LAST_MS = 2 ** 48 - 1
const invalid = { ok: false, code: 'invalid', message: expect.any(String), retryable: false }
const mixCase = (text: string, mask: number): string =>
  [...text].map((c, i) => ((mask >> (i % 30)) & 1 ? c.toUpperCase() : c.toLowerCase())).join('')

describe.each([
  {
    name: 'uuidv7-timestamp',
    timeOf: (uuid: string) => uuidv7Timestamp({ uuid }),
    member: 'uuid',
    make: uuid7From,
    // RFC 9562 appendix A.6.
    published: '017F22E2-79B0-7CC3-98C4-DC0C0C07398F',
    publishedMs: 1_645_557_742_000,
    wrong: [
      '',
      '00000000-0000-4000-8000-000000000000',
      '01a2ce8e-9320-7630-cb7f-73edc8868b1d',
      '01a2ce8e93207630bb7f73edc8868b1d',
      ' 01a2ce8e-9320-7630-bb7f-73edc8868b1d',
      '{01a2ce8e-9320-7630-bb7f-73edc8868b1d}',
      '01a2ce8e-9320-7630-bb7f-73edc8868b1\u212a',
      '01MB78W7FGY7TZHKNWE7WA3Z57',
      '\0'.repeat(36),
      '-'.repeat(36),
      'a'.repeat(500_000),
    ],
  },
  {
    name: 'ulid-timestamp',
    timeOf: (ulid: string) => ulidTimestamp({ ulid }),
    member: 'ulid',
    make: ulidFrom,
    // Of the ULID specification.
    published: '01ARZ3NDEKTSV4RRFFQ69G5FAV',
    publishedMs: 1_469_922_850_259,
    wrong: [
      '',
      '8ZZZZZZZZZZZZZZZZZZZZZZZZZ',
      '01ARZ3NDEKTSV4RRFFQ69G5FAU',
      '01ARZ3NDEKTSV4RRFFQ69G5FAI',
      '01ARZ3NDEKTSV4RRFFQ69G5FA',
      '01ARZ3NDEKTSV4RRFFQ69G5FAVV',
      '01ARZ3NDEKTſV4RRFFQ69G5FAV',
      '01a2ce8e-9320-7630-bb7f-73edc8868b1d',
      '7'.repeat(500_000),
    ],
  },
])('$name', ({ timeOf, member, make, published, publishedMs, wrong }) => {
  const told = (id: string, ms: number, iso8601 = new Date(ms).toISOString()) => ({
    iso8601,
    unix_ms: ms,
    [member]: id,
  })

  it('reads the published example', () => {
    expect(timeOf(published)).toEqual(told(published, publishedMs))
  })

  it.each([
    [0, '1970-01-01T00:00:00.000Z'],
    [253_402_300_799_999, '9999-12-31T23:59:59.999Z'],
    [253_402_300_800_000, '+010000-01-01T00:00:00.000Z'],
    [LAST_MS, '+010889-08-02T05:31:50.655Z'],
  ])('reaches from the first millisecond to the last: %d', (ms, iso8601) => {
    const id = make(ms, new Uint8Array(10).fill(255))
    expect(timeOf(id)).toEqual(told(id, ms, iso8601))
  })

  it('accepts either case and echoes what was given', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: LAST_MS }),
        fc.uint8Array({ minLength: 10, maxLength: 10 }),
        fc.nat(),
        (ms, random, mask) => {
          const id = mixCase(make(ms, random), mask)
          expect(timeOf(id)).toEqual(told(id, ms))
        },
      ),
    )
  })

  it.each(wrong)('refuses %#', (id) => {
    expect(timeOf(id)).toEqual(invalid)
  })
})

it('agrees with the known answers of the format', () => {
  for (const { id, kind, unix_ms } of vectors.ids) {
    const answer = kind === 'ulid' ? ulidTimestamp({ ulid: id }) : uuidv7Timestamp({ uuid: id })
    expect(answer).toMatchObject(unix_ms === null ? { ok: false } : { unix_ms })
  }
})
