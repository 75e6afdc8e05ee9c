// Compares the secrets of confidential clients with their stored hashes (RFC 6749 section 2.3.1).
import { timingSafeEqual } from 'node:crypto'
import type Provider from 'oidc-provider'
import { secretHash } from '../../domain/oauth/secret_hash.ts'

/** What the library takes for the secret is its hash, so what a client sends is hashed before it is compared. */
export function comparesHashedSecrets(provider: Provider): void {
  Object.defineProperty(provider.Client.prototype, 'compareClientSecret', {
    value(this: { readonly clientSecret?: string }, given: string): boolean {
      const stored = Buffer.from(this.clientSecret ?? '', 'base64url')
      const hash = secretHash(given)
      return stored.length === hash.length && timingSafeEqual(stored, hash)
    },
  })
}
