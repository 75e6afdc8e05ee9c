// Limits how much a creator may submit in a day (UTC), by plan. For many items the allowance is taken first and given
// back for items that were not made. For one item it is taken in the transaction that makes it.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import type { Log } from '../../kernel/log.ts'
import { type Refusal, refuse } from '../../kernel/refusal.ts'
import { boundedChange } from '../../store/bounded_change.ts'
import { int4, nullable, oneOf, type RowOf, text } from '../../store/columns.ts'
import { type Columnwise, columnwise } from '../../store/columnwise.ts'
import { change, preparedCommand, preparedStatement, row, rows } from '../../store/statement.ts'
import { PLANS, type Plan } from './plan.ts'

export interface Amount {
  readonly items: number
  /** Of canonical claims. */
  readonly bytes: number
}

interface Ask extends Amount {
  readonly creatorId: string
  readonly plan: Plan
}

/** What was taken, and of which day. Nothing is counted for a plan without a cap. */
export interface Allowance {
  readonly creatorId: string
  readonly day: string | undefined
  readonly taken: Amount
}

type Allowed = Allowance | { readonly refusal: Refusal }

export type Allowances = ReturnType<typeof createAllowances>

export function createAllowances({ em, log }: { em: () => EntityManager; log: Log }) {
  /** Lost when the process ends. The creator then has that much less until midnight. */
  let owed: Allowance[] = []

  const settle = async (): Promise<void> => {
    const settling = owed
    owed = []
    if (settling.length === 0) return
    try {
      const back = settling.map(({ creatorId, day, taken }) => ({ creatorId, day, ...taken }))
      await change(em(), GIVE_BACK(columnwise(back, 'creatorId', 'day', 'items', 'bytes')))
    } catch (err) {
      log.warn({ err }, 'allowances.not_given_back')
      owed = [...settling, ...owed].slice(0, MOST_OWED)
    }
  }

  return Object.freeze({
    /**
     * Returns one answer per ask, in their order. Each ask is admitted as a whole or refused with `plan_limit`. No
     * creator exceeds the cap, however many servers ask at once. Uses one short statement of its own, so that no row
     * stays locked while items are made. Uses none when no plan has a cap.
     */
    take: async (asks: readonly Ask[]): Promise<readonly Allowed[]> => {
      const capped = asks.flatMap((ask, nth) => (isCapped(ask.plan) ? [{ ...withMost(ask), nth }] : []))
      const answers = new Map<number, Allowed>()
      if (capped.length > 0) {
        await settle()
        const columns = columnwise(capped, 'nth', 'creatorId', 'items', 'bytes', 'mostItems', 'mostBytes')
        for (const { nth, day, beyond } of await rows(em(), TAKE(columns))) {
          const ask = asks[nth]
          if (ask !== undefined)
            answers.set(nth, beyond === null ? takenOf(ask, day) : { refusal: refusedFor(ask, beyond, day) })
        }
      }
      return asks.map((ask, index) => {
        const answer = isCapped(ask.plan) ? answers.get(index) : takenOf(ask, undefined)
        if (answer === undefined) throw new Error('An allowance was not answered.')
        return answer
      })
    },
    /** Gives back what was taken and not used. If that fails, it is given back with the next ask. */
    giveBack: async (allowances: readonly Allowance[]) => {
      owed.push(...allowances.filter(({ day, taken }) => day !== undefined && taken.items > 0))
      await settle()
    },
  })
}

/** Maximum number of creators whose amounts to give back are remembered. */
const MOST_OWED = 10_000

/** `day`: e.g. `2026-11-22`. */
const JUDGED = { day: text, beyond: nullable(oneOf('items', 'bytes')) }

const isCapped = (plan: Plan): boolean =>
  Number.isFinite(PLANS[plan].itemsADay) || Number.isFinite(PLANS[plan].claimBytesADay)

const takenOf = ({ creatorId, items, bytes }: Ask, day: string | undefined): Allowance => ({
  creatorId,
  day,
  taken: { items, bytes },
})

const DAY_MS = 86_400_000

function refusedFor({ plan }: Ask, unit: 'items' | 'bytes', day: string): Refusal {
  const limit = unit === 'items' ? PLANS[plan].itemsADay : PLANS[plan].claimBytesADay
  const detail =
    unit === 'items' ? `the plan has ${limit} items a day` : `the plan has ${limit} bytes of claims a day`
  const resetsAt = new Date(Date.parse(day) + DAY_MS).toISOString()
  return refuse('plan_limit', { detail, meta: { limit, unit, resets_at: resetsAt } })
}

/**
 * Refuses an amount that exceeds what is left of the day, judged by a plain read. Takes no lock and reserves nothing.
 */
export async function judgeAllowance(em: EntityManager, ask: Ask): Promise<void> {
  if (!isCapped(ask.plan)) return
  refuseBeyond(ask, await row(em, JUDGE(withMost(ask))))
}

