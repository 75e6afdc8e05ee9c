// .ots files of any origin are read as the OpenTimestamps library reads them, or refused by a reason with little work.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fromHex, toHex, utf8 } from '../../../shared/proof/bytes.ts'
import { attestedMessages, OtsRejected, readOts } from '../../../shared/proof/opentimestamps/read_ots.ts'
import { readOts as followOts } from '../../support/ots_reader.ts'

const vectors = join(import.meta.dirname, '..', 'ots-vectors.json')
const known: { readonly ots_hex: string; readonly block_height: number; readonly header_hex: string } =
  JSON.parse(readFileSync(vectors, 'utf8'))
const knownBytes = fromHex(known.ots_hex)

const HEAD = '004f70656e54696d657374616d7073000050726f6f6600bf89e2e884e8929401'
const DIGEST = '11'.repeat(32)
/** As pycryptodomex computes it. */
const KECCAK_OF_DIGEST = 'b569321de72d0af89c2fb48a484de3fc9343f31600ae1f3e13d633cb48cbf816'
const BITCOIN_AT_5 = '000588960d73d719010105'
const PENDING = `0083dfe30d2ef90c8e0706${Buffer.from('ab.c/:').toString('hex')}`

const read = (timestamp: string, digest = `08${DIGEST}`) => readOts(fromHex(`${HEAD}${digest}${timestamp}`))
const messages = (timestamp: string) =>
  attestedMessages(read(timestamp)).map(({ attestation, message }) => ({
    ...attestation,
    message: toHex(message),
  }))

/** The reason of the refusal. Any other error passes through, and fails the test. */
function rejection(bytes: Uint8Array): string | undefined {
  try {
    attestedMessages(readOts(bytes))
    return undefined
  } catch (error) {
    if (error instanceof OtsRejected) return error.reason
    throw error
  }
}
const rejected = (timestamp: string, digest = `08${DIGEST}`) =>
  rejection(fromHex(`${HEAD}${digest}${timestamp}`))

const varuint = (value: number): string =>
  value < 0x80
    ? value.toString(16).padStart(2, '0')
    : ((value % 0x80) + 0x80).toString(16) + varuint(Math.floor(value / 0x80))
const append = (bytes: number) => `f0${varuint(bytes)}${'22'.repeat(bytes)}`

describe('a file that is read', () => {
  it('leads the known answer from its digest to the Merkle root of the header', () => {
    const file = readOts(knownBytes)
    expect(file.hashType).toBe('sha256')
    expect(attestedMessages(file)).toEqual([
      {
        attestation: { kind: 'bitcoin', height: known.block_height },
        message: fromHex(known.header_hex).slice(36, 68),
      },
    ])
  })

  it('has each attestation at the message where it stands, in all branches', () => {
    expect(messages(`ff${PENDING}fff0012208${BITCOIN_AT_5}08${PENDING}`)).toEqual([
      { kind: 'pending', address: 'ab.c/:', message: DIGEST },
      { kind: 'bitcoin', height: 5, message: sha256(`${DIGEST}22`) },
      { kind: 'pending', address: 'ab.c/:', message: sha256(DIGEST) },
    ])
  })

  it.each([
    ['sha256', '08', () => sha256(DIGEST)],
    ['sha1', '02', () => hashed('sha1', DIGEST)],
    ['ripemd160', '03', () => hashed('ripemd160', DIGEST)],
    ['keccak256', '67', () => KECCAK_OF_DIGEST],
    ['append', 'f0023344', () => `${DIGEST}3344`],
    ['prepend', 'f1023344', () => `3344${DIGEST}`],
    ['reverse', 'f10133f2', () => `${DIGEST}33`],
    ['hexlify', 'f3', () => Buffer.from(DIGEST).toString('hex')],
  ])('applies %s', (_name, operation, result) => {
    expect(messages(`${operation}${BITCOIN_AT_5}`)).toEqual([
      { kind: 'bitcoin', height: 5, message: result() },
    ])
  })

  it('may be about a digest of any of the four hash functions', () => {
    expect(read(BITCOIN_AT_5, `02${'11'.repeat(20)}`)).toMatchObject({ hashType: 'sha1' })
    expect(read(BITCOIN_AT_5, `03${'11'.repeat(20)}`)).toMatchObject({ hashType: 'ripemd160' })
    expect(read(BITCOIN_AT_5, `67${DIGEST}`)).toMatchObject({ hashType: 'keccak256' })
  })

  it('keeps an attestation of an unknown kind as it is', () => {
    expect(messages('0001020304050607080299aa')).toEqual([
      { kind: 'unknown', tag: fromHex('0102030405060708'), payload: fromHex('99aa'), message: DIGEST },
    ])
  })

  it('reaches to the limits of the library, and no further', () => {
    const longest = append(4_096 - 32)
    expect(messages(`${longest}08${BITCOIN_AT_5}`)).toHaveLength(1)
    expect(rejected(`${append(4_097 - 32)}08${BITCOIN_AT_5}`)).toBe('message_too_long')
    expect(messages(`${append(2_048 - 32)}f3${BITCOIN_AT_5}`)).toHaveLength(1)
    expect(rejected(`${append(2_049 - 32)}f3${BITCOIN_AT_5}`)).toBe('message_too_long')
    expect(messages(`${'08'.repeat(255)}${BITCOIN_AT_5}`)).toHaveLength(1)
    expect(rejected(`${'08'.repeat(256)}${BITCOIN_AT_5}`)).toBe('too_deep')
  })
})

