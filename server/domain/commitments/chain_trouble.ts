// Records which public chains cannot be used now, and why. One row per chain, for monitoring.

import type { EntityManager } from '@mikro-orm/postgresql'
import type { ChainName } from '../../../shared/proof/public_chains.ts'
import { db } from '../../store/run.ts'
import type { Unusable } from './chains/chain.ts'

/** Returns true when the trouble is new: the chain worked before, or failed for another reason. */
export async function noteTrouble(
  { em }: { em: EntityManager },
  chain: ChainName,
  why: Unusable,
): Promise<boolean> {
  const written = await db(em)
    .insertInto('chain_troubles')
    .values({ chain, why })
    .onConflict((known) => known.column('chain').doUpdateSet({ why }).where('chain_troubles.why', '<>', why))
    .executeTakeFirst()
  return (written.numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** Returns true when the chain was in trouble. */
export async function endTrouble({ em }: { em: EntityManager }, chain: ChainName): Promise<boolean> {
  const ended = await db(em).deleteFrom('chain_troubles').where('chain', '=', chain).executeTakeFirst()
  return ended.numDeletedRows > 0n
}
