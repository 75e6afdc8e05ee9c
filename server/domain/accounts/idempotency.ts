// Idempotency-Key: a repeated request is executed once, and the repetition gets the stored outcome.
import { createHash } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { refuse } from '../../kernel/refusal.ts'
import { prunes } from '../../store/bounded_change.ts'
import { change, db, inTransaction, preparedCommand } from '../../store/statement.ts'

export const MAX_IDEMPOTENCY_KEY = 255
const KEPT_HOURS = 24

/**
 * Executes `work` once per account and key. The outcome is stored in the same transaction as the work. A second
 * request waits for the first transaction and gets its outcome.
 * @param request the method, path, tenant and body, as bytes that are compared by their hash
 * @param work returns the outcome as JSON text: ids and refusals, never claims, because redaction does not cover this
 * table
 * @param last takes locks that many transactions wait for. Runs last, directly before the commit.
 * @throws idempotency_conflict when the key was used for another request
 */
export function onceFor(
  em: EntityManager,
  { userId, key, request }: { userId: string; key: string; request: Uint8Array },
  work: (em: EntityManager) => Promise<string>,
  last: (em: EntityManager) => Promise<void> = async () => undefined,
): Promise<string> {
  const hash = createHash('sha256').update(request).digest()
  return inTransaction(em, async (tx) => {
    if ((await change(tx, CLAIM({ userId, key, hash }))) === 0) {
      const known = await db(tx)
        .selectFrom('idempotency_keys')
        .select(['request_hash', 'outcome'])
        .where('user_id', '=', userId)
        .where('key', '=', key)
        .executeTakeFirstOrThrow()
      if (!known.request_hash.equals(hash)) throw refuse('idempotency_conflict')
      return known.outcome
    }
    const outcome = await work(tx)
    await db(tx)
      .updateTable('idempotency_keys')
      .set({ outcome })
      .where('user_id', '=', userId)
      .where('key', '=', key)
      .execute()
    await last(tx)
    // Commit point: the work and its outcome become visible together.
    return outcome
  })
}

/** A key beyond the maximum age counts as new. */
const CLAIM = preparedCommand(
  ({ userId, key, hash }: { userId: string; key: string; hash: Uint8Array }) => sql`
  INSERT INTO idempotency_keys (user_id, key, request_hash, outcome) VALUES (${userId}, ${key}, ${hash}, '')
  ON CONFLICT (user_id, key) DO UPDATE
     SET request_hash = excluded.request_hash, outcome = '', inserted_at = pharos_now()
   WHERE idempotency_keys.inserted_at < pharos_now() - ${KEPT_HOURS} * interval '1 hour'`,
)

/** Index: idempotency_keys_age. */
export const pruneIdempotencyKeys = prunes(
  'idempotency_keys',
  sql`inserted_at < pharos_now() - ${KEPT_HOURS} * interval '1 hour'`,
)
