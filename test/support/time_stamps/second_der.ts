// DER once more, as little as requests and tokens need, with nothing of the service's own code.

export interface Tlv {
  readonly tag: number
  readonly content: Buffer
  readonly whole: Buffer
  /** The values in it. Throws when it holds none. */
  readonly inside: () => readonly Tlv[]
}

export function tlv(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content)
  const length =
    body.length < 128
      ? Buffer.of(body.length)
      : body.length < 256
        ? Buffer.of(0x81, body.length)
        : Buffer.of(0x82, body.length >> 8, body.length & 255)
  return Buffer.concat([Buffer.of(tag), length, body])
}

export function readTlv(bytes: Buffer): Tlv {
  const [first, ...others] = readAll(bytes)
  if (first === undefined || others.length > 0) throw new Error('not one value')
  return first
}

function readAll(bytes: Buffer): Tlv[] {
  const found: Tlv[] = []
  for (let at = 0; at < bytes.length; ) {
    const short = bytes.readUInt8(at + 1)
    const more = short < 128 ? 0 : short - 128
    const length = more === 0 ? short : bytes.readUIntBE(at + 2, more)
    const from = at + 2 + more
    const end = from + length
    if (end > bytes.length) throw new Error('cut')
    const content = bytes.subarray(from, end)
    found.push({
      tag: bytes.readUInt8(at),
      content,
      whole: bytes.subarray(at, end),
      inside: () => readAll(content),
    })
    at = end
  }
  return found
}

/** The bytes of object identifiers, as OpenSSL writes them. */
export const IDS = {
  md5: '06082a864886f70d0205',
  sha1: '06052b0e03021a',
  sha256: '0609608648016503040201',
  sha384: '0609608648016503040202',
  sha512: '0609608648016503040203',
  sha3_256: '0609608648016503040208',
  sha3_384: '0609608648016503040209',
  sha3_512: '060960864801650304020a',
  other: '06042a030401',
} as const

export const id = (name: keyof typeof IDS): Buffer => Buffer.from(IDS[name], 'hex')
