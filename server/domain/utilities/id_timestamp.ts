// uuidv7-timestamp and ulid-timestamp: the time inside a UUIDv7 (RFC 9562 section 5.7) or a ULID. The maker of the id
// chose it, so it proves nothing.
import { normalizeUlid, normalizeUuid7, ulidTime, uuid7Time } from '../../../shared/proof/ids.ts'
import { attribute } from '../../contract/attribute.ts'
import { resultOf, textResult, wholeMember } from '../../contract/operation.ts'
import { anyText, invalid, readAction } from './read_action.ts'

/**
 * 48 bits of milliseconds end in the year 10889; a Date reaches the year 275760. Years beyond 9999 are written with a sign
 * and six digits: `+010889-08-02T05:31:50.655Z`.
 */
const timeOf = (unixMs: number) => ({ iso8601: new Date(unixMs).toISOString(), unix_ms: unixMs })

const TIME = {
  iso8601: { ...textResult('UTC with milliseconds.'), format: 'date-time' },
  unix_ms: wholeMember('Milliseconds since 1970.'),
}

export function uuidv7Timestamp({ uuid }: { readonly uuid: string }) {
  const canonical = normalizeUuid7(uuid)
  const unixMs = canonical === undefined ? undefined : uuid7Time(canonical)
  if (unixMs === undefined)
    return invalid('uuid must be a UUIDv7: 36 characters with hyphens, version 7 and the RFC 9562 variant')
  return { ...timeOf(unixMs), uuid }
}

export function ulidTimestamp({ ulid }: { readonly ulid: string }) {
  const canonical = normalizeUlid(ulid)
  if (canonical === undefined)
    return invalid(
      'ulid must be a ULID: 26 characters of Crockford base32 (no I, L, O or U), the first from 0 to 7',
    )
  return { ...timeOf(ulidTime(canonical)), ulid }
}

export const uuidv7TimestampUtility = readAction({
  name: 'uuidv7Timestamp',
  tool: { name: 'uuidv7_timestamp', title: 'Time in a UUIDv7' },
  http: 'POST /utilities/uuidv7-timestamp',
  doc: 'The time inside a UUIDv7, such as a block id. Informational: whoever makes an id chooses its time.',
  accepts: {
    uuid: attribute(anyText, 'A UUIDv7 of 36 characters, in either case.', { required: true }),
  },
  result: resultOf({ ...TIME, uuid: textResult('As given.') }),
  example: {
    data: { uuid: '01a2ce8e-9320-7630-bb7f-73edc8868b1d' },
    result: {
      iso8601: '2027-01-01T00:03:00.000Z',
      unix_ms: 1_798_761_780_000,
      uuid: '01a2ce8e-9320-7630-bb7f-73edc8868b1d',
    },
  },
  run: async (_, given) => uuidv7Timestamp(given),
})

export const ulidTimestampUtility = readAction({
  name: 'ulidTimestamp',
  tool: { name: 'ulid_timestamp', title: 'Time in a ULID' },
  http: 'POST /utilities/ulid-timestamp',
  doc: 'The time inside a ULID, such as an item id. Informational: whoever makes an id chooses its time.',
  accepts: {
    ulid: attribute(anyText, 'A ULID of 26 characters, in either case.', { required: true }),
  },
  result: resultOf({ ...TIME, ulid: textResult('As given.') }),
  example: {
    data: { ulid: '01MB78W7FGY7TZHKNWE7WA3Z57' },
    result: {
      iso8601: '2027-01-01T00:02:30.000Z',
      unix_ms: 1_798_761_750_000,
      ulid: '01MB78W7FGY7TZHKNWE7WA3Z57',
    },
  },
  run: async (_, given) => ulidTimestamp(given),
})
