// The state of the public sources, and the slot claims, in the database, so that all servers share them.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { bool, float8, nullable, oneOf, text } from '../../store/columns.ts'
import { TABLES } from '../../store/database.ts'
import { row, rows } from '../../store/run.ts'
import { statement } from '../../store/statement.ts'
import type { EntropySource } from '../ledger/observation.ts'
import { SOURCE_FAILURES, type SourceAt, type SourceFailure } from './source.ts'

/** `waiting`: not asked yet, or the first answer is still outstanding. */
export interface SourceState {
  readonly source: EntropySource
  readonly state: 'answering' | 'failing' | 'waiting'
  readonly last_success_at: string | null
  readonly failing_since: string | null
  /** 0 while the source does not fail. */
  readonly failing_seconds: number
  readonly failure: SourceFailure | null
}

/** Tolerance for a server whose slow answer is one slot late. */
const SLOTS_AHEAD = 2

/**
 * Returns the sources that the caller must ask for this slot. Each source goes to the first caller only, and a past
 * slot to none. If the caller crashes after its claim, that slot is lost and the next slot is claimed as usual. A
 * slot far ahead was claimed under a clock that was set back since, so it can be claimed again. Rows are locked in
 * order.
 */
export async function claimSources(
  em: EntityManager,
  sources: readonly EntropySource[],
  slot: number,
): Promise<ReadonlySet<EntropySource>> {
  const taken = await rows(em, CLAIM({ sources, slot }))
  return new Set(taken.map(({ source }) => source))
}

/** Records the outcome of asking. @returns true for news: the first failure, or the first answer after failures */
export async function noteOutcome(
  em: EntityManager,
  source: EntropySource,
  failure: SourceFailure | null,
): Promise<boolean> {
  const { news } = await row(em, NOTE({ source, failure }))
  return news
}

/** The states of all given sources, in the same order. */
export async function sourceStates(em: EntityManager, sources: readonly SourceAt[]): Promise<SourceState[]> {
  const found = await rows(em, STATES({ names: sources.map(({ source }) => source.name) }))
  return found.map(({ source, ...outcome }) => ({ source, state: stateOf(outcome), ...outcome }))
}

const stateOf = ({
  failure,
  last_success_at,
}: Pick<SourceState, 'failure' | 'last_success_at'>): SourceState['state'] =>
  failure !== null ? 'failing' : last_success_at !== null ? 'answering' : 'waiting'

const SOURCE = TABLES.entropy_sources.source

const CLAIM = statement(
  { source: SOURCE },
  ({ sources, slot }: { sources: readonly EntropySource[]; slot: number }) => sql`
  INSERT INTO entropy_sources AS known (source, slot)
  SELECT source, ${slot} FROM unnest(${sources}::text[]) AS wanted (source) ORDER BY source COLLATE "C"
      ON CONFLICT (source) DO UPDATE SET slot = excluded.slot
   WHERE known.slot < excluded.slot OR known.slot > excluded.slot + ${sql.lit(SLOTS_AHEAD)}
  RETURNING source`,
)

const NOTE = statement(
  { news: bool },
  ({ source, failure }: { source: EntropySource; failure: SourceFailure | null }) => sql`
  WITH before AS (SELECT source, failing_since FROM entropy_sources WHERE source = ${source})
  UPDATE entropy_sources AS now
     SET failure = ${failure}::text,
         failing_since = CASE WHEN ${failure}::text IS NOT NULL THEN coalesce(now.failing_since, pharos_now()) END,
         answered_at = CASE WHEN ${failure}::text IS NULL THEN pharos_now() ELSE now.answered_at END
    FROM before
   WHERE now.source = before.source
  RETURNING (before.failing_since IS NULL) <> (${failure}::text IS NULL) AS news`,
)

const STATES = statement(
  {
    source: SOURCE,
    last_success_at: nullable(text),
    failing_since: nullable(text),
    failing_seconds: float8,
    failure: nullable(oneOf(...SOURCE_FAILURES)),
  },
  ({ names }: { names: readonly EntropySource[] }) => sql`
  SELECT wanted.source, iso_time(answered_at) AS last_success_at, iso_time(failing_since) AS failing_since,
         (greatest(0, coalesce(unix_ms(pharos_now()) - unix_ms(failing_since), 0)) / 1000)::float8 AS failing_seconds,
         failure
    FROM unnest(${names}::text[]) WITH ORDINALITY AS wanted (source, place)
    LEFT JOIN entropy_sources AS known ON known.source = wanted.source COLLATE "C"
   ORDER BY wanted.place`,
)
