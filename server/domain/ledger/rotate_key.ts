// Requests a new signing key. The next block carries the key event as well as its subjects.
import type { EntityManager } from '@mikro-orm/postgresql'
import { refuse } from '../../kernel/refusal.ts'
import type { MasterKey } from '../../kernel/sealed.ts'
import { db, inTransaction } from '../../store/run.ts'
import { lockLedger } from './ledger_lock.ts'
import { makeSigningKey, type SigningKey, signingKeys } from './signing_key.ts'

export interface RotationAsked {
  readonly current: SigningKey
  readonly next: SigningKey
}

/**
 * Marks the prepared key for introduction by the next block, and makes the key after it, because that block publishes
 * the hash of the key after it. With `emergency` the new key signs the block, because the current key is no longer
 * trusted.
 * @throws invalid_argument when a rotation already waits for its block
 * @throws master_key_changed
 */
export function rotateKey(
  { em, masterKey }: { em: EntityManager; masterKey: MasterKey },
  { emergency }: { emergency: boolean },
): Promise<RotationAsked> {
  return inTransaction(em, async (tx) => {
    await lockLedger(tx)
    const keys = await signingKeys({ em: tx })
    const current = keys.findLast((key) => key.introducedAtHeight !== null)
    const next = keys.find((key) => key.introducedAtHeight === null)
    if (current === undefined || next === undefined)
      throw new Error('The ledger has no current and next signing key.')
    if (next.rotation !== null)
      throw refuse('invalid_argument', { detail: 'a rotation already waits for the next block' })
    await makeSigningKey({ em: tx, masterKey }, next.sequence + 1)
    const rotation = emergency ? 'emergency_rotation' : 'rotation'
    await db(tx).updateTable('signing_keys').set({ rotation }).where('key_id', '=', next.keyId).execute()
    return { current, next: { ...next, rotation } }
  })
}
