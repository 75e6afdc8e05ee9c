// Asks for a new signing key: the next regular block carries the key event, and its subjects.
import type { EntityManager } from '@mikro-orm/postgresql'
import { refuse } from '../../kernel/refusal.ts'
import type { MasterKey } from '../../kernel/sealed.ts'
import { change, inTransaction, rows } from '../../store/rows.ts'
import { lockLedger } from './ledger_lock.ts'
import { makeSigningKey, type SigningKey, sealPlace, signingKeys } from './signing_key.ts'

export interface RotationAsked {
  readonly current: SigningKey
  readonly next: SigningKey
}

/**
 * Marks the pre-committed key to be introduced by the next block, and prepares the key after it, whose hash that block
 * will publish. `emergency`: the block is signed by the new key, because the current one is no longer trusted.
 * @throws invalid_argument when a rotation already waits for its block
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
    await change(tx, 'UPDATE signing_keys SET rotation = $2 WHERE key_id = $1', [next.keyId, rotation])
    return { current, next: { ...next, rotation } }
  })
}

/** Seals every key under another master key; all or nothing. Servers must be restarted with the new one. */
export function rewrapKeys({
  em,
  from,
  to,
}: {
  em: EntityManager
  from: MasterKey
  to: MasterKey
}): Promise<number> {
  return inTransaction(em, async (tx) => {
    await lockLedger(tx)
    const sealed = await rows<{ key_id: Buffer; sealed_seed: Buffer }>(
      tx,
      'SELECT key_id, sealed_seed FROM signing_keys ORDER BY sequence FOR UPDATE',
    )
    const wrapped = sealed.map(({ key_id, sealed_seed }) => {
      const place = sealPlace(key_id)
      return { key_id, sealed_seed: to.seal(from.open(sealed_seed, place), place) }
    })
    return change(
      tx,
      `UPDATE signing_keys SET sealed_seed = w.sealed_seed
         FROM unnest($1::bytea[], $2::bytea[]) AS w (key_id, sealed_seed) WHERE signing_keys.key_id = w.key_id`,
      [wrapped.map(({ key_id }) => key_id), wrapped.map(({ sealed_seed }) => sealed_seed)],
    )
  })
}
