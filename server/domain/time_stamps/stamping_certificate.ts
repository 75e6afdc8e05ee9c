// What signs tokens: a chain of certificates and the key of its leaf, read once into the pieces that every token repeats.
import { createPrivateKey, hash, type KeyObject, X509Certificate } from 'node:crypto'
import { readOrUndefined } from '../../../shared/proof/bytes.ts'
import { EXTENSIONS, OIDS, TIME_STAMPING } from '../../../shared/time_stamps/object_identifiers.ts'
import { context, DER_TAGS, type DerValue, readDer } from '../../../shared/time_stamps/read_der.ts'
import { der, oid, sequence, tagged } from '../../../shared/time_stamps/write_der.ts'

/** @throws an Error whose message says what is wrong with the chain or the key, such as `the key is of another one` */
export function stampingCertificate(chain: readonly Buffer[], privateKey: KeyObject) {
  const certificates = chain.map(readCertificate)
  const [leaf, ...issuers] = certificates
  if (leaf === undefined || issuers.length === 0)
    throw new Error('a chain has two certificates at least, the leaf first and the root last')
  if (!leaf.x509.checkPrivateKey(privateKey)) throw new Error('the key is that of another certificate')
  checkPurpose(leaf)
  checkChain(certificates)
  const [from, to] = periodOf(leaf)
  return {
    /** DER, the leaf first and the root last. */
    chain,
    privateKey,
    /** Unix milliseconds between which it signs: its validity, and the period of its key within that. */
    fromMs: Math.max(from, ...certificates.map(({ x509 }) => x509.validFromDate.getTime())),
    toMs: Math.min(to, ...certificates.map(({ x509 }) => x509.validToDate.getTime())),
    /** Of the leaf, 32 bytes. */
    sha256: hash('sha256', leaf.x509.raw, 'buffer'),
    /** IssuerAndSerialNumber, DER. */
    issuerAndSerial: sequence(leaf.issuer, leaf.serial),
    /** AlgorithmIdentifier, DER. */
    signatureAlgorithm: signatureAlgorithmOf(privateKey),
    /** The certificates of a token, DER: the leaf first. The root is left out, because nobody trusts one that came along. */
    carried: tagged(0, ...chain.slice(0, -1)),
  }
}

export type StampingCertificate = ReturnType<typeof stampingCertificate>

/** @param pkcs8 DER */
export const openPrivateKey = (pkcs8: Buffer): KeyObject =>
  createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' })

interface ReadCertificate {
  readonly x509: X509Certificate
  /** DER. */
  readonly issuer: Uint8Array
  readonly serial: Uint8Array
  /** By the name that each has in `EXTENSIONS`. */
  readonly extensions: ReadonlyMap<string, { readonly isCritical: boolean; readonly value: DerValue }>
}

function readCertificate(bytes: Buffer): ReadCertificate {
  const x509 = new X509Certificate(bytes)
  const parts = readDer(x509.raw).parts[0]?.parts ?? []
  // The version is left out by those of version 1.
  const [serial, , issuer] = parts[0]?.tag === context(0) ? parts.slice(1) : parts
  if (serial === undefined || issuer === undefined) throw new Error('a certificate is not one of X.509')
  const listed = parts.find(({ tag }) => tag === context(3))?.parts[0]?.parts ?? []
  const extensions = listed.flatMap(({ parts: [id, ...rest] }) => {
    const name = Object.entries(EXTENSION_OIDS).find(
      ([, known]) => id && Buffer.compare(known, id.bytes) === 0,
    )?.[0]
    const content = rest.at(-1)?.content
    const value = content && readOrUndefined(() => readDer(content))
    return name === undefined || value === undefined
      ? []
      : [[name, { isCritical: rest[0]?.tag === DER_TAGS.boolean, value }] as const]
  })
  return { x509, issuer: issuer.bytes, serial: serial.bytes, extensions: new Map(extensions) }
}

const EXTENSION_OIDS = Object.fromEntries(Object.entries(EXTENSIONS).map(([name, id]) => [name, oid(id)]))

/** Readers refuse a token whose certificate may do anything else (RFC 3161 section 2.3). */
function checkPurpose({ extensions }: ReadCertificate): void {
  const purpose = extensions.get('extendedKeyUsage')
  const [only, ...others] = purpose?.value.parts ?? []
  if (only === undefined || Buffer.compare(only.bytes, oid(TIME_STAMPING)) !== 0 || others.length > 0)
    throw new Error('the one purpose of the leaf must be timeStamping')
  if (purpose?.isCritical !== true) throw new Error('the extended key usage of the leaf must be critical')
  // digitalSignature and nonRepudiation are the first two bits.
  const usage = extensions.get('keyUsage')?.value.content
  if (usage !== undefined && ((usage[1] ?? 0) & 0xc0) === 0)
    throw new Error('the key usage of the leaf lets it sign nothing')
}

function checkChain(certificates: readonly ReadCertificate[]): void {
  for (const [at, { x509 }] of certificates.entries()) {
    const issuer = certificates[at + 1] ?? certificates[at]
    const which = `certificate ${at + 1} of the chain`
    if (issuer === undefined || !x509.checkIssued(issuer.x509) || !x509.verify(issuer.x509.publicKey))
      throw new Error(
        at + 1 < certificates.length
          ? `${which} is not issued by the one behind it`
          : `${which}, the last one, is no root: it must have issued itself`,
      )
    if (at > 0 && !x509.ca) throw new Error(`${which} may issue no certificates`)
  }
}

/** Unix milliseconds of the key's own period (RFC 3280 section 4.2.1.4), without bounds where there is none. */
function periodOf({ extensions }: ReadCertificate): readonly [number, number] {
  const parts = extensions.get('privateKeyUsagePeriod')?.value.parts ?? []
  const bound = (tag: number): number | undefined => {
    const found = parts.find((part) => part.tag === tag)
    return found && generalizedTimeMs(found.content)
  }
  return [bound(0x80) ?? Number.NEGATIVE_INFINITY, bound(0x81) ?? Number.POSITIVE_INFINITY]
}

/** @throws an Error for what is no such time */
function generalizedTimeMs(content: Uint8Array): number {
  const match = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(Buffer.from(content).toString('latin1'))
  if (match === null) throw new Error('the period of the key of the leaf is not readable')
  const [year = 0, month = 0, ...rest] = match.slice(1).map(Number)
  const [day, hour, minute, second] = rest
  return Date.UTC(year, month - 1, day, hour, minute, second)
}

const LEAST_RSA_BITS = 2_048

function signatureAlgorithmOf(key: KeyObject): Uint8Array {
  switch (key.asymmetricKeyType) {
    case 'ec':
      return sequence(OIDS.ecdsaWithSha256)
    case 'rsa':
      if ((key.asymmetricKeyDetails?.modulusLength ?? 0) < LEAST_RSA_BITS)
        throw new Error(`an RSA key has ${LEAST_RSA_BITS} bits at least`)
      return sequence(OIDS.sha256WithRsa, der(DER_TAGS.null))
    default:
      throw new Error('a key is RSA or of an elliptic curve')
  }
}
