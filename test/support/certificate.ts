// Certificates for names on this machine, as bytes: X.509 (RFC 5280) in DER, signed with ECDSA over P-256.
import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isIP } from 'node:net'

export interface Certificate {
  readonly cert: string
  readonly key: string
}

/** Counted from now; both may be in the past. */
interface Days {
  readonly from: number
  readonly to: number
}

export interface Authority extends Certificate {
  /** A certificate for these names and addresses. As long as the authority when no days are given. */
  readonly issue: (names: readonly string[], days?: Days) => Certificate
}

const TEN_DAYS: Days = { from: -1, to: 10 }

export function makeAuthority(name: string, valid = TEN_DAYS): Authority {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const own = { subject: name, names: [], isAuthority: true, days: valid }
  return {
    ...pemOf(
      certificate({ ...own, issuer: name, publicKey: keys.publicKey, signer: keys.privateKey }),
      keys.privateKey,
    ),
    issue: (names, days = valid) => {
      const leaf = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const parts = { subject: names[0] ?? 'nobody', names, isAuthority: false, days }
      const made = { ...parts, issuer: name, publicKey: leaf.publicKey, signer: keys.privateKey }
      return pemOf(certificate(made), leaf.privateKey)
    },
  }
}

interface Parts {
  readonly subject: string
  readonly issuer: string
  readonly names: readonly string[]
  readonly isAuthority: boolean
  readonly days: Days
  readonly publicKey: KeyObject
  readonly signer: KeyObject
}

function certificate({ subject, issuer, names, isAuthority, days, publicKey, signer }: Parts): Buffer {
  const algorithm = der(0x30, oid(1, 2, 840, 10045, 4, 3, 2))
  const extensions = [
    extension(oid(2, 5, 29, 19), der(0x30, isAuthority ? der(0x01, Buffer.of(0xff)) : Buffer.alloc(0))),
    ...(names.length === 0 ? [] : [extension(oid(2, 5, 29, 17), der(0x30, ...names.map(alternativeName)))]),
  ]
  const body = der(
    0x30,
    der(0xa0, integer(Buffer.of(2))),
    integer(Buffer.concat([Buffer.of(1), randomBytes(15)])),
    algorithm,
    nameOf(issuer),
    der(0x30, time(days.from), time(days.to)),
    nameOf(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(0x30, ...extensions)),
  )
  return der(0x30, body, algorithm, bits(sign('sha256', body, signer)))
}

const pemOf = (bytes: Buffer, key: KeyObject): Certificate => ({
  cert: [
    '-----BEGIN CERTIFICATE-----',
    ...(bytes.toString('base64').match(/.{1,64}/g) ?? []),
    '-----END CERTIFICATE-----',
    '',
  ].join('\n'),
  key: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
})

/** A DNS name or an address, in DER. */
function alternativeName(name: string): Buffer {
  if (isIP(name) === 4) return der(0x87, Buffer.from(name.split('.').map(Number)))
  if (name === '::1') return der(0x87, Buffer.concat([Buffer.alloc(15), Buffer.of(1)]))
  return der(0x82, Buffer.from(name))
}

const nameOf = (name: string): Buffer =>
  der(0x30, der(0x31, der(0x30, oid(2, 5, 4, 3), der(0x0c, Buffer.from(name)))))

const extension = (id: Buffer, value: Buffer): Buffer => der(0x30, id, der(0x04, value))

const bits = (value: Buffer): Buffer => der(0x03, Buffer.concat([Buffer.of(0), value]))

const integer = (value: Buffer): Buffer => der(0x02, value)

function time(days: number): Buffer {
  const text = new Date(Date.now() + days * 86_400_000)
    .toISOString()
    .replace(/\.\d+/, '')
    .replace(/[-:T]/g, '')
  return der(0x18, Buffer.from(text))
}

function oid(first: number, second: number, ...rest: number[]): Buffer {
  const bytes = [first * 40 + second]
  for (const part of rest) {
    const groups = [part & 0x7f]
    for (let left = part >> 7; left > 0; left >>= 7) groups.unshift((left & 0x7f) | 0x80)
    bytes.push(...groups)
  }
  return der(0x06, Buffer.from(bytes))
}

function der(tag: number, ...values: Buffer[]): Buffer {
  const value = Buffer.concat(values)
  const { length } = value
  const size =
    length < 0x80
      ? Buffer.of(length)
      : length < 0x100
        ? Buffer.of(0x81, length)
        : Buffer.of(0x82, length >> 8, length & 0xff)
  return Buffer.concat([Buffer.of(tag), size, value])
}
