// The refresh token that follows one that is used. It is computed from that one, so that two uses at once are answered
// with the same, although only its hash is stored.
import { createHmac, randomBytes } from 'node:crypto'
import Provider from 'oidc-provider'

/** @param key derived from the master key: without it nobody knows what follows a token */
export function computesNextRefreshToken({ RefreshToken }: Provider, key: Buffer): void {
  Object.defineProperty(RefreshToken.prototype, 'generateTokenId', {
    value(): string {
      const used = Provider.ctx?.oidc.entities.RotatedRefreshToken?.jti
      const token = used === undefined ? randomBytes(32) : createHmac('sha256', key).update(used).digest()
      return token.toString('base64url')
    },
  })
}
