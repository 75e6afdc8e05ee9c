// Claims: what is hashed is what was sent, less its nulls; everything wrong is said at once.
import { describe, expect, it } from 'vitest'
import { toHex } from '../../shared/proof/bytes.ts'
import { checkClaims, dropNulls, HASH_TYPES, MAX_CANONICAL_CLAIMS_BYTES } from '../../shared/proof/claims.ts'
import { jsonHash } from '../../shared/proof/composites.ts'
import { instantMs } from '../../shared/proof/instant.ts'
import { canonicalJson, isJsonObject, type JsonObject } from '../../shared/proof/json_value.ts'
import { readStrictJson } from '../../shared/proof/strict_json.ts'
import { vectors } from './vectors.ts'

const words = 'A description of thirty-two or more characters.'
const good: JsonObject = { name: 'x', description: words }

describe('null-dropping', () => {
  it.each(vectors.null_dropping)(
    'known answer with claims hash $claims_hash',
    ({ submitted, stored, claims_hash }) => {
      const kept = dropNulls(submitted)
      expect(canonicalJson(kept)).toBe(canonicalJson(stored))
      expect(toHex(jsonHash('items_claims', kept))).toBe(claims_hash)
    },
  )

  it('leaves what was given as it was, and members called __proto__ alone', () => {
    const text = '{"__proto__":{"a":null},"location":{"__proto__":1,"latitude":null},"name":null}'
    const claims = readStrictJson(text)
    expect(isJsonObject(claims) && canonicalJson(dropNulls(claims))).toBe(
      '{"__proto__":{"a":null},"location":{"__proto__":1}}',
    )
    expect(canonicalJson(claims)).toBe(text)
  })
})

describe('claims are accepted', () => {
  it.each(vectors.items)('known item $name', ({ claims }) => expect(checkClaims(claims)).toEqual([]))

  it.each<[string, JsonObject]>([
    ['a digest with its type', { name: 'x', hash: 'ab'.repeat(16), hash_type: 'md5' }],
    ['32 characters of description', { name: 'x', description: 'd'.repeat(32) }],
    ['32 code points of description', { name: 'x', description: '😀'.repeat(32) }],
    ['metadata instead of a digest', { name: 'x', metadata: { a: null } }],
    ['names of 64 code points', { ...good, name: '😀'.repeat(64) }],
    ['descriptions of 256 code points', { name: 'x', description: '😀'.repeat(256) }],
    ['an https address', { ...good, url: 'https://example.com/' }],
    ['the poles and the date line', { ...good, location: { latitude: -90, longitude: 180 } }],
    ['U+0000 inside metadata', { name: 'x', metadata: { 'a\0': '\0' } }],
  ])('%s', (_, claims) => expect(checkClaims(claims)).toEqual([]))

  it.each(Object.entries(HASH_TYPES))('%s of %i characters', (hash_type, length) => {
    expect(checkClaims({ name: 'x', hash: 'a'.repeat(length), hash_type })).toEqual([])
    expect(checkClaims({ name: 'x', hash: 'a'.repeat(length + 2), hash_type })).toMatchObject([
      { path: ['hash'], reason: 'wrong_length' },
    ])
  })
})