/**
 * Takes the allowance inside the transaction that makes the items. If the transaction fails or the process crashes,
 * nothing was taken. Must be the last statement before the commit and take the last lock, because other requests of
 * the same creator wait for it.
 * @throws plan_limit
 */
export async function takeAllowance(em: EntityManager, ask: Ask): Promise<void> {
  if (!isCapped(ask.plan) || ask.items === 0) return
  refuseBeyond(ask, await row(em, TAKE_ONE(withMost(ask))))
}

interface OneAsk extends Ask {
  readonly mostItems: number
  readonly mostBytes: number
}

const withMost = (ask: Ask): OneAsk => ({
  ...ask,
  mostItems: PLANS[ask.plan].itemsADay,
  mostBytes: PLANS[ask.plan].claimBytesADay,
})

function refuseBeyond(ask: Ask, { beyond, day }: RowOf<typeof JUDGED>): void {
  if (beyond !== null) throw refusedFor(ask, beyond, day)
}

const TAKE_ONE = preparedStatement(
  JUDGED,
  ({ creatorId, items, bytes, mostItems, mostBytes }: OneAsk) => sql`
  SELECT day::text AS day, beyond
    FROM take_allowance(${creatorId}, ARRAY[0], ARRAY[${items}::float8], ARRAY[${bytes}::float8], ${mostItems}::float8,
                        ${mostBytes}::float8)`,
)

/** Index: the primary key. */
const JUDGE = preparedStatement(
  JUDGED,
  ({ creatorId, items, bytes, mostItems, mostBytes }: OneAsk) => sql`
  SELECT today.day::text AS day,
         CASE WHEN coalesce(d.items, 0) + ${items}::float8 > ${mostItems}::float8 THEN 'items'
              WHEN coalesce(d.bytes, 0) + ${bytes}::float8 > ${mostBytes}::float8 THEN 'bytes' END AS beyond
    FROM (SELECT (pharos_now() AT TIME ZONE 'UTC')::date AS day) AS today
         LEFT JOIN daily_submissions d ON d.day = today.day AND d.creator_id = ${creatorId}`,
)

/**
 * Rows are locked in the order of the creators' ids, so statements wait for each other and never deadlock. The commit
 * does not wait for the disk, so the locks are short. A crash of the database may lose the counts of the last second,
 * in the creator's favour.
 */
const TAKE = preparedStatement(
  { nth: int4, ...JUDGED },
  (asks: Columnwise<Omit<OneAsk, 'plan'> & { readonly nth: number }>) => sql`
  WITH quick AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))
  SELECT t.nth, t.day::text AS day, t.beyond
    FROM quick,
         (SELECT creator, array_agg(nth ORDER BY nth) AS nths, array_agg(items ORDER BY nth) AS items,
                 array_agg(bytes ORDER BY nth) AS bytes, max(most_items) AS most_items, max(most_bytes) AS most_bytes
            FROM unnest(${asks.nth}::int[], ${asks.creatorId}::text[], ${asks.items}::float8[], ${asks.bytes}::float8[],
                        ${asks.mostItems}::float8[], ${asks.mostBytes}::float8[])
                   AS u (nth, creator, items, bytes, most_items, most_bytes)
           GROUP BY creator
           ORDER BY creator COLLATE "C") AS a,
         LATERAL take_allowance(a.creator, a.nths, a.items, a.bytes, a.most_items, a.most_bytes) AS t`,
)

const GIVE_BACK = preparedCommand(
  ({ creatorId, day, items, bytes }: Columnwise<Omit<Allowance, 'taken'> & Amount>) => sql`
  WITH back AS (
    SELECT creator, day, sum(items) AS items, sum(bytes) AS bytes
      FROM unnest(${creatorId}::text[], ${day}::date[], ${items}::float8[], ${bytes}::float8[]) AS u (creator, day, items, bytes)
     GROUP BY creator, day),
  held AS (
    SELECT d.day, d.creator_id FROM daily_submissions d JOIN back ON d.day = back.day AND d.creator_id = back.creator
     ORDER BY d.creator_id, d.day FOR UPDATE OF d)
  UPDATE daily_submissions d
     SET items = greatest(0, d.items - back.items::bigint), bytes = greatest(0, d.bytes - back.bytes::bigint)
    FROM back JOIN held ON held.day = back.day AND held.creator_id = back.creator
   WHERE d.day = back.day AND d.creator_id = back.creator`,
)

/**
 * Deletes days before yesterday. Yesterday's row stays for amounts that are given back late. Index: the primary key.
 */
export const pruneAllowances = boundedChange(
  ({ limit }) => sql`
  DELETE FROM daily_submissions WHERE (day, creator_id) IN (
    SELECT day, creator_id FROM daily_submissions
     WHERE day < (pharos_now() AT TIME ZONE 'UTC')::date - 1 LIMIT ${limit})`,
)
