// .ots files of any origin for tests, byte by byte, with nothing of the service's own code.
import { createHash } from 'node:crypto'

const sha256 = (bytes: string | Uint8Array): Buffer => createHash('sha256').update(bytes).digest()

export const magic = (version: number): Buffer =>
  Buffer.from(`004f70656e54696d657374616d7073000050726f6f6600bf89e2e884e892940${version}`, 'hex')

export const DATA = 'What was on the paper.\n'
export const DIGEST = sha256(DATA)

/** Prepend one byte, and hash. */
export const STEPS = 'f1010708'
/** What the steps lead to, in the order in which Bitcoin shows it. */
export const ROOT = Buffer.from(sha256(Buffer.concat([Buffer.of(7), DIGEST])).reverse()).toString('hex')

export const HEIGHT = 1_201
/** A Bitcoin block of that height. */
export const ATTESTED = '000588960d73d7190102b109'
/** @param height below 128 */
export const attestedAt = (height: number): string =>
  `000588960d73d7190101${height.toString(16).padStart(2, '0')}`
/** A promise of the calendar at https://calendar.example.com/calendar/. */
export const PENDING = `0083dfe30d2ef90c8e2726${Buffer.from('https://calendar.example.com/calendar/').toString('hex')}`
export const UNKNOWN = '00ffffffffffffffff00'

/** @param hashTag 08 for sha256, 02 for sha1, 03 for ripemd160 */
export const file = (timestamp: string, hashTag = '08', digest: Uint8Array = DIGEST): Buffer =>
  Buffer.concat([magic(1), Buffer.from(hashTag, 'hex'), digest, Buffer.from(timestamp, 'hex')])