describe('claims are refused', () => {
  it.each<[string, JsonObject, [string, string][]]>([
    [
      'without anything',
      {},
      [
        ['name', 'required'],
        ['hash', 'required'],
      ],
    ],
    ['without a name', { description: words }, [['name', 'required']]],
    ['with an empty name', { ...good, name: '' }, [['name', 'too_short']]],
    ['with a name of 65', { ...good, name: '😀'.repeat(65) }, [['name', 'too_long']]],
    ['with a name that is no string', { ...good, name: 1 }, [['name', 'wrong_type']]],
    ['with U+0000 in the name', { ...good, name: 'a\0' }, [['name', 'nul_character']]],
    [
      'with U+0000 in the description',
      { ...good, description: `${words}\0` },
      [['description', 'nul_character']],
    ],
    ['with a description of 257', { name: 'x', description: 'd'.repeat(257) }, [['description', 'too_long']]],
    ['with 31 characters and no digest', { name: 'x', description: '😀'.repeat(31) }, [['hash', 'required']]],
    ['with empty metadata and no digest', { name: 'x', metadata: {} }, [['hash', 'required']]],
    ['with a hash alone', { ...good, hash: 'ab'.repeat(16) }, [['hash_type', 'required']]],
    ['with a hash_type alone', { ...good, hash_type: 'md5' }, [['hash', 'required']]],
    [
      'with an uppercase hash',
      { name: 'x', hash: 'AB'.repeat(16), hash_type: 'md5' },
      [['hash', 'uppercase_hex']],
    ],
    [
      'with a hash that is no hex',
      { name: 'x', hash: 'zz'.repeat(16), hash_type: 'md5' },
      [['hash', 'not_hex']],
    ],
    ['with a hash that is no string', { name: 'x', hash: 1, hash_type: 'md5' }, [['hash', 'wrong_type']]],
    [
      'with a hash that does not fit',
      { name: 'x', hash: 'ab'.repeat(16), hash_type: 'sha1' },
      [['hash', 'wrong_length']],
    ],
    [
      'with an unknown type',
      { name: 'x', hash: 'ab'.repeat(16), hash_type: 'SHA256' },
      [['hash_type', 'unknown_hash_type']],
    ],
    [
      'with an inherited type',
      { name: 'x', hash: 'ab'.repeat(16), hash_type: 'toString' },
      [['hash_type', 'unknown_hash_type']],
    ],
    [
      'with an odd hash of no known type',
      { name: 'x', hash: 'a'.repeat(33), hash_type: 'x' },
      [
        ['hash', 'wrong_length'],
        ['hash_type', 'unknown_hash_type'],
      ],
    ],
    [
      'with a hash of 30',
      { ...good, hash: 'ab'.repeat(15) },
      [
        ['hash', 'wrong_length'],
        ['hash_type', 'required'],
      ],
    ],
    [
      'with a hash of 130',
      { ...good, hash: 'ab'.repeat(65) },
      [
        ['hash', 'wrong_length'],
        ['hash_type', 'required'],
      ],
    ],
    ['with http', { ...good, url: 'http://example.com/' }, [['url', 'not_https']]],
    ['with HTTPS', { ...good, url: 'HTTPS://example.com/' }, [['url', 'not_https']]],
    [
      'with a day that is none',
      { ...good, timestamp: '2027-02-29T00:00:00Z' },
      [['timestamp', 'not_iso_8601']],
    ],
    ['with a timestamp in seconds', { ...good, timestamp: 1798761750 }, [['timestamp', 'wrong_type']]],
    ['with half a location', { ...good, location: { latitude: 1 } }, [['location.longitude', 'required']]],
    [
      'with an altitude',
      { ...good, location: { latitude: 1, longitude: 1, altitude: 1 } },
      [['location.altitude', 'unknown_member']],
    ],
    [
      'off the globe',
      { ...good, location: { latitude: 90.1, longitude: -180.1 } },
      [
        ['location.latitude', 'out_of_range'],
        ['location.longitude', 'out_of_range'],
      ],
    ],
    [
      'with a location in words',
      { ...good, location: { latitude: '1', longitude: null } },
      [
        ['location.latitude', 'wrong_type'],
        ['location.longitude', 'wrong_type'],
      ],
    ],
    ['with a list for a location', { ...good, location: [1, 2] }, [['location', 'wrong_type']]],
    ['with a list for metadata', { ...good, metadata: [] }, [['metadata', 'wrong_type']]],
    ['with another member', { ...good, constructor: 1 }, [['constructor', 'unknown_member']]],
    [
      'with a big integer',
      { ...good, metadata: { n: [2n ** 53n] } },
      [['metadata.n.0', 'integer_out_of_range']],
    ],
    ['with an empty member name', { ...good, metadata: { '': 1 } }, [['metadata.', 'empty_member_name']]],
  ])('%s', (_, claims, expected) => {
    expect(checkClaims(claims).map(({ path, reason }) => [path.join('.'), reason])).toEqual(expected)
  })

  it('nested 17 deep, not 16', () => {
    const nested = (depth: number): JsonObject => {
      let value: JsonObject = {}
      for (let i = 2; i < depth; i++) value = { a: value }
      return { ...good, metadata: value }
    }
    expect(checkClaims(nested(16))).toEqual([])
    expect(checkClaims(nested(17))).toMatchObject([{ reason: 'too_deep' }])
  })

  it('for every reason at once', () => {
    const claims: JsonObject = {
      name: '',
      hash: 'XYZ',
      url: 'ftp:',
      timestamp: 'now',
      location: {},
      metadata: 1,
      extra: 1,
    }
    expect(checkClaims(claims).map(({ path }) => path.join('.'))).toEqual([
      'name',
      'hash',
      'hash',
      'url',
      'timestamp',
      'location.latitude',
      'location.longitude',
      'metadata',
      'hash_type',
      'extra',
    ])
  })

  it('with words that say why uppercase is', () => {
    const [problem] = checkClaims({ name: 'x', hash: 'AB'.repeat(16), hash_type: 'md5' })
    expect(problem?.message).toContain('what is hashed is exactly what was sent')
  })

  it('beyond 65,536 bytes by the caller', () => expect(MAX_CANONICAL_CLAIMS_BYTES).toBe(65536))
})

describe('timestamps', () => {
  it.each([
    ['1970-01-01T00:00:00Z', 0],
    ['2027-01-01T00:01:40Z', 1798761700000],
    ['2027-01-01T02:01:40.5+02:00', 1798761700500],
    ['2026-12-31T18:31:40.1239-05:30', 1798761700123],
    ['2028-02-29T23:59:59Z', Date.UTC(2028, 1, 29, 23, 59, 59)],
    ['2000-02-29T00:00:00Z', Date.UTC(2000, 1, 29)],
    ['0099-12-31T00:00:00Z', Date.parse('0099-12-31T00:00:00Z')],
    ['9999-12-31T23:59:59.999Z', Date.UTC(9999, 11, 31, 23, 59, 59, 999)],
  ])('%s is a moment', (text, ms) => expect(instantMs(text)).toBe(ms))

  it.each([
    '',
    '2027-01-01',
    '2027-01-01T00:00Z',
    '2027-01-01T00:00:00',
    '2027-01-01 00:00:00Z',
    '2027-01-01t00:00:00z',
    '2027-1-1T00:00:00Z',
    '2027-00-01T00:00:00Z',
    '2027-13-01T00:00:00Z',
    '2027-01-00T00:00:00Z',
    '2027-04-31T00:00:00Z',
    '2100-02-29T00:00:00Z',
    '2027-01-01T24:00:00Z',
    '2027-01-01T00:60:00Z',
    '2016-12-31T23:59:60Z',
    '2027-01-01T00:00:00+24:00',
    '2027-01-01T00:00:00+00:60',
    '2027-01-01T00:00:00+0200',
    '2027-01-01T00:00:00.Z',
    '2027-01-01T00:00:00Z\n',
    '+12027-01-01T00:00:00Z',
    '٢٠٢٧-01-01T00:00:00Z',
  ])('%j is none', (text) => expect(instantMs(text)).toBeUndefined())
})
