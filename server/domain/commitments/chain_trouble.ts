// Public chains that cannot be used just now, and why: one row each, for whoever watches the service.
import type { EntityManager } from '@mikro-orm/postgresql'
import type { ChainName } from '../../../shared/proof/public_chains.ts'
import { rows } from '../../store/rows.ts'
import type { Unusable } from './chains/chain.ts'

/** True when that is news: it worked before, or failed for another reason. */
export async function noteTrouble(
  { em }: { em: EntityManager },
  chain: ChainName,
  why: Unusable,
): Promise<boolean> {
  const told = await rows(
    em,
    `INSERT INTO chain_troubles (chain, why) VALUES ($1, $2)
     ON CONFLICT (chain) DO UPDATE SET why = excluded.why WHERE chain_troubles.why <> excluded.why
     RETURNING chain`,
    [chain, why],
  )
  return told.length > 0
}

/** True when there was any. */
export async function endTrouble({ em }: { em: EntityManager }, chain: ChainName): Promise<boolean> {
  const ended = await rows(em, 'DELETE FROM chain_troubles WHERE chain = $1 RETURNING chain', [chain])
  return ended.length > 0
}
