// A token is judged by the certificate that signed it, whatever other certificates it carries, and whoever made those.
import { createHash } from 'node:crypto'
import { Certificate } from 'pkijs'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  type Certified,
  makeLeaf,
  makeRoot,
  type Validity,
} from '../../server/domain/time_stamps/make_certificates.ts'
import {
  openPrivateKey,
  type StampingCertificate,
  stampingCertificate,
} from '../../server/domain/time_stamps/stamping_certificate.ts'
import { readTimeStampRequest } from '../../server/domain/time_stamps/time_stamp_request.ts'
import { makeToken } from '../../server/domain/time_stamps/token.ts'
import { verifyTimeStamp } from '../../shared/evidence/verify_time_stamp.ts'
import {
  MOST_CERTIFICATES,
  readTimeStamp,
  TimeStampRejected,
} from '../../shared/time_stamps/read_time_stamp.ts'
import { oid } from '../../shared/time_stamps/write_der.ts'
import { queryOf, TRUE } from '../support/time_stamps/query.ts'
import { readTlv, tlv } from '../support/time_stamps/second_der.ts'

const DAY_MS = 86_400_000
const NOW = Date.UTC(2026, 10, 24)
const VALIDITY = { fromMs: NOW - DAY_MS, toMs: NOW + 100 * DAY_MS, keyToMs: NOW + 50 * DAY_MS }
const DIGEST = createHash('sha256').update('a file').digest()
const POLICY = oid('1.2.3')

let root: Certified
let leaf: Certified
let genuine: StampingCertificate
/** Somebody else's, who has named himself as he liked. */
let stranger: Certified
let fake: Certified
beforeAll(async () => {
  root = await makeRoot('p256', VALIDITY)
  leaf = await makeLeaf('p256', VALIDITY, root)
  genuine = stampingCertificate([leaf.certificate, root.certificate], openPrivateKey(leaf.privateKey))
  stranger = await makeRoot('p256', VALIDITY)
  fake = await makeLeaf('p256', VALIDITY, stranger)
})

const certificateOf = ({ certificate }: Certified): Certificate =>
  Certificate.fromBER(Uint8Array.from(certificate))

/** The certificate as this issuer would make it, by his name and with his signature. */
async function certifiedBy(one: Certified, name: Certified, key = name): Promise<Certified> {
  const certificate = certificateOf(one)
  certificate.issuer = certificateOf(name).subject
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' }
  await certificate.sign(
    await crypto.subtle.importKey('pkcs8', Uint8Array.from(key.privateKey), algorithm, false, ['sign']),
    'SHA-256',
  )
  return { ...one, certificate: Buffer.from(certificate.toSchema(true).toBER()) }
}

/** Of an issuer and the serial number, as a signature names its certificate. */
function nameOf({ certificate }: Certified): Buffer {
  const [, serial, , issuer] = readTlv(certificate).inside()[0]?.inside() ?? []
  return tlv(0x30, issuer?.whole ?? Buffer.of(), serial?.whole ?? Buffer.of())
}

/** A token that is signed by this key, and carries what whoever has it wants. */
function tokenBy(by: Certified, carried: readonly Certified[]): Uint8Array {
  const certificates = carried.map(({ certificate }) => certificate)
  const signer = {
    ...genuine,
    privateKey: openPrivateKey(by.privateKey),
    sha256: createHash('sha256').update(by.certificate).digest(),
    issuerAndSerial: nameOf(by),
    carried: tlv(0xa0, ...certificates),
  }
  const request = readTimeStampRequest(queryOf({ digest: DIGEST, rest: [TRUE] }), POLICY)
  return makeToken(signer, { request, policy: POLICY, serial: 1n, timeMs: NOW })
}

async function verdict(token: Uint8Array, roots: readonly Certified[] = [root]): Promise<string> {
  const trust = { roots: roots.map(({ certificate }) => certificate) }
  return (await verifyTimeStamp(readTimeStamp(token), trust, DIGEST)).verdict
}

