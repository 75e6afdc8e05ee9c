// Ends endpoints: deletes one, and switches off those of an account.
import type { EntityManager } from '@mikro-orm/postgresql'
import { refuse } from '../../../kernel/refusal.ts'
import { db, inTransaction, NOW } from '../../../store/statement.ts'
import { cancelPending } from '../deliveries/cancel_pending.ts'
import { endpointOf, type WebhookEndpoint } from './endpoint.ts'

/**
 * Deletes an endpoint of the user and returns its last values. Pending deliveries are cancelled. Past deliveries
 * stay.
 * @throws not_found
 */
export function deleteEndpoint(
  em: EntityManager,
  { id, userId }: { id: string; userId: string },
): Promise<WebhookEndpoint> {
  return inTransaction(em, async (tx) => {
    const columns = await db(tx)
      .deleteFrom('webhook_endpoints')
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .returningAll()
      .executeTakeFirst()
    if (columns === undefined) throw refuse('not_found')
    // One piece, which is nearly always enough. The delivery loop cancels the rest.
    await cancelPending(tx, id, 'the endpoint was deleted')
    return endpointOf(columns)
  })
}

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
