// ulid-timestamp: the time inside a ULID. The maker of the id chose it, so it proves nothing.
import { normalizeUlid, ulidTime } from '../../../shared/proof/ulid.ts'
import { resultOf, textResult, wholeMember } from '../../contract/action.ts'
import { attribute } from '../../contract/attribute.ts'
import { anyText, type Failure, invalid, readAction } from './read_action.ts'

interface UlidTimestampResult {
  /** With milliseconds. Years beyond 9999 are written with a sign and six digits: `+010889-08-02T05:31:50.655Z`. */
  readonly iso8601: string
  readonly unix_ms: number
  /** As given. */
  readonly ulid: string
}

export function ulidTimestamp({ ulid }: { readonly ulid: string }): UlidTimestampResult | Failure {
  const canonical = normalizeUlid(ulid)
  if (canonical === undefined)
    return invalid(
      'ulid must be a ULID: 26 characters of Crockford base32 (no I, L, O or U), the first from 0 to 7',
    )
  const unixMs = ulidTime(canonical)
  return { iso8601: new Date(unixMs).toISOString(), unix_ms: unixMs, ulid }
}

export const ulidTimestampUtility = readAction({
  name: 'ulidTimestamp',
  tool: { name: 'ulid_timestamp', title: 'Time in a ULID' },
  http: 'POST /utilities/ulid-timestamp',
  graphql: 'ulidTimestamp',
  access: 'read',
  doc: 'The time inside a ULID, such as an item id. Informational: whoever makes an id chooses its time.',
  accepts: {
    ulid: attribute(anyText, 'A ULID of 26 characters, in either case.', { required: true }),
  },
  result: resultOf({
    iso8601: { ...textResult('UTC with milliseconds.'), format: 'date-time' },
    unix_ms: wholeMember('Milliseconds since 1970.'),
    ulid: textResult('As given.'),
  }),
  example: {
    data: { ulid: '01MB78W7FGY7TZHKNWE7WA3Z57' },
    result: {
      iso8601: '2027-01-01T00:02:30.000Z',
      unix_ms: 1_798_761_750_000,
      ulid: '01MB78W7FGY7TZHKNWE7WA3Z57',
    },
  },
  run: async (_, given) => ulidTimestamp({ ulid: given.ulid }),
})
