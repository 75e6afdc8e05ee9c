// Switches off every endpoint of an account that is disabled.
import type { EntityManager } from '@mikro-orm/postgresql'
import { NOW } from '../../../store/conditions.ts'
import { db } from '../../../store/run.ts'

/**
 * Nothing more is sent to them: the delivery loop cancels what waits. They stay off when the account is enabled again,
 * until the owner switches them on. Returns how many there were. Index: webhook_endpoints_user.
 */
export async function disableEndpointsOf(em: EntityManager, userId: string): Promise<number> {
  const done = await db(em)
    .updateTable('webhook_endpoints')
    .set({ enabled: false, disabled_reason: 'manual', updated_at: NOW })
    .where('id', 'in', (from) =>
      from
        .selectFrom('webhook_endpoints')
        .select('id')
        .where('user_id', '=', userId)
        .where('enabled', '=', true)
        // In the order in which outcomes of attempts lock them, so that neither waits for the other for ever.
        .orderBy('id')
        .forNoKeyUpdate(),
    )
    .executeTakeFirst()
  return Number(done.numUpdatedRows)
}
