// The object identifiers that time-stamp tokens and their certificates are made of.
import { oid } from './write_der.ts'

/** Hash functions of imprints (RFC 8702 and RFC 5754): encoded, with their names of `proof/claims.ts` and the bytes of a digest. */
export const IMPRINT_HASHES = [
  { id: oid('2.16.840.1.101.3.4.2.1'), name: 'sha256', bytes: 32 },
  { id: oid('2.16.840.1.101.3.4.2.2'), name: 'sha384', bytes: 48 },
  { id: oid('2.16.840.1.101.3.4.2.3'), name: 'sha512', bytes: 64 },
  { id: oid('2.16.840.1.101.3.4.2.8'), name: 'sha3_256', bytes: 32 },
  { id: oid('2.16.840.1.101.3.4.2.9'), name: 'sha3_384', bytes: 48 },
  { id: oid('2.16.840.1.101.3.4.2.10'), name: 'sha3_512', bytes: 64 },
] as const

/** Of CMS and of RFC 3161, encoded. */
export const OIDS = {
  signedData: oid('1.2.840.113549.1.7.2'),
  tstInfo: oid('1.2.840.113549.1.9.16.1.4'),
  contentType: oid('1.2.840.113549.1.9.3'),
  messageDigest: oid('1.2.840.113549.1.9.4'),
  signingTime: oid('1.2.840.113549.1.9.5'),
  signingCertificateV2: oid('1.2.840.113549.1.9.16.2.47'),
  sha256: oid('2.16.840.1.101.3.4.2.1'),
  ecdsaWithSha256: oid('1.2.840.10045.4.3.2'),
  sha256WithRsa: oid('1.2.840.113549.1.1.11'),
} as const

/** Of extensions of certificates, as people write them. */
export const EXTENSIONS = {
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  privateKeyUsagePeriod: '2.5.29.16',
  basicConstraints: '2.5.29.19',
  authorityKeyIdentifier: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
} as const

/** The purpose of a certificate that signs time stamps. */
export const TIME_STAMPING = '1.3.6.1.5.5.7.3.8'
