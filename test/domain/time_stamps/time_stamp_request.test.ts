// Requests for time stamps are read strictly: what is taken is copied byte for byte, and all else is refused as RFC 3161
// says it.
import { describe, expect, it } from 'vitest'
import {
  type Failure,
  REQUEST_CEILINGS,
  readTimeStampRequest,
  TimeStampRefused,
  type TimeStampRequest,
} from '../../../server/domain/time_stamps/time_stamp_request.ts'
import { oid } from '../../../shared/time_stamps/write_der.ts'
import { NULL, nonce, type Query, queryOf, TRUE } from '../../support/time_stamps/query.ts'
import { id, tlv } from '../../support/time_stamps/second_der.ts'

const POLICY = oid('2.25.329800735698586629295641978511506172918')
const read = (bytes: Uint8Array): TimeStampRequest => readTimeStampRequest(bytes, POLICY)

/** What it was refused as. Undefined when it was taken. Anything else that is thrown is a fault. */
function failureOf(bytes: Uint8Array): Failure | undefined {
  try {
    read(bytes)
    return undefined
  } catch (error) {
    if (error instanceof TimeStampRefused) return error.failure
    throw error
  }
}

const EXTENSIONS = tlv(0xa0, tlv(0x30, id('other'), tlv(0x04, Buffer.of(5, 0))))
const FULL = queryOf({ rest: [Buffer.from(POLICY), nonce('00ff01'), TRUE] })

describe('what is taken', () => {
  it.each([
    ['sha256', 32],
    ['sha384', 48],
    ['sha512', 64],
    ['sha3_256', 32],
    ['sha3_384', 48],
    ['sha3_512', 64],
  ] as const)('is a digest by %s, with parameters and without', (hash, bytes) => {
    for (const parameters of [NULL, Buffer.of()]) {
      const digest = Buffer.alloc(bytes, 9)
      const imprint = tlv(0x30, tlv(0x30, id(hash), parameters), tlv(0x04, digest))
      expect(read(queryOf({ hash, digest, parameters }))).toEqual({
        imprint: imprint,
        nonce: undefined,
        wantsCertificates: false,
      })
    }
  })

  it('is a policy of ours, a nonce of up to 32 bytes, and the wish for certificates', () => {
    expect(read(FULL)).toMatchObject({ nonce: nonce('00ff01'), wantsCertificates: true })
    for (const hex of ['00', '7f', '80', 'ff7f', `7f${'ab'.repeat(31)}`])
      expect(read(queryOf({ rest: [nonce(hex)] })).nonce).toEqual(nonce(hex))
  })
})

describe('what is refused', () => {
  const cases: readonly (readonly [string, Failure, Query])[] = [
    ['another version', 'bad_request', { version: tlv(0x02, Buffer.of(2)) }],
    ['the version 257', 'bad_request', { version: tlv(0x02, Buffer.of(1, 1)) }],
    ['SHA-1', 'bad_alg', { hash: 'sha1', digest: Buffer.alloc(20) }],
    ['an unknown hash function', 'bad_alg', { hash: 'other' }],
    ['parameters of a hash function', 'bad_alg', { parameters: tlv(0x30) }],
    ['a digest of another length', 'bad_data_format', { digest: Buffer.alloc(31) }],
    ['a digest of the length of another function', 'bad_data_format', { hash: 'sha512' }],
    ['an empty digest', 'bad_data_format', { digest: Buffer.of() }],
    ['another policy', 'unaccepted_policy', { rest: [id('other')] }],
    ['a nonce of 33 bytes', 'bad_request', { rest: [nonce(`7f${'00'.repeat(32)}`)] }],
    ['an extension', 'unaccepted_extension', { rest: [EXTENSIONS] }],
    ['an extension behind all else', 'unaccepted_extension', { rest: [nonce('05'), TRUE, EXTENSIONS] }],
    ['parts in another order', 'bad_data_format', { rest: [TRUE, nonce('05')] }],
    ['a part twice', 'bad_data_format', { rest: [nonce('05'), nonce('05')] }],
    ['an unknown part', 'bad_data_format', { rest: [tlv(0xa1, nonce('05'))] }],
    ['a default that is written', 'bad_data_format', { rest: [tlv(0x01, Buffer.of(0))] }],
    ['a TRUE that is not 255', 'bad_data_format', { rest: [tlv(0x01, Buffer.of(1))] }],
    ['a nonce with a zero too many', 'bad_data_format', { rest: [nonce('0001')] }],
    ['a nonce with a sign too many', 'bad_data_format', { rest: [nonce('ff80')] }],
    ['an empty nonce', 'bad_data_format', { rest: [nonce('')] }],
    ['a NULL that is not empty', 'bad_data_format', { parameters: tlv(0x05, Buffer.of(0)) }],
  ]
  it.each(cases)('is %s', (_, failure, query) => {
    expect(failureOf(queryOf(query))).toBe(failure)
  })

  it.each([
    ['nothing', ''],
    ['text', Buffer.from('GET / HTTP/1.1').toString('hex')],
    ['an empty SEQUENCE', '3000'],
    ['a length that is not said', `3080${FULL.subarray(2).toString('hex')}0000`],
    ['a length with a byte too many', `3081${FULL.subarray(1).toString('hex')}`],
    ['a length of five bytes', `30850000000001${FULL.subarray(2).toString('hex')}`],
    ['a length beyond all', '3084ffffffff'],
    ['a byte behind the end', `${FULL.toString('hex')}00`],
    ['another request behind the end', FULL.toString('hex').repeat(2)],
    ['a tag of several bytes', '3f8101020101'],
    ['a SET', FULL.toString('hex').replace(/^30/, '31')],
    ['an OCTET STRING in pieces', queryOf({ rest: [tlv(0x24, tlv(0x04))] }).toString('hex')],
    ['an object identifier with a byte too many', '300b3007300506038001058101050401'],
  ])('is %s, as unreadable', (_, hex) => {
    expect(failureOf(Buffer.from(hex, 'hex'))).toBe('bad_data_format')
  })

  it('is what is nested too deeply, without a fault', () => {
    let deep = tlv(0x30)
    while (deep.length < REQUEST_CEILINGS.bytes - 4) deep = tlv(0x30, deep)
    expect(failureOf(deep)).toBe('bad_data_format')
    expect(failureOf(Buffer.alloc(REQUEST_CEILINGS.bytes, 0x30))).toBe('bad_data_format')
  })

  it('is every request that is cut, at every length', () => {
    for (let length = 0; length < FULL.length; length += 1)
      expect(failureOf(FULL.subarray(0, length)), `${length}`).toBe('bad_data_format')
  })

  it('is nearly every request of which one bit is another; of the rest what is taken is what was sent', () => {
    for (let at = 0; at < FULL.length * 8; at += 1) {
      const flipped = Buffer.from(FULL)
      flipped[at >> 3] = (flipped[at >> 3] ?? 0) ^ (1 << (at & 7))
      if (failureOf(flipped) !== undefined) continue
      const taken = read(flipped)
      const digestAt = FULL.indexOf(Buffer.alloc(32, 7))
      const nonceAt = FULL.indexOf(Buffer.from('00ff01', 'hex'))
      const inDigest = at >> 3 >= digestAt && at >> 3 < digestAt + 32
      const inNonce = at >> 3 >= nonceAt && at >> 3 < nonceAt + 3
      expect(inDigest || inNonce, `bit ${at}`).toBe(true)
      expect(flipped.includes(Buffer.from(taken.imprint))).toBe(true)
      expect(flipped.includes(Buffer.from(taken.nonce ?? []))).toBe(true)
    }
  })
})
