// A request for a time stamp, and its reply. The request is DER (TimeStampReq, RFC 3161 section 2.4.1), and whatever is not used of
// it is refused, so that nobody gets a token about less than was asked. The reply has the token, or says why it was refused
// (section 2.4.2).
import { bytesEqual, rethrown } from '../../../shared/proof/bytes.ts'
import { IMPRINT_HASHES } from '../../../shared/time_stamps/object_identifiers.ts'
import {
  context,
  DER_TAGS,
  DerRejected,
  type DerValue,
  readDer,
} from '../../../shared/time_stamps/read_der.ts'
import { derInteger, derText, namedBit, sequence } from '../../../shared/time_stamps/write_der.ts'

export const REQUEST_CEILINGS = {
  /** Of a request. An ordinary one has less than 100. */
  bytes: 4_096,
  /** Values within values: an extension of a request is four deep. */
  depth: 8,
  /** Bytes of a nonce. */
  nonce: 32,
} as const

/**
 * @param policy the only one, an OBJECT IDENTIFIER in DER
 * @throws TimeStampRefused
 */
export function readTimeStampRequest(bytes: Uint8Array, policy: Uint8Array) {
  const { version, imprint, asked } = readParts(bytes)
  if (!isNumber(version, 1)) throw new TimeStampRefused('bad_request', 'The version of a request is 1.')
  checkImprint(imprint)
  if (asked.policy !== undefined && !bytesEqual(asked.policy.bytes, policy))
    throw new TimeStampRefused('unaccepted_policy', 'There is another policy here: leave it out, or name it.')
  const { nonce } = asked
  if (nonce !== undefined && nonce.content.length > REQUEST_CEILINGS.nonce)
    throw new TimeStampRefused('bad_request', `A nonce has at most ${REQUEST_CEILINGS.nonce} bytes.`)
  if (asked.extensions !== undefined)
    throw new TimeStampRefused('unaccepted_extension', 'No extension of requests is known here.')
  return {
    /** The MessageImprint as it came, DER. */
    imprint: imprint.bytes,
    /** The INTEGER as it came, DER. */
    nonce: nonce?.bytes,
    /** Whether the token is to carry certificates. */
    wantsCertificates: asked.certificates !== undefined,
  }
}

export type TimeStampRequest = ReturnType<typeof readTimeStampRequest>

/** In this order, each at most once. */
const OPTIONAL = [
  ['policy', DER_TAGS.oid],
  ['nonce', DER_TAGS.integer],
  ['certificates', DER_TAGS.boolean],
  ['extensions', context(0)],
] as const

type Asked = Partial<Record<(typeof OPTIONAL)[number][0], DerValue>>

function readParts(bytes: Uint8Array): { version: DerValue; imprint: DerValue; asked: Asked } {
  const request = rethrown(
    () => readDer(bytes, REQUEST_CEILINGS.depth),
    DerRejected,
    ({ message }) => unreadable(message),
  )
  const [version, imprint, ...others] = request.parts
  if (
    request.tag !== DER_TAGS.sequence ||
    version?.tag !== DER_TAGS.integer ||
    imprint?.tag !== DER_TAGS.sequence
  )
    throw unreadable('it is no TimeStampReq')
  const asked: Asked = {}
  let at = 0
  for (const [name, tag] of OPTIONAL) {
    const part = others[at]
    if (part?.tag !== tag) continue
    asked[name] = part
    at += 1
  }
  if (at < others.length) throw unreadable('it has a part that no TimeStampReq has there')
  // What is so by default is not written in DER.
  if (asked.certificates?.content[0] === 0) throw unreadable('it says what is so by default')
  return { version, imprint, asked }
}

const unreadable = (why: string): TimeStampRefused =>
  new TimeStampRefused('bad_data_format', `The request is not read: ${why}.`)

const isNumber = ({ content }: DerValue, number: number): boolean =>
  content.length === 1 && content[0] === number

/** The hash function is one of those that are safe for long, and the digest is of its length. */
function checkImprint({ parts }: DerValue): void {
  const [algorithm, digest, ...others] = parts
  const [id, parameters, ...more] = algorithm?.parts ?? []
  if (
    algorithm?.tag !== DER_TAGS.sequence ||
    id?.tag !== DER_TAGS.oid ||
    digest?.tag !== DER_TAGS.octetString
  )
    throw unreadable('its imprint is none')
  if (others.length > 0 || more.length > 0) throw unreadable('its imprint has a part too many')
  const known = IMPRINT_HASHES.find((hash) => bytesEqual(hash.id, id.bytes))
  if (known === undefined)
    throw new TimeStampRefused(
      'bad_alg',
      `Imprints are by ${IMPRINT_HASHES.map(({ name }) => name).join(', ')}.`,
    )
  if (parameters !== undefined && parameters.tag !== DER_TAGS.null)
    throw new TimeStampRefused('bad_alg', 'No hash function here has parameters.')
  if (digest.content.length !== known.bytes)
    throw new TimeStampRefused('bad_data_format', `A digest by ${known.name} has ${known.bytes} bytes.`)
}

/** The bit of PKIFailureInfo for each. The protocol has others, for which there is no occasion here. */
export const FAILURES = {
  /** A hash function that is not taken. */
  bad_alg: 0,
  /** Readable, but not what is answered here. */
  bad_request: 2,
  /** Not readable. */
  bad_data_format: 5,
  time_not_available: 14,
  unaccepted_policy: 15,
  unaccepted_extension: 16,
  system_failure: 25,
} as const

export type Failure = keyof typeof FAILURES

/** An expected no that the protocol can say. The message is what people are told. */
export class TimeStampRefused extends Error {
  override readonly name = 'TimeStampRefused'
  readonly failure: Failure

  constructor(failure: Failure, message: string) {
    super(message)
    this.failure = failure
  }
}

/** PKIStatus. */
const STATUS = { granted: sequence(derInteger(0)), rejection: derInteger(2) } as const

/** @param token a ContentInfo, DER */
export const grantedReply = (token: Uint8Array): Uint8Array => sequence(STATUS.granted, token)

export const rejectedReply = ({ failure, message }: TimeStampRefused): Uint8Array =>
  sequence(sequence(STATUS.rejection, sequence(derText(message)), namedBit(FAILURES[failure])))
