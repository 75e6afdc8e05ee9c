// A time-stamp authority that a test has all keys of: its certificates, its tokens, and its lists of revoked ones.
import { Integer, OctetString } from 'asn1js'
import { BasicConstraints, Certificate, CertificateRevocationList, RevokedCertificate, Time } from 'pkijs'
import { type Certified, makeLeaf, makeRoot } from '../../../server/domain/time_stamps/make_certificates.ts'
import {
  openPrivateKey,
  stampingCertificate,
} from '../../../server/domain/time_stamps/stamping_certificate.ts'
import { readTimeStampRequest } from '../../../server/domain/time_stamps/time_stamp_request.ts'
import { makeToken } from '../../../server/domain/time_stamps/token.ts'
import { EXTENSIONS } from '../../../shared/time_stamps/object_identifiers.ts'
import { oid } from '../../../shared/time_stamps/write_der.ts'
import { queryOf, TRUE } from './query.ts'

const DAY_MS = 86_400_000

export interface OwnAuthority {
  readonly root: Certified
  /** Of the leaves: the root, or the one in between. */
  readonly issuer: Certified
  readonly leaf: Certified
  /** Of the same issuer, and signs nothing. */
  readonly other: Certified
  /** DER. @param digest by sha256 */
  readonly tokenOf: (digest: Uint8Array) => Uint8Array
}

/**
 * @param nowMs of a whole second
 * @param isBetween whether another certificate stands between the root and those that sign tokens
 */
export async function openAuthority(nowMs: number, isBetween = false): Promise<OwnAuthority> {
  const validity = { fromMs: nowMs - DAY_MS, toMs: nowMs + 100 * DAY_MS, keyToMs: nowMs + 50 * DAY_MS }
  const made = await makeRoot('p256', validity)
  const root = isBetween ? await certifiedBy(made, made, 1) : made
  const issuer = isBetween ? await certifiedBy(await makeRoot('p256', validity), root, 0) : root
  const leaf = await makeLeaf('p256', validity, issuer)
  const other = await makeLeaf('p256', validity, issuer)
  const chain = [leaf, ...(isBetween ? [issuer] : []), root].map(({ certificate }) => certificate)
  const by = stampingCertificate(chain, openPrivateKey(leaf.privateKey))
  const policy = oid('1.2.3')
  return {
    ...{ root, issuer, leaf, other },
    tokenOf: (digest) => {
      const request = readTimeStampRequest(queryOf({ digest, rest: [TRUE] }), policy)
      return makeToken(by, { request, policy, serial: 1n, timeMs: nowMs })
    },
  }
}

/**
 * The same certificate as another one would have issued it.
 * @param most certificates of issuers below it
 */
async function certifiedBy(one: Certified, issuer: Certified, most: number): Promise<Certified> {
  const certificate = certificateOf(one.certificate)
  certificate.issuer = certificateOf(issuer.certificate).subject
  const bounds = new BasicConstraints({ cA: true, pathLenConstraint: most }).toSchema().toBER()
  for (const extension of certificate.extensions ?? [])
    if (extension.extnID === EXTENSIONS.basicConstraints)
      extension.extnValue = new OctetString({ valueHex: bounds })
  await certificate.sign(await keyOf(issuer), 'SHA-256')
  return { ...one, certificate: Buffer.from(certificate.toSchema(true).toBER()) }
}

const keyOf = ({ privateKey }: Certified): Promise<CryptoKey> =>
  crypto.subtle.importKey(
    'pkcs8',
    Uint8Array.from(privateKey),
    { name: 'ECDSA', namedCurve: 'P-256' },
    false,
    ['sign'],
  )

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
  await list.sign(await keyOf(by), 'SHA-256')
  return new Uint8Array(list.toSchema(true).toBER())
}

/** Such as `CERTIFICATE` or `X509 CRL`. */
export const pemOf = (label: string, bytes: Uint8Array): string =>
  `-----BEGIN ${label}-----\n${Buffer.from(bytes)
    .toString('base64')
    .replace(/.{1,64}/g, '$&\n')}-----END ${label}-----\n`
