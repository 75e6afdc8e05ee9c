// Lists of revoked certificates: what the issuer of a certificate says of it counts, and what anybody else says does not.
import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Certified, makeRoot } from '../../server/domain/time_stamps/make_certificates.ts'
import { verifyTimeStamp } from '../../shared/evidence/verify_time_stamp.ts'
import { type ReadTimeStamp, readTimeStamp } from '../../shared/time_stamps/read_time_stamp.ts'
import { openAuthority, revocationList } from '../support/time_stamps/own_authority.ts'

const DAY_MS = 86_400_000
const NOW = Date.UTC(2026, 10, 24)

let root: Certified
let leaf: Certified
let other: Certified
let stamp: ReadTimeStamp
beforeAll(async () => {
  const authority = await openAuthority(NOW)
  ;({ root, leaf, other } = authority)
  stamp = readTimeStamp(authority.tokenOf(createHash('sha256').update('a file').digest()))
})

const listOf = (
  issuer: Certified,
  revoked: readonly Certified[],
  { by = issuer, others = 0 }: { readonly by?: Certified; readonly others?: number } = {},
): Promise<Uint8Array> =>
  revocationList(
    issuer,
    revoked.map(({ certificate }) => certificate),
    { at: NOW + DAY_MS, by, others },
  )

const verdict = async (...revocationLists: readonly Uint8Array[]) => {
  const { verdict, rows } = await verifyTimeStamp(stamp, { roots: [root.certificate], revocationLists })
  return [verdict, rows.map(({ message }) => message).join(' ')]
}

describe('a list of revoked certificates', () => {
  it('takes a time stamp its certificate when it names it', async () => {
    expect(await verdict(await listOf(root, [other, leaf]))).toEqual([
      'unsupported',
      expect.stringContaining(
        'Its certificate, or one that it rests on, was revoked at 2026-11-25T00:00:00Z',
      ),
    ])
  })

  it('leaves it valid when it names none, or another one', async () => {
    for (const revoked of [[], [other]])
      expect(await verdict(await listOf(root, revoked))).toEqual([
        'valid',
        expect.stringContaining('The list of 2026-11-25T00:00:00Z does not name its certificate.'),
      ])
  })

  it('counts for nothing when it is of another issuer, and says so', async () => {
    const stranger = await makeRoot('p256', { fromMs: NOW - DAY_MS, toMs: NOW + DAY_MS })
    expect(await verdict(await listOf(stranger, [leaf]))).toEqual([
      'valid',
      expect.stringContaining('No list of revoked certificates at hand is of its issuer.'),
    ])
  })

  it('that claims to be of the issuer, and is not signed by it, leaves nothing supported', async () => {
    const stranger = await makeRoot('p256', { fromMs: NOW - DAY_MS, toMs: NOW + DAY_MS })
    expect(await verdict(await listOf(root, [], { by: stranger }))).toEqual([
      'unsupported',
      expect.stringContaining('is not signed by the issuer of its certificate'),
    ])
  })

  it('that cannot be read leaves nothing supported', async () => {
    const list = await listOf(root, [])
    for (const cut of [
      list.subarray(0, -1),
      Uint8Array.of(0x30, 0x00),
      Uint8Array.of(0x30, 0x02, 0x30, 0x00),
      Uint8Array.of(0x05, 0x00),
      new Uint8Array(),
    ])
      expect(await verdict(cut)).toEqual(['unsupported', expect.stringContaining('cannot be read')])
  })

  it('is read to its end, however many it names', async () => {
    // By itself the library reads no more than some 3,000.
    const others = 4_000
    expect(await verdict(await listOf(root, [leaf], { others }))).toEqual([
      'unsupported',
      expect.stringContaining('was revoked at 2026-11-25'),
    ])
    expect(await verdict(await listOf(root, [other], { others }))).toEqual([
      'valid',
      expect.stringContaining('does not name its certificate.'),
    ])
  })

  it('counts by the earliest time among several', async () => {
    expect(await verdict(await listOf(root, []), await listOf(root, [leaf]))).toEqual([
      'unsupported',
      expect.stringContaining('was revoked at 2026-11-25'),
    ])
  })

  it('takes a time stamp the certificate that its own rests on, and never the root that the reader trusts', async () => {
    const authority = await openAuthority(NOW, true)
    const stamp = readTimeStamp(authority.tokenOf(createHash('sha256').update('a file').digest()))
    const verdict = async (...revocationLists: readonly Uint8Array[]) => {
      const roots = [authority.root.certificate]
      const { verdict, rows } = await verifyTimeStamp(stamp, { roots, revocationLists })
      return [verdict, rows.map(({ message }) => message).join(' ')]
    }
    const ofIssuer = await listOf(authority.issuer, [])
    expect(await verdict(ofIssuer, await listOf(authority.root, []))).toEqual([
      'valid',
      expect.not.stringContaining('No list of revoked certificates'),
    ])
    expect(await verdict(await listOf(authority.root, [authority.root]))).toEqual([
      'valid',
      expect.stringContaining('No list of revoked certificates at hand is of its issuer.'),
    ])
    expect(await verdict(ofIssuer, await listOf(authority.root, [authority.issuer]))).toEqual([
      'unsupported',
      expect.stringContaining('or one that it rests on, was revoked at 2026-11-25T00:00:00Z'),
    ])
  })
})
