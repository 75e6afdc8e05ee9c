// Checks at start that the master key opens the ledger's sealed keys. With a wrong master key the server could never
// sign a block.

import type { EntityManager } from '@mikro-orm/postgresql'
import { type MasterKey, SealBroken } from '../../kernel/sealed.ts'
import { db } from '../../store/run.ts'
import { sealPlace } from './signing_key.ts'

/**
 * Opens the two newest signing keys, which include the current one. Two are enough, because all keys are sealed and
 * rewrapped together.
 * @throws Error with advice when a key does not open
 */
export async function checkMasterKey({
  em,
  masterKey,
}: {
  readonly em: EntityManager
  readonly masterKey: MasterKey
}): Promise<void> {
  const sealed = await db(em)
    .selectFrom('signing_keys')
    .select(['key_id', 'sealed_seed'])
    .orderBy('sequence', 'desc')
    .limit(2)
    .execute()
  try {
    for (const { key_id, sealed_seed } of sealed) masterKey.open(sealed_seed, sealPlace(key_id))
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error
    throw new Error(WRONG_KEY, { cause: error })
  }
}

const WRONG_KEY =
  'The master key does not open the signing keys of this ledger. Nothing was started and nothing changed. Set MASTER_KEY ' +
  'to the key that this ledger was made with, or was last rewrapped to: it is the same on every server. Check also that ' +
  'DATABASE_URL, or DATA_DIR, is the right one.'
