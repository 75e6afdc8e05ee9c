// A sealed signing key with which a master key is tried, where the table of the key in force is out of reach.
import { type MasterKey, SealBroken } from '../../kernel/sealed.ts'
import { openUnder } from '../../store/seal.ts'

export interface SealedSeed {
  readonly key_id: Buffer
  readonly sealed_seed: Buffer
}

/** The newest, because a rewrap may have left an older one as it was. */
export const SEALED_SEED = 'SELECT key_id, sealed_seed FROM signing_keys ORDER BY sequence DESC LIMIT 1'

export function opensSeed(key: Pick<MasterKey, 'open'>, { key_id, sealed_seed }: SealedSeed): boolean {
  try {
    openUnder(key, 'signing_keys.sealed_seed', key_id, sealed_seed)
    return true
  } catch (error) {
    if (error instanceof SealBroken) return false
    throw error
  }
}
