// Finds the certificate that signed a time-stamp token, the chain from it to a root that the reader trusts, and what the
// certificate lets its key do. X.509 and signatures are read by pkijs, the rules of RFC 3161 stand here.
import { OctetString } from 'asn1js'
import {
  AlgorithmIdentifier,
  Certificate,
  CertificateChainValidationEngine,
  ExtKeyUsage,
  getCrypto,
  PrivateKeyUsagePeriod,
} from 'pkijs'
import { bytesEqual, toHex } from '../proof/bytes.ts'
import { type Finding, fail, pass } from '../proof/verify/report.ts'
import { EXTENSIONS, OIDS, TIME_STAMPING } from './object_identifiers.ts'
import type { DerValue } from './read_der.ts'
import type { ReadTimeStamp } from './read_time_stamp.ts'
import { oid } from './write_der.ts'

/** SHA-1 of a certificate is taken as well: it only picks one among those that the chain leads to. */
const DIGESTS = [
  { id: oid('1.3.14.3.2.26'), name: 'SHA-1' },
  { id: OIDS.sha256, name: 'SHA-256' },
  { id: oid('2.16.840.1.101.3.4.2.2'), name: 'SHA-384' },
  { id: oid('2.16.840.1.101.3.4.2.3'), name: 'SHA-512' },
] as const

type DigestName = (typeof DIGESTS)[number]['name']

const digestNamed = (id: Uint8Array | undefined): DigestName | undefined =>
  id && DIGESTS.find((known) => bytesEqual(known.id, id))?.name

const digestOf = async (name: DigestName, bytes: Uint8Array): Promise<Uint8Array> =>
  new Uint8Array(await crypto.subtle.digest(name, Uint8Array.from(bytes)))

/** @param bytes DER. Undefined for what is no certificate. */
export function readCertificate(bytes: Uint8Array): Certificate | undefined {
  try {
    return Certificate.fromBER(Uint8Array.from(bytes))
  } catch {
    // The library throws errors of its own, and others for what it did not expect.
    return undefined
  }
}

/** Whether it says that it has issued itself. */
export const isSelfIssued = ({ issuer, subject }: Certificate): boolean => issuer.isEqual(subject)

/** Among those that came with the token and those that the reader has. */
export const signerCertificate = (
  { signer: { issuer, serial } }: ReadTimeStamp,
  certificates: readonly Certificate[],
): Certificate | undefined =>
  certificates.find(
    (one) =>
      bytesEqual(new Uint8Array(one.serialNumber.toBER()), serial) &&
      bytesEqual(new Uint8Array(one.issuer.toSchema().toBER()), issuer),
  )

/** That the key of this certificate signed the attributes, that they name the certificate, and that they name the time. */
export async function signatureFindings(stamp: ReadTimeStamp, by: Certificate): Promise<Finding[]> {
  const { signer, info } = stamp
  const digest = digestNamed(signer.digestAlgorithm.parts[0]?.bytes)
  if (digest === undefined || digest === 'SHA-1')
    return [fail('It is signed by a hash function that is not safe.')]
  const said = attribute(stamp, OIDS.messageDigest)
  if (said === undefined || !bytesEqual(said.content, await digestOf(digest, info)))
    return [fail('What is signed is not this time.')]
  const type = attribute(stamp, OIDS.contentType)
  if (type === undefined || !bytesEqual(type.bytes, OIDS.tstInfo))
    return [fail('What is signed is no time stamp.')]
  if (!(await namesCertificate(stamp, by))) return [fail('The signature names another certificate.')]
  const isGood = await isSignedBy(stamp, by, digest)
  return [isGood ? pass('The signature is good.') : fail('The signature is not that of its certificate.')]
}

const attribute = ({ signer }: ReadTimeStamp, type: Uint8Array): DerValue | undefined =>
  signer.attributes.get(toHex(type))

const SIGNING_CERTIFICATE = oid('1.2.840.113549.1.9.16.2.12')

