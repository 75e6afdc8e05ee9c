// A series: all epochs for one public chain and network. One server at a time works on a series, at the pace of its
// chain.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import type { ChainName } from '../../../shared/proof/public_chains.ts'
import { change, db } from '../../store/run.ts'
import { command } from '../../store/statement.ts'

export interface Series {
  readonly chain: ChainName
  readonly network: string
}

/** If the server with the lease crashes, another one takes over after this time. */
export const LEASE_MS = 30_000

/**
 * Takes or renews the lease. Returns false while another server has it. The lease only avoids double work: a server
 * that slept past the end of its lease does no harm, because every step has its own guard. A lease that ends
 * impossibly late was written before the clock was set back and counts as ended.
 */
export async function takeLease(
  em: EntityManager,
  { chain, network }: Series,
  holder: string,
): Promise<boolean> {
  const taken = await change(em, TAKE({ chain, network, holder }))
  return taken > 0
}

/** Releases the lease and records whether the chain answered. */
export const leaveSeries = (
  em: EntityManager,
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

/** Locks the series until the transaction ends. Only the closing of epochs uses this lock. */
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

/** The time limits and intervals for a public chain. All values are milliseconds. */
export interface ChainPace {
  /** Time between two looks at a transaction that is not confirmed. */
  readonly look: number
  /** Delay after a refusal, or while the chain cannot be reached. */
  readonly retry: number
  /** A transaction that the chain accepted and no longer has is sent again after this time. */
  readonly resend: number
  /**
   * The first transaction is replaced when no block contains it after this time, the next one after twice this time,
   * and so on. A transaction that the chain accepted this long ago and whose input is gone is given up.
   */
  readonly replace: number
  /** How long a chain usually takes from the closing of an epoch to one confirmation. Only told, never waited for. */
  readonly confirm: number
  /** Time between two looks at a confirmed transaction that a reorganisation could still remove. */
  readonly watch: number
}

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

const PACES = {
  bitcoin: {
    ...{ look: 20 * SECOND, retry: MINUTE, resend: 5 * MINUTE, replace: 6 * HOUR },
    ...{ confirm: 10 * MINUTE, watch: 5 * MINUTE },
  },
  stellar: {
    ...{ look: 3 * SECOND, retry: 15 * SECOND, resend: 30 * SECOND, replace: 5 * MINUTE },
    ...{ confirm: 15 * SECOND, watch: MINUTE },
  },
  /** Short times, because blocks are made on request. */
  regtest: {
    ...{ look: SECOND, retry: 2 * SECOND, resend: 5 * SECOND, replace: 5 * MINUTE },
    ...{ confirm: 10 * SECOND, watch: MINUTE },
  },
} as const satisfies Record<ChainName | 'regtest', ChainPace>

export const paceOf = (chain: ChainName, network: string): ChainPace =>
  PACES[network === 'regtest' ? 'regtest' : chain]

/** The longest delay until the next look. A later time can only come from before the clock was set back. */
export const LONGEST_WAIT_MS = Math.max(
  ...Object.values(PACES).flatMap(({ look, retry, watch }) => [look, retry, watch]),
)
