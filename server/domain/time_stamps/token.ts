// Makes a time-stamp token: CMS SignedData (RFC 5652) around a TSTInfo (RFC 3161 section 2.4.2), with an ESSCertIDv2
// (RFC 5816). Written without the library that certificates are made with, because that takes forty times as long as the
// signature.
import { hash, sign } from 'node:crypto'
import { OIDS } from '../../../shared/time_stamps/object_identifiers.ts'
import { DER_TAGS } from '../../../shared/time_stamps/read_der.ts'
import {
  der,
  derInteger,
  generalizedTime,
  octets,
  sequence,
  setOf,
  sorted,
  tagged,
  time,
} from '../../../shared/time_stamps/write_der.ts'
import type { StampingCertificate } from './stamping_certificate.ts'
import type { TimeStampRequest } from './time_stamp_request.ts'

interface TokenContent {
  readonly request: TimeStampRequest
  /** An OBJECT IDENTIFIER, DER. */
  readonly policy: Uint8Array
  readonly serial: bigint
  /** Unix milliseconds of a whole second. */
  readonly timeMs: number
}

/** @returns the ContentInfo, DER */
export function makeToken(by: StampingCertificate, content: TokenContent): Uint8Array {
  const info = tstInfo(content)
  const attributes = [
    attribute(OIDS.contentType, OIDS.tstInfo),
    attribute(OIDS.signingTime, time(content.timeMs)),
    attribute(OIDS.messageDigest, octets(hash('sha256', info, 'buffer'))),
    attribute(OIDS.signingCertificateV2, sequence(sequence(sequence(octets(by.sha256))))),
  ]
  const signed = sorted(attributes)
  const signature = sign('sha256', der(DER_TAGS.set, ...signed), by.privateKey)
  const signer = sequence(
    derInteger(1),
    by.issuerAndSerial,
    SHA256,
    tagged(0, ...signed),
    by.signatureAlgorithm,
    octets(signature),
  )
  const signedData = sequence(
    derInteger(3),
    setOf(SHA256),
    sequence(OIDS.tstInfo, tagged(0, octets(info))),
    ...(content.request.wantsCertificates ? [by.carried] : []),
    setOf(signer),
  )
  return sequence(OIDS.signedData, tagged(0, signedData))
}

const tstInfo = ({ request, policy, serial, timeMs }: TokenContent): Uint8Array =>
  sequence(
    derInteger(1),
    policy,
    request.imprint,
    derInteger(serial),
    generalizedTime(timeMs),
    ACCURACY,
    ...(request.nonce === undefined ? [] : [request.nonce]),
  )

/** One second: half of one by rounding, and what the clock may be off. */
const ACCURACY = sequence(derInteger(1))

/** AlgorithmIdentifier, without parameters (RFC 5754 section 2). */
const SHA256 = sequence(OIDS.sha256)

const attribute = (type: Uint8Array, value: Uint8Array): Uint8Array => sequence(type, setOf(value))
