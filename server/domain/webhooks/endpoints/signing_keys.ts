// The keys that sign the deliveries of an endpoint: how they are made, sealed, shown and used (Standard Webhooks 1.0).
import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto'
import type { MasterKey } from '../../../kernel/sealed.ts'
import { openUnder, type Sealing, seal } from '../../../store/seal.ts'

/** `v1` is HMAC-SHA256 with a secret that both sides have. `v1a` is Ed25519, whose public half receivers have. */
export const SIGNINGS = ['none', 'v1', 'v1a'] as const
export type Signing = (typeof SIGNINGS)[number]
export type Scheme = Exclude<Signing, 'none'>

/** With more of them the header of each delivery would grow, and nobody rotates so often without `overlap` 0. */
export const MOST_KEYS = 5

/** Characters of `whsec_` and 32 bytes in base64, and of `whpk_` and as many. */
export const KEY_LENGTHS = { secret: 50, public: 49 } as const

const SECRET_BYTES = 32

/** As it is sealed: the secret of `v1`, or the private key of `v1a` as PKCS #8, in base64. */
export interface EndpointKey {
  readonly scheme: Scheme
  readonly key: string
  /** ISO 8601. Null for the newest. */
  readonly ends_at: string | null
}

/** As it is stored in the open. */
export interface PublicKey {
  /** e.g. `whpk_` and 44 characters of base64 */
  readonly key: string
  readonly ends_at: string | null
}

export function makeEndpointKey(scheme: Scheme): EndpointKey {
  switch (scheme) {
    case 'v1':
      return { scheme, key: randomBytes(SECRET_BYTES).toString('base64'), ends_at: null }
    case 'v1a': {
      const { privateKey } = generateKeyPairSync('ed25519')
      const key = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64')
      return { scheme, key, ends_at: null }
    }
    default:
      return scheme satisfies never
  }
}

/** What the owner is told of a new key this once. Undefined for `v1a`, whose private half stays here. */
export const secretOf = ({ scheme, key }: EndpointKey): string | undefined =>
  scheme === 'v1' ? `whsec_${key}` : undefined

/** The public halves in the same order. */
export const publicKeysOf = (keys: readonly EndpointKey[]): readonly PublicKey[] =>
  keys.flatMap(({ scheme, key, ends_at }) =>
    scheme === 'v1a' ? [{ key: `whpk_${rawPublicKey(privateKeyOf(key))}`, ends_at }] : [],
  )

/** Of the keys that are stored in the open, those that still sign. Receivers must not trust the others any more. */
export const standingPublicKeys = (stored: unknown, now: Date = new Date()): readonly string[] =>
  Array.isArray(stored) && stored.every(isPublicKey) ? stored.filter(stands(now)).map(({ key }) => key) : []

const isPublicKey = (one: Readonly<Record<string, unknown>>): one is PublicKey & typeof one =>
  typeof one.key === 'string' && (one.ends_at === null || typeof one.ends_at === 'string')

/** True for a key that signs at this time. */
export const stands =
  (now: Date) =>
  ({ ends_at }: Pick<EndpointKey, 'ends_at'>): boolean =>
    ends_at === null || Date.parse(ends_at) > now.getTime()

const privateKeyOf = (key: string): KeyObject =>
  createPrivateKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'pkcs8' })

const rawPublicKey = (privateKey: KeyObject): string =>
  Buffer.from(createPublicKey(privateKey).export({ format: 'jwk' }).x ?? '', 'base64url').toString('base64')

const KEYS = 'webhook_endpoints.sealed_signing_keys'

/** @throws master_key_changed */
export const sealSigningKeys = (
  sealing: Sealing,
  id: string,
  keys: readonly EndpointKey[],
): Promise<Buffer> => seal(sealing, KEYS, id, Buffer.from(JSON.stringify(keys)))

/** The newest first. @throws SealBroken */
export const openSigningKeys = (
  masterKey: MasterKey,
  id: string,
  sealed: Uint8Array,
): readonly EndpointKey[] => JSON.parse(openUnder(masterKey, KEYS, id, sealed).toString())

/** Headers that come with a signature alone. Their names are lower case. */
export const SIGNATURE_HEADERS = ['webhook-timestamp', 'webhook-signature'] as const

export const isOfSignature = (name: string): boolean =>
  SIGNATURE_HEADERS.some((own) => own === name.toLowerCase())

/** Signs one message. Returns names and values alternately. */
export type SignMessage = (message: {
  readonly id: string
  readonly at: Date
  readonly payload: string
}) => readonly string[]

/** Opens the keys once for many messages. A key that ends meanwhile does not sign from then on. */
export function messageSigner(keys: readonly EndpointKey[]): SignMessage {
  const signers = keys.map(({ scheme, key, ends_at }) => ({ ends_at, sign: SIGN[scheme](key) }))
  return ({ id, at, payload }) => {
    const seconds = String(Math.floor(at.getTime() / 1_000))
    const signed = Buffer.from(`${id}.${seconds}.${payload}`)
    const signatures = signers.filter(stands(at)).map((one) => one.sign(signed))
    return ['webhook-timestamp', seconds, 'webhook-signature', signatures.join(' ')]
  }
}

/** Each takes the key and returns what signs bytes with it. */
const SIGN: Readonly<Record<Scheme, (key: string) => (bytes: Buffer) => string>> = {
  v1: (text) => {
    const key = Buffer.from(text, 'base64')
    return (bytes) => `v1,${createHmac('sha256', key).update(bytes).digest('base64')}`
  },
  v1a: (text) => {
    const key = privateKeyOf(text)
    return (bytes) => `v1a,${sign(null, bytes, key).toString('base64')}`
  },
}
