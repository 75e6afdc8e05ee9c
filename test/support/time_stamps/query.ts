// Requests for time stamps, right ones and wrong ones, and what replies say.
import { type IDS, id, readTlv, type Tlv, tlv } from './second_der.ts'

export const QUERY_TYPE = 'application/timestamp-query'

export interface Query {
  readonly version?: Buffer
  readonly hash?: keyof typeof IDS
  readonly digest?: Uint8Array
  /** Behind the name of the hash function. NULL unless said otherwise. */
  readonly parameters?: Buffer
  /** What comes behind the imprint, in order. */
  readonly rest?: readonly Buffer[]
}

export const NULL = tlv(0x05)
export const TRUE = tlv(0x01, Buffer.of(0xff))
export const nonce = (hex: string): Buffer => tlv(0x02, Buffer.from(hex, 'hex'))

export const queryOf = ({
  version = tlv(0x02, Buffer.of(1)),
  hash = 'sha256',
  digest = Buffer.alloc(32, 7),
  parameters = NULL,
  rest = [],
}: Query = {}): Buffer =>
  tlv(0x30, version, tlv(0x30, tlv(0x30, id(hash), parameters), tlv(0x04, digest)), ...rest)

export interface Reply {
  readonly status: number
  readonly words: string | undefined
  /** Bits of failInfo. */
  readonly failures: readonly number[]
  /** A ContentInfo. */
  readonly token: Buffer | undefined
}

export function readReply(bytes: Buffer): Reply {
  const [info, token] = readTlv(bytes).inside()
  const [status, ...others] = info?.inside() ?? []
  const words = others.find(({ tag }) => tag === 0x30)?.inside()[0]
  const [unused = 0, ...octets] = others.find(({ tag }) => tag === 0x03)?.content ?? []
  const failures = octets.flatMap((octet, at) =>
    [0, 1, 2, 3, 4, 5, 6, 7].filter((bit) => (octet & (0x80 >> bit)) !== 0).map((bit) => 8 * at + bit),
  )
  // In DER the last bit that is told is set.
  if (octets.length > 0 && failures.at(-1) !== 8 * octets.length - 1 - unused)
    throw new Error('bits too many')
  return {
    status: status?.content.readUIntBE(0, status.content.length) ?? -1,
    words: words?.content.toString(),
    failures,
    token: token?.whole,
  }
}

export interface Token {
  readonly policy: string
  readonly imprint: Buffer
  readonly serial: bigint
  /** Unix milliseconds. */
  readonly timeMs: number
  /** Of TSTInfo, from the accuracy on. */
  readonly rest: readonly Tlv[]
  readonly certificates: readonly Buffer[]
  /** The parts of SignedData. */
  readonly signedData: readonly Tlv[]
  /** What is signed, as a SET. */
  readonly attributes: readonly Tlv[]
  readonly signer: readonly Tlv[]
}

export function readToken(bytes: Buffer): Token {
  const signed = readTlv(bytes).inside()[1]?.inside()[0]?.inside() ?? []
  const wrapped = signed[2]?.inside()[1]?.inside()[0]?.content ?? Buffer.of()
  const [, policy, imprint, serial, time, ...rest] = readTlv(wrapped).inside()
  const certificates = signed.find(({ tag }) => tag === 0xa0)
  const signer = signed.at(-1)?.inside()[0]?.inside() ?? []
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(time?.content.toString() ?? '') ?? []
  return {
    policy: policy?.whole.toString('hex') ?? '',
    imprint: imprint?.whole ?? Buffer.of(),
    serial: BigInt(`0x${serial?.content.toString('hex') ?? ''}`),
    timeMs: Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`),
    rest,
    certificates: certificates?.inside().map(({ whole }) => whole) ?? [],
    signedData: signed,
    attributes: signer[3]?.inside() ?? [],
    signer,
  }
}