/** The same certificate, and another signature below it. */
function spoiled({ certificate, privateKey }: Certified): Certified {
  const changed = Buffer.from(certificate)
  changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1
  return { certificate: changed, privateKey }
}

describe('a token that a stranger has signed is unsupported', () => {
  it.each([
    ['alone', () => [fake]],
    ['behind the real certificate', () => [leaf, fake]],
    ['before the real certificate', () => [fake, leaf]],
    ['twice before the real certificate', () => [fake, fake, leaf]],
    ['around the real certificate', () => [fake, leaf, fake]],
    ['with another signature, before the real certificate', () => [fake, spoiled(fake), leaf]],
    ['with another signature first, before the real certificate', () => [spoiled(fake), fake, leaf]],
    ['beside the whole chain', () => [fake, fake, leaf, root]],
    ['beside the chain of his own', () => [fake, stranger, fake, stranger, leaf]],
  ])('when his certificate is carried %s', async (_, carried) => {
    expect(await verdict(tokenBy(fake, carried()))).not.toBe('valid')
    // By a root that the reader does trust, it is the certificate itself that counts.
    expect(await verdict(tokenBy(leaf, [leaf, ...carried()]))).toBe('valid')
  })

  it('when his certificate says that the real issuer has made it', async () => {
    const claimed = await certifiedBy(fake, root, stranger)
    for (const carried of [[claimed], [claimed, claimed, leaf, root]])
      expect(await verdict(tokenBy(claimed, carried))).toBe('unsupported')
  })

  it('when the certificate of a leaf has made his', async () => {
    const below = await makeLeaf('p256', VALIDITY, leaf)
    for (const carried of [
      [below, leaf],
      [below, leaf, root],
      [below, below, leaf],
    ])
      expect(await verdict(tokenBy(below, carried))).toBe('unsupported')
  })
})

describe('a token that the authority has signed is valid', () => {
  it('however often its certificates are carried, and also when the reader names all of the chain', async () => {
    for (const carried of [[leaf], [leaf, leaf], [leaf, leaf, root, root], [root, leaf]]) {
      expect(await verdict(tokenBy(leaf, carried))).toBe('valid')
      expect(await verdict(tokenBy(leaf, carried), [leaf, root])).toBe('valid')
    }
    expect(await verdict(tokenBy(leaf, []), [leaf, root])).toBe('valid')
  })

  it('by a root that held at its time, and by no other', async () => {
    const made = async (validity: Validity) => {
      const other = await makeRoot('p256', validity)
      return [other, await makeLeaf('p256', VALIDITY, other)] as const
    }
    for (const [validity, expected] of [
      [{ fromMs: NOW - DAY_MS, toMs: NOW }, 'valid'],
      [{ fromMs: NOW, toMs: NOW + DAY_MS }, 'valid'],
      [{ fromMs: NOW - DAY_MS, toMs: NOW - 1_000 }, 'unsupported'],
      [{ fromMs: NOW + 1_000, toMs: NOW + DAY_MS }, 'unsupported'],
    ] as const) {
      const [other, below] = await made(validity)
      expect(await verdict(tokenBy(below, [below]), [other])).toBe(expected)
    }
  })
})

describe('certificates that somebody put into a token', () => {
  it('get an answer when their issuers certify each other in a circle', async () => {
    const [one, other] = [await makeRoot('p256', VALIDITY), await makeRoot('p256', VALIDITY)]
    const circle = [await certifiedBy(one, other), await certifiedBy(other, one)]
    const below = await makeLeaf('p256', VALIDITY, one)
    expect(await verdict(tokenBy(below, [below, ...circle]))).toBe('unsupported')
    expect(await verdict(tokenBy(leaf, [leaf, ...circle]))).toBe('valid')
  })

  it(`are ${MOST_CERTIFICATES} at most`, async () => {
    const many = Array.from({ length: MOST_CERTIFICATES }, () => leaf)
    expect(await verdict(tokenBy(leaf, many))).toBe('valid')
    expect(() => readTimeStamp(tokenBy(leaf, [...many, root]))).toThrow(TimeStampRejected)
  })
})
