// Reads facts in an order in which no fact can later appear before the reader's cursor: once per server for all
// listeners, in commit order, and not while there are no listeners.
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { type Repeating, repeat } from '../../kernel/flow/repeat.ts'
import type { Log } from '../../kernel/log.ts'
import { once } from '../../kernel/lru.ts'
import { prunes } from '../../store/bounded_change.ts'
import { jsonObject, nullable, oneOf, text } from '../../store/columns.ts'
import { type CommitPlace, committedBeyond, isElsewhere, oldestRunning } from '../../store/commit_order.ts'
import { preparedStatement, type RowFrom, rows } from '../../store/statement.ts'

/** Every kind of fact. For a delivery, `creator_id` is the owner of its endpoint; for an endpoint, its own. */
export const FACT_KINDS = [
  'item.created',
  'item.redacted',
  'item.unredacted',
  'item.deleted',
  'block.finalized',
  'block.committed',
  'entropy.created',
  'commitment.submitted',
  'commitment.confirmed',
  'commitment.failed',
  'delivery.created',
  'delivery.updated',
  'webhook_endpoint.failing',
  'webhook_endpoint.disabled',
  'webhook_endpoint.secret_rotated',
] as const
export type FactKind = (typeof FACT_KINDS)[number]

export type Fact = Omit<RowFrom<typeof AFTER>, 'xid' | 'id'>

/** A position between two facts. `id` is a 64-bit number as text. */
type FactCursor = CommitPlace

/** The cursor for a reader that wants only facts from now on. */
export const latestFactCursor = async (em: EntityManager): Promise<FactCursor> => ({
  xid: await oldestRunning(em),
  id: '0',
})

/**
 * Returns at most `limit` facts after the cursor, and the cursor after the last of them. Rows are ordered by the numeric
 * columns, not by the text columns of the same name, because as text 100 comes before 99. Restored facts are history and
 * are never returned. A cursor from another server starts again at the present. Index: facts_in_commit_order.
 */
export async function factsAfter(
  em: EntityManager,
  cursor: FactCursor,
  limit: number,
): Promise<{ facts: readonly Fact[]; cursor: FactCursor }> {
  const found = await rows(em, AFTER({ ...cursor, limit }))
  const last = found.at(-1)
  if (last !== undefined) return { facts: found, cursor: { xid: last.xid, id: last.id } }
  return { facts: [], cursor: (await isElsewhere(em, cursor)) ? await latestFactCursor(em) : cursor }
}

/**
 * `data` is the event payload at the time of the fact. It contains metadata only, never claims. Item facts carry the
 * owner, the team and the visibility of the item.
 */
const AFTER = preparedStatement(
  {
    xid: text,
    id: text,
    kind: oneOf(...FACT_KINDS),
    subject_id: text,
    creator_id: nullable(text),
    team_id: nullable(text),
    visibility: nullable(text),
    data: jsonObject,
    at: text,
  },
  ({ xid, id, limit }: FactCursor & { limit: number }) => sql`
  SELECT xid::text, id::text, kind, subject_id, creator_id, team_id, visibility, data, iso_time(at) AS at
    FROM facts
   WHERE ${committedBeyond({ alias: 'facts', xid: 'xid', id: 'id' }, sql`(${xid}::text::xid8, ${id}::bigint)`)}
   ORDER BY facts.xid, facts.id
   LIMIT ${limit}`,
)

const KEPT_HOURS = 24

/**
 * Facts can be deleted because the ledger itself is the permanent record. Index: facts_age.
 */
export const pruneFacts = prunes('facts', sql`at < pharos_now() - ${KEPT_HOURS} * interval '1 hour'`)

export type FactReader = ReturnType<typeof factReader>

const PAGE = 500
/**
 * Facts sent before the event loop may do other work. A whole page at once could exceed what a connection may have
 * unsent, even if its client reads fast.
 */
const FACTS_BETWEEN_YIELDS = 16

/** Lasts from the first hold to the last release. The next run starts at a new cursor. */
interface Run {
  readonly begun: Promise<void>
  holders: number
  reading: Repeating | undefined
}

export function factReader({
  em,
  log,
  tell,
  everyMs,
}: {
  readonly em: () => EntityManager
  readonly log: Log
  /** Must reject only when the same fact should be sent again. Then no listener may have received it. */
  readonly tell: (fact: Fact) => Promise<void>
  readonly everyMs: number
}) {
  let run: Run | undefined
  let ended: Promise<unknown> = Promise.resolve()

  const begin = (): Run => {
    const begun = latestFactCursor(em()).then((cursor) => {
      if (run === fresh) fresh.reading = readFrom(cursor)
    })
    const fresh: Run = { begun, holders: 0, reading: undefined }
    return fresh
  }

  const readFrom = (first: FactCursor): Repeating => {
    let cursor = first
    /** Facts that are read but not sent yet. */
    const waiting: Fact[] = []
    return repeat({
      everyMs,
      onError: (err) => log.warn({ err }, 'stream.facts_read_failed'),
      run: async (signal) => {
        let sent = 0
        // The last release aborts this loop. Later holders get a run with its own cursor.
        while (!signal.aborted) {
          for (let fact = waiting[0]; fact !== undefined; fact = waiting[0]) {
            await tell(fact)
            if (signal.aborted) return
            waiting.shift()
            sent += 1
            if (sent % FACTS_BETWEEN_YIELDS === 0) await yieldToEventLoop()
            if (signal.aborted) return
          }
          const page = await factsAfter(em(), cursor, PAGE)
          cursor = page.cursor
          if (page.facts.length === 0) return
          waiting.push(...page.facts)
        }
      },
    })
  }

  const end = (over: Run): void => {
    if (run === over) run = undefined
    ended = Promise.all([ended, over.reading?.stop()])
  }

  return Object.freeze({
    /** Makes the reader look for new facts now. */
    poke: () => run?.reading?.poke(),
    /**
     * Resolves when the reader has fixed its starting point, so that no later fact is missed. Returns the function that
     * releases the reader. The reader runs until every holder has released it.
     */
    hold: async (): Promise<() => void> => {
      run ??= begin()
      const held = run
      held.holders += 1
      const release = once((): void => {
        held.holders -= 1
        if (held.holders === 0) end(held)
      })
      try {
        await held.begun
      } catch (error) {
        // Every holder that waited for this start gets the error. The next hold starts again.
        end(held)
        throw error
      }
      return release
    },
    close: async () => {
      if (run !== undefined) end(run)
      await ended
    },
  })
}
