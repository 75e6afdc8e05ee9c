// Writes a TimeStampResp (RFC 3161 section 2.4.2).
import { derInteger, derText, namedBit, sequence } from '../../../shared/time_stamps/write_der.ts'
import { FAILURES, type TimeStampRefused } from './failure.ts'

/** PKIStatus. */
const STATUS = { granted: sequence(derInteger(0)), rejection: derInteger(2) } as const

/** @param token a ContentInfo, DER */
export const grantedReply = (token: Uint8Array): Uint8Array => sequence(STATUS.granted, token)

export const rejectedReply = ({ failure, message }: TimeStampRefused): Uint8Array =>
  sequence(sequence(STATUS.rejection, sequence(derText(message)), namedBit(FAILURES[failure])))