/** ESSCertID (RFC 2634) or ESSCertIDv2 (RFC 5035): the first of them is the signer's. */
async function namesCertificate(stamp: ReadTimeStamp, by: Certificate): Promise<boolean> {
  const second = attribute(stamp, OIDS.signingCertificateV2)
  const first = (second ?? attribute(stamp, SIGNING_CERTIFICATE))?.parts[0]?.parts[0]
  const parts = first?.parts ?? []
  // The hash function stands before the hash, unless it is the usual one.
  const [algorithm, hash] = parts[0]?.parts.length ? parts : [undefined, parts[0]]
  const name =
    algorithm === undefined
      ? second === undefined
        ? 'SHA-1'
        : 'SHA-256'
      : digestNamed(algorithm.parts[0]?.bytes)
  if (name === undefined || hash === undefined) return false
  return bytesEqual(hash.content, await digestOf(name, new Uint8Array(by.toSchema().toBER())))
}

async function isSignedBy({ signer }: ReadTimeStamp, by: Certificate, digest: DigestName): Promise<boolean> {
  try {
    const algorithm = AlgorithmIdentifier.fromBER(Uint8Array.from(signer.signatureAlgorithm.bytes))
    return await getCrypto(true).verifyWithPublicKey(
      Uint8Array.from(signer.signed),
      new OctetString({ valueHex: Uint8Array.from(signer.signature) }),
      by.subjectPublicKeyInfo,
      algorithm,
      digest,
    )
  } catch {
    // The library throws for keys and algorithms that it does not know, and for signatures that are none.
    return false
  }
}

/** That its one purpose are time stamps, and that its key may be used at this time. */
export function purposeFindings(leaf: Certificate, timeMs: number): Finding[] {
  const extension = (id: string) => leaf.extensions?.find(({ extnID }) => extnID === id)
  const usage = extension(EXTENSIONS.extendedKeyUsage)
  const purposes = usage?.parsedValue instanceof ExtKeyUsage ? usage.parsedValue.keyPurposes : []
  const isForTime = usage?.critical === true && purposes.length === 1 && purposes[0] === TIME_STAMPING
  const period = extension(EXTENSIONS.privateKeyUsagePeriod)?.parsedValue
  const bounds = period instanceof PrivateKeyUsagePeriod ? period : undefined
  const isWithin =
    timeMs >= leaf.notBefore.value.getTime() &&
    timeMs <= leaf.notAfter.value.getTime() &&
    timeMs >= (bounds?.notBefore?.getTime() ?? timeMs) &&
    timeMs <= (bounds?.notAfter?.getTime() ?? timeMs)
  return [
    isForTime
      ? pass('Its certificate is for time stamps alone.')
      : fail('Its certificate is not one for time stamps alone.'),
    isWithin
      ? pass('Its certificate and its key held at its time.')
      : fail('Its certificate, or the key of it, did not hold at its time.'),
  ]
}

/** Questions for the issuer of a certificate, because certificates may certify each other in circles. */
const MOST_LOOKS = 64

/**
 * Whether a chain that held at this time leads from the leaf to one of the roots.
 * @returns its path, the leaf first and the root last: the leaf alone where no chain was found
 */
export async function chainOf(
  leaf: Certificate,
  {
    roots,
    others,
    timeMs,
  }: {
    readonly roots: readonly Certificate[]
    readonly others: readonly Certificate[]
    readonly timeMs: number
  },
) {
  let looks = 0
  const engine = new CertificateChainValidationEngine({
    trustedCerts: [...roots],
    // The one that stands last is judged. Of two that are equal the library takes the last one away, so that another one,
    // which signed nothing here, would be judged in its place.
    certs: [...others.filter((one) => !isSame(one, leaf)), leaf],
    checkDate: new Date(timeMs),
    findIssuer: (certificate, search, engineCrypto) => {
      looks += 1
      if (looks > MOST_LOOKS) throw new Error('it has more issuers than can be asked for')
      return search.defaultFindIssuer(certificate, search, engineCrypto)
    },
  })
  try {
    const { result, certificatePath: path = [] } = await engine.verify()
    if (result && path[0] !== undefined && isSame(path[0], leaf))
      return { findings: [pass('Its chain leads to a root that you trust.')], path }
  } catch {
    // What the library cannot follow leads nowhere.
  }
  return { findings: [fail('No chain that held at its time leads to a root that you trust.')], path: [leaf] }
}

/** What is signed of them is the same, which is how the library knows them too. */
const isSame = (one: Certificate, other: Certificate): boolean => bytesEqual(one.tbsView, other.tbsView)
