// Readers that wait for a delivery: few places for each endpoint and each account, and one look for all of them. Who waits
// holds a promise and a connection of its client, and no connection of the database.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { repeat } from '../../../kernel/flow/repeat.ts'
import { Tally } from '../../../kernel/flow/tally.ts'
import type { Log } from '../../../kernel/log.ts'
import { refuse } from '../../../kernel/refusal.ts'
import { int4 } from '../../../store/columns.ts'
import type { CommitPlace } from '../../../store/commit_order.ts'
import { preparedStatement, rows } from '../../../store/statement.ts'
import { unreadBeyond } from './read_events.ts'

/** Places of one process. */
export const WAIT_PLACES = { endpoint: 2, account: 20 } as const

/** Told to those who find no place. */
const RETRY_MS = 5_000

/**
 * Milliseconds. A notice may be lost, and a running transaction may hold back what it announced, so readers are looked
 * after by the clock too.
 */
const LOOK = { everyMs: 500, gapMs: 50 } as const

/** A look rests nine times as long as it took, so that readers take a tenth of one connection's time, however many wait. */
const REST_PER_LOOK = 9

interface Waiting {
  readonly endpointId: string
  readonly place: CommitPlace
  readonly wake: (hasMore: boolean) => void
}

export type PullWaits = ReturnType<typeof openPullWaits>

export function openPullWaits({ em, log }: { readonly em: () => EntityManager; readonly log: Log }) {
  const waiting = new Set<Waiting>()
  const taken = { endpoint: new Tally(), account: new Tally() }
  let isEnding = false
  let restUntil = 0

  const looking = repeat({
    everyMs: LOOK.everyMs,
    firstMs: Number.POSITIVE_INFINITY,
    gapMs: LOOK.gapMs,
    keepsAlive: false,
    onError: (err) => log.warn({ err }, 'webhooks.pull_look_failed'),
    run: async () => {
      const began = performance.now()
      if (waiting.size === 0) return Number.POSITIVE_INFINITY
      if (began < restUntil) return restUntil - began
      const all = [...waiting]
      const found = await rows(
        em(),
        WITH_MORE({
          endpointIds: all.map(({ endpointId }) => endpointId),
          xids: all.map(({ place }) => place.xid),
          ids: all.map(({ place }) => place.id),
        }),
      )
      const ended = performance.now()
      restUntil = ended + REST_PER_LOOK * (ended - began)
      for (const { n } of found) all[n - 1]?.wake(true)
      return LOOK.everyMs
    },
  })

  return Object.freeze({
    /** @throws rate_limited when as many requests of the endpoint or the account wait as may */
    enter: ({ endpointId, userId }: { endpointId: string; userId: string }) => {
      const own = [
        ['endpoint', endpointId],
        ['account', userId],
      ] as const
      for (const [of, key] of own)
        if (taken[of].of(key) >= WAIT_PLACES[of])
          throw refuse('rate_limited', {
            detail: `${WAIT_PLACES[of]} requests of this ${of} wait already`,
            meta: { maximum: WAIT_PLACES[of], retry_after_ms: RETRY_MS },
          })
      for (const [of, key] of own) taken[of].add(key, 1)
      let isIn = true
      return {
        /**
         * True when something is beyond the place. False when the time is over, nobody waits any more, or the server
         * stops.
         */
        wait: (place: CommitPlace, ms: number, signal: AbortSignal) =>
          new Promise<boolean>((resolve) => {
            if (isEnding || signal.aborted) return resolve(false)
            const one: Waiting = {
              endpointId,
              place,
              wake: (hasMore) => {
                clearTimeout(timer)
                signal.removeEventListener('abort', gone)
                waiting.delete(one)
                resolve(hasMore)
              },
            }
            const gone = (): void => one.wake(false)
            const timer = setTimeout(gone, ms)
            signal.addEventListener('abort', gone)
            waiting.add(one)
            // Something may have come since the reader looked itself.
            looking.poke()
          }),
        leave: (): void => {
          if (!isIn) return
          isIn = false
          for (const [of, key] of own) taken[of].add(key, -1)
        },
      }
    },
    /** There may be news. */
    poke: (): void => {
      if (waiting.size > 0) looking.poke()
    },
    /** Readers that wait. */
    count: (): number => waiting.size,
    /** From now on nobody waits: readers are answered at once. */
    end: (): void => {
      isEnding = true
      for (const one of waiting) one.wake(false)
    },
    /** Call it after `end`. Resolves when nothing looks any more. */
    close: looking.stop,
  })
}

/** Two reads of webhook_deliveries_pull for each reader, however many deliveries there are. */
export const WITH_MORE = preparedStatement(
  { n: int4 },
  (asked: {
    readonly endpointIds: readonly string[]
    readonly xids: readonly string[]
    readonly ids: readonly string[]
  }) => sql`
  SELECT w.n::int AS n
    FROM unnest(${asked.endpointIds}::text[], ${asked.xids}::text[], ${asked.ids}::text[])
         WITH ORDINALITY AS w (endpoint_id, xid, id, n)
   WHERE EXISTS (
     SELECT FROM webhook_deliveries d
      WHERE d.endpoint_id = w.endpoint_id AND ${unreadBeyond(sql`(w.xid::xid8, w.id)`)})`,
)
