// Compares the secret that a request carries with that of its endpoint, as every receiver should.
import { hash, timingSafeEqual } from 'node:crypto'
import { type MasterKey, SealBroken } from '../../../kernel/sealed.ts'
import { type AuthType, openSecret } from '../endpoints/endpoint.ts'

/**
 * `none`: the endpoint has none. `unknown`: the request is no delivery of the account, or its endpoint is gone, or the
 * stored secret does not open.
 */
export const SECRET_CHECKS = ['none', 'matches', 'differs', 'missing', 'unknown'] as const
export type SecretCheck = (typeof SECRET_CHECKS)[number]

interface Expected {
  readonly endpoint_id: string | null
  readonly auth_type: AuthType | null
  readonly sealed_auth_secret: Buffer | null
}

/** @param authorization as received, one character a byte */
export function checkSecret(
  masterKey: MasterKey,
  { endpoint_id: id, auth_type: authType, sealed_auth_secret: sealed }: Expected,
  authorization: string | undefined,
): SecretCheck {
  if (id === null || authType === null) return 'unknown'
  if (authType === 'none' || sealed === null) return authorization === undefined ? 'none' : 'differs'
  if (authorization === undefined) return 'missing'
  try {
    const expected = Buffer.from(`Bearer ${openSecret(masterKey, id, sealed)}`)
    return timingSafeEqual(digest(expected), digest(Buffer.from(authorization, 'latin1')))
      ? 'matches'
      : 'differs'
  } catch (error) {
    if (error instanceof SealBroken) return 'unknown'
    throw error
  }
}

/** Digests have a fixed length, so comparing them reveals nothing about the length of the secret. */
const digest = (bytes: Buffer): Buffer => hash('sha256', bytes, 'buffer')
