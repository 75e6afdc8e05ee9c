// A time-stamp authority that a test has all keys of: its certificates, its tokens, and its lists of revoked ones.
import { Integer } from 'asn1js'
import { Certificate, CertificateRevocationList, RevokedCertificate, Time } from 'pkijs'
import { type Certified, makeLeaf, makeRoot } from '../../../server/domain/time_stamps/make_certificates.ts'
import {
  openPrivateKey,
  stampingCertificate,
} from '../../../server/domain/time_stamps/stamping_certificate.ts'
import { readTimeStampRequest } from '../../../server/domain/time_stamps/time_stamp_request.ts'
import { makeToken } from '../../../server/domain/time_stamps/token.ts'
import { oid } from '../../../shared/time_stamps/write_der.ts'
import { queryOf, TRUE } from './query.ts'

const DAY_MS = 86_400_000

export interface OwnAuthority {
  readonly root: Certified
  readonly leaf: Certified
  /** Of the same root, and signs nothing. */
  readonly other: Certified
  /** DER. @param digest by sha256 */
  readonly tokenOf: (digest: Uint8Array) => Uint8Array
}

/** @param nowMs of a whole second */
export async function openAuthority(nowMs: number): Promise<OwnAuthority> {
  const validity = { fromMs: nowMs - DAY_MS, toMs: nowMs + 100 * DAY_MS, keyToMs: nowMs + 50 * DAY_MS }
  const root = await makeRoot('p256', validity)
  const leaf = await makeLeaf('p256', validity, root)
  const other = await makeLeaf('p256', validity, root)
  const by = stampingCertificate([leaf.certificate, root.certificate], openPrivateKey(leaf.privateKey))
  const policy = oid('1.2.3')
  return {
    ...{ root, leaf, other },
    tokenOf: (digest) => {
      const request = readTimeStampRequest(queryOf({ digest, rest: [TRUE] }), policy)
      return makeToken(by, { request, policy, serial: 1n, timeMs: nowMs })
    },
  }
}

const certificateOf = (bytes: Uint8Array): Certificate => Certificate.fromBER(Uint8Array.from(bytes))

/**
 * As an issuer publishes it, DER.
 * @param revoked certificates, DER
 * @param at of the list, and since when they are revoked, a whole second
 * @param by who signs it
 * @param others how many other certificates it names, before them
 */
export async function revocationList(
  issuer: Certified,
  revoked: readonly Uint8Array[],
  { at, by = issuer, others = 0 }: { readonly at: number; readonly by?: Certified; readonly others?: number },
): Promise<Uint8Array> {
  const time = new Time({ type: 0, value: new Date(at) })
  const list = new CertificateRevocationList({
    version: 1,
    issuer: certificateOf(issuer.certificate).subject,
    thisUpdate: time,
  })
  const serials = [
    ...Array.from({ length: others }, (_, nth) => new Integer({ value: nth + 1 })),
    ...revoked.map((one) => certificateOf(one).serialNumber),
  ]
  if (serials.length > 0)
    list.revokedCertificates = serials.map(
      (userCertificate) => new RevokedCertificate({ userCertificate, revocationDate: time }),
    )
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' }
  await list.sign(
    await crypto.subtle.importKey('pkcs8', Uint8Array.from(by.privateKey), algorithm, false, ['sign']),
    'SHA-256',
  )
  return new Uint8Array(list.toSchema(true).toBER())
}

/** Such as `CERTIFICATE` or `X509 CRL`. */
export const pemOf = (label: string, bytes: Uint8Array): string =>
  `-----BEGIN ${label}-----\n${Buffer.from(bytes)
    .toString('base64')
    .replace(/.{1,64}/g, '$&\n')}-----END ${label}-----\n`
