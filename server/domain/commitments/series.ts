// A series: the epochs meant for one public chain and network. One server at a time works on it.

import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import type { ChainName } from '../../../shared/proof/public_chains.ts'
import { change, db } from '../../store/run.ts'
import { command } from '../../store/statement.ts'

export interface Series {
  readonly chain: ChainName
  readonly network: string
}

/** Another server takes over when the one at work has not been heard of for so long. */
export const LEASE_MS = 30_000

/**
 * Takes the lease, or holds on to one's own; false while another server has it. It spares the fleet double work and
 * nothing hangs on it: a server that slept through the end of its lease finds every further step guarded. A lease that
 * is twice as long as any was given by a clock that has gone back since, and counts as ended.
 */
export async function takeLease(
  { em }: { em: EntityManager },
  { chain, network }: Series,
  holder: string,
): Promise<boolean> {
  const taken = await change(em, TAKE({ chain, network, holder }))
  return taken > 0
}

/** Gives the lease back, and leaves word whether the chain answered. */
export const leaveSeries = (
  { em }: { em: EntityManager },
  { chain, network }: Series,
  { holder, answered }: { readonly holder: string; readonly answered: boolean },
): Promise<number> => change(em, LEAVE({ chain, network, holder, answered }))

interface Held extends Series {
  readonly holder: string
}

const TAKE = command(
  ({ chain, network, holder }: Held) => sql`
  INSERT INTO epoch_series (chain, network, lease, leased_until)
  VALUES (${chain}, ${network}, ${holder}, pharos_now() + ${LEASE} * interval '1 millisecond')
  ON CONFLICT (chain, network) DO UPDATE SET lease = excluded.lease, leased_until = excluded.leased_until
   WHERE epoch_series.lease = excluded.lease OR epoch_series.leased_until <= pharos_now()
      OR epoch_series.leased_until > excluded.leased_until + ${LEASE} * interval '1 millisecond'`,
)

const LEASE = sql.lit(LEASE_MS)

const LEAVE = command(
  ({ chain, network, holder, answered }: Held & { answered: boolean }) => sql`
  UPDATE epoch_series
     SET leased_until = '-infinity', answered_at = CASE WHEN ${answered} THEN pharos_now() ELSE answered_at END
   WHERE chain = ${chain} AND network = ${network} AND lease = ${holder}`,
)

/** Only the closing of epochs waits here; it ends with the transaction. */
export async function lockSeries(em: EntityManager, { chain, network }: Series): Promise<void> {
  await db(em)
    .insertInto('epoch_series')
    .values({ chain, network })
    .onConflict((known) => known.doNothing())
    .execute()
  await db(em)
    .selectFrom('epoch_series')
    .select('chain')
    .where('chain', '=', chain)
    .where('network', '=', network)
    .forUpdate()
    .executeTakeFirstOrThrow()
}
