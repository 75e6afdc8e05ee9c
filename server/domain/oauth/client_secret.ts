// Secrets of confidential clients (RFC 6749 section 2.3.1): random, shown once, and stored as their SHA-256.
import { randomBytes } from 'node:crypto'
import { secretHash } from './secret_hash.ts'

export const newClientSecret = (): { secret: string; hash: Buffer } => {
  const secret = randomBytes(32).toString('base64url')
  return { secret, hash: secretHash(secret) }
}
