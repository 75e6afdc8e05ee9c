// Reads a time-stamp token, or the response around one (RFC 3161 section 2.4.2, CMS of RFC 5652). It only says what is in
// it: nothing of it is verified here.
import { bytesEqual, rethrown, toHex } from '../proof/bytes.ts'
import { IMPRINT_HASHES, OIDS } from './object_identifiers.ts'
import { context, DER_TAGS, DerRejected, type DerValue, readDer } from './read_der.ts'
import { LARGEST_TIME_STAMP_BYTES } from './token_marks.ts'
import { der } from './write_der.ts'

export type ReadTimeStamp = Readonly<ReturnType<typeof readContentInfo>>

export class TimeStampRejected extends Error {
  override readonly name = 'TimeStampRejected'
}

/** Certificates in one. Authorities send a handful. */
export const MOST_CERTIFICATES = 32

/** @throws TimeStampRejected with what is wrong */
export function readTimeStamp(bytes: Uint8Array): ReadTimeStamp {
  if (bytes.length > LARGEST_TIME_STAMP_BYTES)
    throw new TimeStampRejected(`a time stamp has at most ${LARGEST_TIME_STAMP_BYTES} bytes`)
  return rethrown(
    () => readContentInfo(tokenIn(readDer(bytes))),
    DerRejected,
    ({ message }) => rejected(message),
  )
}

const rejected = (why: string): TimeStampRejected => new TimeStampRejected(why)

/** A response begins with a PKIStatusInfo, a token with an object identifier. */
function tokenIn(value: DerValue): DerValue {
  const [first, token] = sequence(value, 'it is no time stamp')
  if (first?.tag !== DER_TAGS.sequence) return value
  if (token === undefined) throw rejected('it is a refusal, without a token')
  return token
}

function sequence(value: DerValue | undefined, why: string): readonly DerValue[] {
  if (value?.tag !== DER_TAGS.sequence) throw rejected(why)
  return value.parts
}

function readContentInfo(value: DerValue) {
  const [type, wrapped] = sequence(value, 'it is no time stamp')
  if (!isOid(type, OIDS.signedData) || wrapped?.tag !== context(0)) throw rejected('it is no signed data')
  const [, , content, ...others] = sequence(wrapped.parts[0], 'its signed data is none')
  const [contentType, inside] = sequence(content, 'it has no content')
  const info = inside?.parts[0]
  if (!isOid(contentType, OIDS.tstInfo) || info?.tag !== DER_TAGS.octetString)
    throw rejected('it signs no time')
  const signers = others.at(-1)
  const [signer, ...more] = signers?.tag === DER_TAGS.set ? signers.parts : []
  if (signer === undefined || more.length > 0) throw rejected('it has not one signature')
  const carried = others.find(({ tag }) => tag === context(0))?.parts ?? []
  if (carried.length > MOST_CERTIFICATES)
    throw rejected(`it carries more than ${MOST_CERTIFICATES} certificates`)
  return {
    /** The ContentInfo, DER: what evidence is about. */
    token: value.bytes,
    /** The TSTInfo that is signed, DER. */
    info: info.content,
    ...readInfo(readDer(info.content)),
    signer: readSigner(signer),
    /** DER, in their order. */
    certificates: carried.filter(({ tag }) => tag === DER_TAGS.sequence).map(({ bytes }) => bytes),
  }
}

function readInfo(value: DerValue) {
  const [version, policy, imprint, serial, time] = sequence(value, 'its time is none')
  const [algorithm, digest] = sequence(imprint, 'it has no imprint')
  const [id] = sequence(algorithm, 'its imprint names no hash function')
  if (version?.content[0] !== 1 || policy?.tag !== DER_TAGS.oid)
    throw rejected('its time is of another version')
  if (id?.tag !== DER_TAGS.oid || digest?.tag !== DER_TAGS.octetString) throw rejected('its imprint is none')
  if (serial?.tag !== DER_TAGS.integer || (serial.content[0] ?? 0) >= 0x80)
    throw rejected('it has no serial number')
  return {
    imprint: {
      /** Undefined for a hash function that is not known here. */
      hash: IMPRINT_HASHES.find((known) => bytesEqual(known.id, id.bytes))?.name,
      digest: digest.content,
    },
    serial: BigInt(`0x${toHex(serial.content)}`),
    /** Unix milliseconds. */
    timeMs: timeOf(time),
  }
}

/** GeneralizedTime in UTC, with seconds, and a fraction that does not end with a zero (RFC 3161 section 2.4.2). */
const TIME = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\.\d{0,8}[1-9])?Z$/

function timeOf(value: DerValue | undefined): number {
  const text = value?.tag === DER_TAGS.generalizedTime ? new TextDecoder('latin1').decode(value.content) : ''
  const [, year, month, day, hour, minute, second, fraction = ''] = TIME.exec(text) ?? []
  const ms = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  if (Number.isNaN(ms)) throw rejected('its time cannot be read')
  return ms + Number(`0${fraction}`) * 1_000
}

function readSigner(value: DerValue) {
  const [version, name, digestAlgorithm, attributes, signatureAlgorithm, signature] = sequence(
    value,
    'its signer is none',
  )
  const [issuer, serial] = sequence(name, 'its signer is not named by issuer and serial number')
  if (version?.content[0] !== 1 || issuer === undefined || serial === undefined)
    throw rejected('its signer is of another version')
  if (attributes?.tag !== context(0)) throw rejected('its signer signs no attributes')
  if (digestAlgorithm?.tag !== DER_TAGS.sequence || signatureAlgorithm?.tag !== DER_TAGS.sequence)
    throw rejected('its signer names no algorithms')
  if (signature?.tag !== DER_TAGS.octetString) throw rejected('it has no signature')
  return {
    /** Name and INTEGER of the certificate, DER. */
    ...{ issuer: issuer.bytes, serial: serial.bytes },
    /** AlgorithmIdentifiers. */
    ...{ digestAlgorithm, signatureAlgorithm },
    signature: signature.content,
    /** What is signed, DER: a SET. */
    signed: der(DER_TAGS.set, attributes.content),
    /** The one value of each attribute, by the hex of its object identifier. */
    attributes: readAttributes(attributes.parts),
  }
}

function readAttributes(parts: readonly DerValue[]): ReadonlyMap<string, DerValue> {
  const attributes = new Map<string, DerValue>()
  for (const part of parts) {
    const [type, values] = sequence(part, 'a signed attribute is none')
    const [only, ...others] = values?.tag === DER_TAGS.set ? values.parts : []
    if (type?.tag !== DER_TAGS.oid || only === undefined || others.length > 0)
      throw rejected('a signed attribute has not one value')
    const name = toHex(type.bytes)
    if (attributes.has(name)) throw rejected('a signed attribute is there twice')
    attributes.set(name, only)
  }
  return attributes
}

const isOid = (value: DerValue | undefined, wanted: Uint8Array): boolean =>
  value !== undefined && bytesEqual(value.bytes, wanted)
