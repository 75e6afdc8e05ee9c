// Random secrets. Each is told once, and only its hash is stored.
import { hash, randomBytes } from 'node:crypto'

/** 256 bits of randomness. */
export const randomSecret = (): string => randomBytes(32).toString('base64url')

/** The stored form. The secret is random, so a fast hash is enough, and the lookup by hash tells nothing of it. */
export const secretHash = (secret: string): Buffer => hash('sha256', secret, 'buffer')
