// What a request for a time stamp is answered (RFC 3161 section 2.4.2): the token, or why it was refused.
import { derInteger, derText, namedBit, sequence } from '../../../shared/time_stamps/write_der.ts'

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