describe('a file that is refused', () => {
  it.each([
    ['not_ots', rejection(utf8('not a proof'))],
    ['not_ots', rejection(fromHex(`${HEAD.slice(0, -2)}02${known.ots_hex.slice(HEAD.length)}`))],
    ['unknown_hash', rejected(BITCOIN_AT_5, `09${DIGEST}`)],
    ['trailing_bytes', rejected(`${BITCOIN_AT_5}00`)],
    ['unknown_operation', rejected(`44${BITCOIN_AT_5}`)],
    ['unknown_operation', rejected(`ffff${BITCOIN_AT_5}`)],
    ['invalid_length', rejected(`f000${BITCOIN_AT_5}`)],
    ['invalid_length', rejected(`f0${'80'.repeat(40)}00${BITCOIN_AT_5}`)],
    ['invalid_length', rejected(`f0ffffffffffffffff7f${BITCOIN_AT_5}`)],
    ['invalid_length', rejected(`000102030405060708${varuint(8_193)}${'00'.repeat(8_193)}`)],
    ['invalid_attestation', rejected('000588960d73d71901020505')],
    ['invalid_attestation', rejected('0083dfe30d2ef90c8e020120')],
    ['cut_short', rejected('000588960d73d7190100')],
  ])('%s (%#)', (reason, given) => expect(given).toBe(reason))

  it('is one with any byte changed, or one that says something else', () => {
    const said = (bytes: Uint8Array) => JSON.stringify(attestedMessages(readOts(bytes)))
    const whole = said(knownBytes)
    const outcomes = { refused: 0, other: 0, same: 0, readElsewhere: 0 }
    for (let at = 0; at < knownBytes.length; at++)
      for (const change of [0x01, 0x80, 0xff]) {
        const bytes = knownBytes.slice()
        bytes[at] = (bytes[at] ?? 0) ^ change
        const reason = rejection(bytes)
        if (reason === undefined) outcomes[said(bytes) === whole ? 'same' : 'other'] += 1
        else {
          outcomes.refused += 1
          if (isRead(bytes)) outcomes.readElsewhere += 1
        }
      }
    expect(outcomes).toMatchObject({ same: 0, readElsewhere: 0 })
    expect(outcomes.refused).toBeGreaterThan(200)
    expect(outcomes.other).toBeGreaterThan(2_000)
  })

  it('is one that ends early, at whatever byte', () => {
    const reasons = Array.from(knownBytes, (_, length) => rejection(knownBytes.subarray(0, length)))
    const head = HEAD.length / 2
    expect(new Set(reasons.slice(0, head))).toEqual(new Set(['not_ots']))
    expect(new Set(reasons.slice(head))).toEqual(new Set(['cut_short']))
  })

  it('is one that would be much work: many bytes, or many attestations, each behind many operations', () => {
    expect(rejection(new Uint8Array(65_537))).toBe('too_large')
    const longest = `${'08'.repeat(255)}${BITCOIN_AT_5}`
    expect(messages(`ff${longest}`.repeat(63) + longest)).toHaveLength(64)
    expect(rejected(`ff${longest}`.repeat(64) + longest)).toBe('too_many_attestations')
    expect(rejected(`ff${PENDING}`.repeat(64) + BITCOIN_AT_5)).toBe('too_many_attestations')
  })
})

/** The other reader knows only Bitcoin's attestation and two kinds of digests, and stops at the first of others. */
function isRead(bytes: Uint8Array): boolean {
  try {
    followOts(bytes)
    return true
  } catch {
    return false
  }
}

const hashed = (name: string, hex: string): string =>
  createHash(name).update(Buffer.from(hex, 'hex')).digest('hex')
const sha256 = (hex: string): string => hashed('sha256', hex)
