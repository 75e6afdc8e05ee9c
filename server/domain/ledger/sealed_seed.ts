// A sealed signing key with which a master key is tried, and the fingerprint by which people tell master keys apart.
import { type MasterKey, SealBroken } from '../../kernel/sealed.ts'
import { sealPlace } from './signing_key.ts'

export interface SealedSeed {
  readonly key_id: Buffer
  readonly sealed_seed: Buffer
}

/** Any one, because all are sealed and rewrapped together. */
export const SEALED_SEED = 'SELECT key_id, sealed_seed FROM signing_keys ORDER BY sequence LIMIT 1'

export function opensSeed(key: Pick<MasterKey, 'open'>, { key_id, sealed_seed }: SealedSeed): boolean {
  try {
    key.open(sealed_seed, sealPlace(key_id))
    return true
  } catch (error) {
    if (error instanceof SealBroken) return false
    throw error
  }
}

/** 16 hex characters, from which nobody finds the key. */
export const keyFingerprint = (key: Pick<MasterKey, 'derive'>): string =>
  key.derive('fingerprint').subarray(0, 8).toString('hex')
