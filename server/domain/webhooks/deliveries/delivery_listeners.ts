// The owners who listen to their deliveries on any server. Facts about deliveries are written for them only, because
// facts are read while they are new, and nobody else would read these.
import { setTimeout as wait } from 'node:timers/promises'
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { gather } from '../../../kernel/flow/gather.ts'
import { repeat } from '../../../kernel/flow/repeat.ts'
import { Tally } from '../../../kernel/flow/tally.ts'
import type { Log } from '../../../kernel/log.ts'
import { once } from '../../../kernel/lru.ts'
import { prunes } from '../../../store/bounded_change.ts'
import { bool, xid8 } from '../../../store/columns.ts'
import { isDatabaseUnavailable } from '../../../store/database_errors.ts'
import { row, type Sql, statement } from '../../../store/statement.ts'
import { type FactReader, factReader } from '../../ledger/facts.ts'

export type DeliveryListeners = ReturnType<typeof keepDeliveryListeners>

/**
 * Seconds for which an owner is known to listen, and milliseconds between two renewals. A server that crashes leaves
 * the owner's facts to be written for so long.
 */
const LEASE_SECONDS = 60
const RENEW_EVERY_MS = 20_000

/** Milliseconds between two looks for older transactions, and for all looks. */
const SETTLE = { every: 10, most: 2_000 } as const

export function keepDeliveryListeners({ em, log }: { em: () => EntityManager; log: Log }) {
  const listening = new Tally()

  /** Several owners who begin at once share the statements. */
  const announce = gather<string, void>(
    async (userIds, onSent) => {
      const { xid } = await row(em(), ANNOUNCE({ userIds: [...new Set(userIds)] }))
      onSent()
      const until = performance.now() + SETTLE.most
      // A transaction that began before may not see the new row, and may commit a change without its fact.
      while (!(await row(em(), HAS_SETTLED({ xid }))).settled && performance.now() < until)
        await wait(SETTLE.every)
      return userIds.map(() => ({ value: undefined }))
    },
    {
      max: 1_000,
      lanes: 4,
      ceiling: 20_000,
      full: () => new Error('Too many owners begin to listen at once.'),
      isWhole: isDatabaseUnavailable,
    },
  )

  const renewing = repeat({
    everyMs: RENEW_EVERY_MS,
    keepsAlive: false,
    onError: (error) => log.warn({ err: error }, 'delivery_listeners.not_renewed'),
    run: async () => {
      const userIds = listening.keys()
      if (userIds.length > 0) await row(em(), ANNOUNCE({ userIds }))
    },
  })

  return Object.freeze({
    /**
     * Resolves when every later change of this owner's deliveries is recorded as a fact. Returns the function that ends
     * the listening.
     */
    listen: async (userId: string): Promise<() => void> => {
      listening.add(userId, 1)
      const end = once(() => void listening.add(userId, -1))
      try {
        await announce(userId)
      } catch (error) {
        end()
        throw error
      }
      return end
    },
    close: () => renewing.stop(),
  })
}

const ANNOUNCE = statement(
  { xid: xid8 },
  ({ userIds }: { userIds: readonly string[] }) => sql`
  WITH told AS (
    INSERT INTO delivery_listeners AS l (user_id, listening_until)
    SELECT u.id, pharos_now() + ${sql.lit(LEASE_SECONDS)} * interval '1 second' FROM unnest(${userIds}::text[]) AS u (id)
     ORDER BY u.id
        ON CONFLICT (user_id) DO UPDATE SET listening_until = excluded.listening_until)
  SELECT pg_current_xact_id() AS xid`,
)

const HAS_SETTLED = statement(
  { settled: bool },
  ({ xid }: { xid: string }) =>
    sql`SELECT pg_snapshot_xmin(pg_current_snapshot()) > ${xid}::text::xid8 AS settled`,
)

/**
 * Records news about deliveries whose owner listens.
 * @param source a relation whose column `d` is a row of webhook_deliveries
 */
export const tellListeners = (kind: 'delivery.created' | 'delivery.updated', source: string): Sql => sql`
  INSERT INTO facts (kind, subject_id, creator_id, data)
  SELECT ${sql.lit(kind)}, (d).id, (d).user_id, delivery_snapshot(d)
    FROM ${sql.ref(source)} JOIN delivery_listeners l ON l.user_id = (d).user_id AND l.listening_until > pharos_now()`

/** Deletes the rows of owners who no longer listen. */
export const pruneDeliveryListeners = prunes('delivery_listeners', sql`listening_until < pharos_now()`)

/** Holds a reader that gets all facts about the owner's deliveries from now on, until the returned function is called. */
export async function holdForListener(
  reader: Pick<FactReader, 'hold'>,
  { listen }: Pick<DeliveryListeners, 'listen'>,
  userId: string,
): Promise<() => void> {
  const release = await reader.hold()
  const end = await listen(userId).catch((error: unknown) => {
    release()
    throw error
  })
  return () => {
    end()
    release()
  }
}

export interface DeliveryNews {
  readonly id: string
  readonly what: 'created' | 'updated'
}

export type DeliveryFeed = ReturnType<typeof createDeliveryFeed>

/** Milliseconds between two reads of facts, besides pokes. Nothing is read while there are no listeners. */
const READ_EVERY_MS = 1_000

const KINDS: ReadonlyMap<string, DeliveryNews['what']> = new Map([
  ['delivery.created', 'created'],
  ['delivery.updated', 'updated'],
])

interface DeliveryFeedParts {
  readonly em: () => EntityManager
  readonly deliveryListeners: Pick<DeliveryListeners, 'listen'>
  readonly log: Log
}

export function createDeliveryFeed({ em, deliveryListeners, log }: DeliveryFeedParts) {
  const listeners = new Map<string, Set<(news: DeliveryNews) => void>>()
  const reader = factReader({
    em,
    log,
    everyMs: READ_EVERY_MS,
    tell: async ({ kind, creator_id, subject_id }) => {
      const what = KINDS.get(kind)
      const owners = creator_id === null ? undefined : listeners.get(creator_id)
      if (what !== undefined) for (const tell of owners ?? []) tell({ id: subject_id, what })
    },
  })
  return Object.freeze({
    /**
     * Calls `tell` for all news after the promise resolves, until the returned function is called. `tell` must not
     * throw.
     */
    follow: async (userId: string, tell: (news: DeliveryNews) => void): Promise<() => void> => {
      const end = await holdForListener(reader, deliveryListeners, userId)
      const own = listeners.get(userId) ?? new Set()
      listeners.set(userId, own.add(tell))
      return () => {
        own.delete(tell)
        if (own.size === 0 && listeners.get(userId) === own) listeners.delete(userId)
        end()
      }
    },
    /** Makes the feed look for news now. */
    poke: reader.poke,
    close: reader.close,
  })
}
