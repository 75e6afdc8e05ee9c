// Makes the certificates of the service's own authority (RFC 5280): a root, and below it one after the other the leaves
// that sign tokens, each with the one purpose that RFC 3161 section 2.3 asks for.
import { hash, randomBytes } from 'node:crypto'
import { BitString, Integer, OctetString, Utf8String } from 'asn1js'
import {
  AttributeTypeAndValue,
  AuthorityKeyIdentifier,
  BasicConstraints,
  Certificate,
  Extension,
  ExtKeyUsage,
  PrivateKeyUsagePeriod,
  RelativeDistinguishedNames,
  Time,
} from 'pkijs'
import { EXTENSIONS, TIME_STAMPING } from '../../../shared/time_stamps/object_identifiers.ts'
import type { KeyType } from './key_type.ts'

const ALGORITHMS = {
  p256: { name: 'ECDSA', namedCurve: 'P-256' },
  rsa: {
    ...{ name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
    modulusLength: 3_072,
    publicExponent: Uint8Array.of(1, 0, 1),
  },
} as const

/** A certificate with its key. */
export interface Certified {
  /** DER. */
  readonly certificate: Buffer
  /** PKCS #8, DER. */
  readonly privateKey: Buffer
}

/** When it holds, in Unix milliseconds of whole seconds. */
export interface Validity {
  readonly fromMs: number
  readonly toMs: number
}

/** A root, which signs the certificates of leaves and lists of revoked ones, and nothing else. */
export async function makeRoot(keyType: KeyType, validity: Validity): Promise<Certified> {
  const keys = await makeKeys(keyType)
  const certificate = await draftOf(keys, { kind: 'root', validity })
  certificate.issuer = certificate.subject
  certificate.extensions = [
    extension('basicConstraints', true, new BasicConstraints({ cA: true, pathLenConstraint: 0 }).toSchema()),
    // keyCertSign and cRLSign.
    extension('keyUsage', true, new BitString({ valueHex: Uint8Array.of(0x06), unusedBits: 1 })),
    subjectKeyIdentifier(certificate),
  ]
  return signed(certificate, { by: keys, of: keys })
}

/** A leaf, which signs tokens and nothing else, and whose key signs nothing from `keyToMs` on. */
export async function makeLeaf(
  keyType: KeyType,
  validity: Validity & { readonly keyToMs: number },
  root: Certified,
): Promise<Certified> {
  const keys = await makeKeys(keyType)
  const issuer = Certificate.fromBER(Uint8Array.from(root.certificate))
  const rootKey = await importKey(root.privateKey, keyType)
  const certificate = await draftOf(keys, { kind: 'unit', validity })
  certificate.issuer = issuer.subject
  const period = { notBefore: new Date(validity.fromMs), notAfter: new Date(validity.keyToMs) }
  certificate.extensions = [
    // digitalSignature.
    extension('keyUsage', true, new BitString({ valueHex: Uint8Array.of(0x80), unusedBits: 7 })),
    extension('extendedKeyUsage', true, new ExtKeyUsage({ keyPurposes: [TIME_STAMPING] }).toSchema()),
    extension('privateKeyUsagePeriod', false, new PrivateKeyUsagePeriod(period).toSchema()),
    extension(
      'authorityKeyIdentifier',
      false,
      new AuthorityKeyIdentifier({ keyIdentifier: keyIdentifier(issuer) }).toSchema(),
    ),
    subjectKeyIdentifier(certificate),
  ]
  return signed(certificate, { by: { privateKey: rootKey }, of: keys })
}

const makeKeys = (keyType: KeyType): Promise<CryptoKeyPair> =>
  crypto.subtle.generateKey(ALGORITHMS[keyType], true, ['sign', 'verify'])

const importKey = (pkcs8: Buffer, keyType: KeyType): Promise<CryptoKey> =>
  crypto.subtle.importKey('pkcs8', Uint8Array.from(pkcs8), ALGORITHMS[keyType], false, ['sign'])

/** What both have. Each has a name of its own, so that programs can tell the leaves and roots of installations apart. */
async function draftOf(
  keys: CryptoKeyPair,
  { kind, validity }: { readonly kind: 'root' | 'unit'; readonly validity: Validity },
): Promise<Certificate> {
  const certificate = new Certificate({
    version: 2,
    serialNumber: new Integer({ valueHex: certificateSerial() }),
    notBefore: timeOf(validity.fromMs),
    notAfter: timeOf(validity.toMs),
  })
  await certificate.subjectPublicKeyInfo.importKey(keys.publicKey)
  const mark = Buffer.from(keyIdentifier(certificate).valueBlock.valueHexView).toString('hex', 0, 4)
  certificate.subject = nameOf(`Pharos time-stamp ${kind} ${mark}`)
  return certificate
}

/** Positive, and 16 bytes of it are random but for two bits. */
function certificateSerial(): Buffer {
  const bytes = randomBytes(16)
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40
  return bytes
}

const nameOf = (commonName: string): RelativeDistinguishedNames =>
  new RelativeDistinguishedNames({
    typesAndValues: [
      new AttributeTypeAndValue({ type: '2.5.4.3', value: new Utf8String({ value: commonName }) }),
    ],
  })

/** UTCTime through 2049, GeneralizedTime from then on. The library writes what it is told. */
const timeOf = (ms: number): Time => {
  const value = new Date(ms)
  return new Time({ type: value.getUTCFullYear() < 2050 ? 0 : 1, value })
}

/** The first 160 bits of the SHA-256 of the key (RFC 7093 section 2, method 1). */
const keyIdentifier = ({ subjectPublicKeyInfo }: Certificate): OctetString =>
  new OctetString({
    valueHex: hash(
      'sha256',
      subjectPublicKeyInfo.subjectPublicKey.valueBlock.valueHexView,
      'buffer',
    ).subarray(0, 20),
  })

const subjectKeyIdentifier = (certificate: Certificate): Extension =>
  extension('subjectKeyIdentifier', false, keyIdentifier(certificate))

const extension = (
  name: keyof typeof EXTENSIONS,
  critical: boolean,
  value: { readonly toBER: () => ArrayBuffer },
): Extension => new Extension({ extnID: EXTENSIONS[name], critical, extnValue: value.toBER() })

async function signed(
  certificate: Certificate,
  { by, of }: { readonly by: Pick<CryptoKeyPair, 'privateKey'>; readonly of: CryptoKeyPair },
): Promise<Certified> {
  await certificate.sign(by.privateKey, 'SHA-256')
  return {
    certificate: Buffer.from(certificate.toSchema(true).toBER()),
    privateKey: Buffer.from(await crypto.subtle.exportKey('pkcs8', of.privateKey)),
  }
}
