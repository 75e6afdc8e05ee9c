// One request of a reader of a pull endpoint: what is there, or what comes while it waits. There are few places to wait for each
// endpoint and each account, and one look for all of them. Who waits holds a promise and a connection of its client, and no
// connection of the database.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { repeat } from '../../../kernel/flow/repeat.ts'
import { Tally } from '../../../kernel/flow/tally.ts'
import type { Log } from '../../../kernel/log.ts'
import { once } from '../../../kernel/lru.ts'
import { refuse } from '../../../kernel/refusal.ts'
import { int4 } from '../../../store/columns.ts'
import { type Columnwise, columnwise } from '../../../store/columnwise.ts'
import type { CommitPlace } from '../../../store/commit_order.ts'
import { preparedStatement, rows } from '../../../store/statement.ts'
import { type Asked, type PulledPage, type ReadingEvents, readEvents, unreadBeyond } from './read_events.ts'

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
      const places = all.map(({ endpointId, place }) => ({ endpointId, ...place }))
      const found = await rows(em(), WITH_MORE(columnwise(places, 'endpointId', 'xid', 'id')))
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
        leave: once((): void => {
          for (const [of, key] of own) taken[of].add(key, -1)
        }),
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
  ({ endpointId, xid, id }: Columnwise<CommitPlace & { endpointId: string }>) => sql`
  SELECT w.n::int AS n
    FROM unnest(${endpointId}::text[], ${xid}::text[], ${id}::text[])
         WITH ORDINALITY AS w (endpoint_id, xid, id, n)
   WHERE EXISTS (
     SELECT FROM webhook_deliveries d
      WHERE d.endpoint_id = w.endpoint_id AND ${unreadBeyond(sql`(w.xid::xid8, w.id)`)})`,
)

/** Seconds that a reader may wait at most. */
export const LONGEST_WAIT_SECONDS = 30

/** A request that waits takes no place and no turn from those that are worked on. */
export interface Aside {
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal
  readonly rest: () => void
  /** Resolves when it has its turn again. @throws overloaded */
  readonly resume: () => Promise<void>
}

interface PullEvents extends ReadingEvents {
  readonly waits: Pick<PullWaits, 'enter'>
}

interface How {
  readonly waitMs: number
  /** Absent where nobody may wait. */
  readonly aside?: Aside | undefined
  /** Characters of all bodies together. */
  readonly room: number
}

/**
 * Answers at once when anything is beyond the place, or as soon as something comes while it waits.
 * @throws rate_limited when it would have to wait and has no place; overloaded; and as `readEvents` says
 */
export async function pullEvents(
  { waits, ...reading }: PullEvents,
  asked: Asked,
  { waitMs, aside, room }: How,
): Promise<PulledPage> {
  const page = await readEvents(reading, asked, room)
  const isEmpty = page.events.length === 0 && page.place.id === asked.after.id
  if (!isEmpty || waitMs === 0 || aside === undefined) return page
  const place = waits.enter(asked)
  aside.rest()
  const hasMore = await place.wait(page.place, waitMs, aside.signal).finally(place.leave)
  await aside.resume()
  return hasMore ? readEvents(reading, { ...asked, after: page.place }, room) : page
}
