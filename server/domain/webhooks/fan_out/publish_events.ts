// Writes this version's events and their facts to the database.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { EVENT_NAMES, EVENTS } from '../../../../shared/wire/webhook_events.ts'
import { float8 } from '../../../store/columns.ts'
import { type Columnwise, columnwise } from '../../../store/columnwise.ts'
import { change, command, row, statement } from '../../../store/statement.ts'
import type { FactKind } from '../../ledger/facts.ts'

interface PublishedEvent {
  readonly event: string
  readonly fact: string
  readonly eachItem: boolean
}

/** The compiler refuses an event whose fact is no row of `FACT_KINDS` in `ledger/facts.ts`. */
export const PUBLISHED_EVENTS: readonly (PublishedEvent & { readonly fact: FactKind })[] = EVENT_NAMES.map(
  (event) => ({ event, fact: EVENTS[event].fact, eachItem: EVENTS[event].each === 'item_of_block' }),
)

/**
 * The trigger on `facts` reads the table `webhook_events` to decide which facts wait to become deliveries. Events of
 * other versions stay, because a newer server that runs beside this one may need them. Safe to repeat.
 */
export const publishEvents = (
  em: EntityManager,
  events: readonly PublishedEvent[] = PUBLISHED_EVENTS,
): Promise<number> => change(em, PUBLISH(columnwise(events, 'event', 'fact', 'eachItem')))

const PUBLISH = command(
  ({ event, fact, eachItem }: Columnwise<PublishedEvent>) => sql`
  INSERT INTO webhook_events AS v (event, fact, each_item)
  SELECT * FROM unnest(${event}::text[], ${fact}::text[], ${eachItem}::boolean[])
  ON CONFLICT (event) DO UPDATE SET fact = excluded.fact, each_item = excluded.each_item
   WHERE (v.fact, v.each_item) IS DISTINCT FROM (excluded.fact, excluded.each_item)`,
)

/** Seconds since the oldest fact that waits. 0 when none does. Indexes: webhook_facts_pkey, facts_pkey. */
export const waitingFactAge = async (em: EntityManager): Promise<number> => (await row(em, OLDEST)).age

const OLDEST = statement(
  { age: float8 },
  sql`
  SELECT greatest(0, extract(epoch FROM pharos_now() - (
           SELECT at FROM facts WHERE id = (SELECT min(fact_id) FROM webhook_facts))))::float8 AS age`,
)
