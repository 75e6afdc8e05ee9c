// Ends what a person is signed in with: browser sessions, grants and their tokens. API keys stay.
import type { EntityManager } from '@mikro-orm/postgresql'
import { db } from '../../store/run.ts'

/**
 * Deleting a grant deletes its tokens. Each server learns of it by a notice and ends open connections.
 * @param keep the grant of the request that is being answered, so that its caller stays signed in
 */
export async function endSignIns(
  em: EntityManager,
  userId: string,
  keep: { readonly grantId: string } | undefined = undefined,
): Promise<void> {
  const grants = db(em).deleteFrom('oauth_grants').where('user_id', '=', userId)
  await (keep === undefined ? grants : grants.where('id', '<>', keep.grantId)).execute()
}
