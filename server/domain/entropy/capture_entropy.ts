// Asks the public sources and records their answers. Each source is asked once per slot, by the first server that claims
// it: claims and states are in the database, so that all servers share them.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import type { EntropyName } from '../../../shared/proof/entropy_names.ts'
import { bool, float8, nullable, oneOf, text } from '../../store/columns.ts'
import { TABLES } from '../../store/database.ts'
import { type RowFrom, row, rows, statement } from '../../store/statement.ts'
import { recordObservation } from '../ledger/observation.ts'
import type { Signer } from '../ledger/signing_key.ts'
import {
  type Reading,
  readSource,
  SOURCE_FAILURES,
  type SourceAt,
  SourceFailed,
  type SourceFailure,
} from './source.ts'

/** Tolerance for a server whose slow answer is one slot late. */
const SLOTS_AHEAD = 2

/**
 * Returns the sources that the caller must ask for this slot. Each source goes to the first caller only, and a past
 * slot to none. If the caller crashes after its claim, that slot is lost and the next slot is claimed as usual. A
 * slot far ahead was claimed under a clock that was set back since, so it can be claimed again. Rows are locked in
 * order.
 */
export async function claimSources(em: EntityManager, sources: readonly EntropyName[], slot: number) {
  const taken = await rows(em, CLAIM({ sources, slot }))
  return new Set(taken.map(({ source }) => source))
}

/**
 * The states of all given sources, in the same order. `waiting`: not asked yet, or the first answer is still outstanding.
 * `failing_seconds` is 0 while the source does not fail.
 */
export async function sourceStates(em: EntityManager, sources: readonly SourceAt[]) {
  const found = await rows(em, STATES({ names: sources.map(({ source }) => source.name) }))
  return found.map(({ source, ...outcome }) => ({ source, state: stateOf(outcome), ...outcome }))
}

const stateOf = ({ failure, last_success_at }: Omit<RowFrom<typeof STATES>, 'source'>) =>
  failure !== null ? 'failing' : last_success_at !== null ? 'answering' : 'waiting'

const SOURCE = TABLES.entropy_sources.source

const CLAIM = statement(
  { source: SOURCE },
  ({ sources, slot }: { sources: readonly EntropyName[]; slot: number }) => sql`
  INSERT INTO entropy_sources AS known (source, slot)
  SELECT source, ${slot} FROM unnest(${sources}::text[]) AS wanted (source) ORDER BY source COLLATE "C"
      ON CONFLICT (source) DO UPDATE SET slot = excluded.slot
   WHERE known.slot < excluded.slot OR known.slot > excluded.slot + ${sql.lit(SLOTS_AHEAD)}
  RETURNING source`,
)

/** Records the outcome of asking. */
const NOTE = statement(
  {
    /** The first failure, or the first answer after failures. */
    news: bool,
  },
  ({ source, failure }: { source: EntropyName; failure: SourceFailure | null }) => sql`
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
  ({ names }: { names: readonly EntropyName[] }) => sql`
  SELECT wanted.source, iso_time(answered_at) AS last_success_at, iso_time(failing_since) AS failing_since,
         (greatest(0, coalesce(unix_ms(pharos_now()) - unix_ms(failing_since), 0)) / 1000)::float8 AS failing_seconds,
         failure
    FROM unnest(${names}::text[]) WITH ORDINALITY AS wanted (source, place)
    LEFT JOIN entropy_sources AS known ON known.source = wanted.source COLLATE "C"
   ORDER BY wanted.place`,
)

interface CaptureTools {
  /** A new entity manager per call, because sources are asked concurrently. */
  readonly em: () => EntityManager
  readonly signer: Signer
  readonly sources: readonly SourceAt[]
  /** Milliseconds for one source. */
  readonly timeoutMs?: number
  /** Aborts running requests. Nothing is recorded about their sources then. */
  readonly signal?: AbortSignal
}

/** `known`: the same pulse, ledger or block as before. `news`: the source began to fail, or answers again. */
export type CaptureOutcome = { readonly source: EntropyName; readonly news: boolean } & (
  | { readonly outcome: 'recorded'; readonly id: string }
  | { readonly outcome: 'known' }
  | { readonly outcome: SourceFailure; readonly why: string }
)

/**
 * No transaction is open while a source is asked, and sources do not wait for each other. A failing source is left
 * out: the next block is made without it.
 * @param now.slot number of the slot, see `claimSources`
 * @param now.nowMs the database's time, to reject answers from the future
 */
export async function captureEntropy(
  tools: CaptureTools,
  now: { readonly slot: number; readonly nowMs: number },
): Promise<CaptureOutcome[]> {
  const names = tools.sources.map(({ source }) => source.name)
  const claimed = await claimSources(tools.em(), names, now.slot)
  const outcomes = await Promise.allSettled(
    tools.sources
      .filter(({ source }) => claimed.has(source.name))
      .map((each) => captureOne(tools, each, now.nowMs)),
  )
  return outcomes.flatMap((each) => {
    // A fault of ours is thrown only after every source has finished, so that no request continues in the background.
    if (each.status === 'rejected') throw each.reason
    return each.value ?? []
  })
}

async function captureOne(
  { em, signer, timeoutMs, signal }: CaptureTools,
  source: SourceAt,
  nowMs: number,
): Promise<CaptureOutcome | undefined> {
  const { name } = source.source
  const reading = await readSource(source, { timeoutMs, signal })
    .then((read) => plausible(read, nowMs))
    .catch((error: unknown) => {
      if (error instanceof SourceFailed) return error
      throw error
    })
  if (signal?.aborted === true) return undefined
  if (reading instanceof SourceFailed) {
    const noted = await row(em(), NOTE({ source: name, failure: reading.reason }))
    return { source: name, outcome: reading.reason, why: reading.message, ...noted }
  }
  const recorded = await recordObservation({ em: em(), signer }, { source: name, ...reading })
  return { source: name, ...(await row(em(), NOTE({ source: name, failure: null }))), ...recorded }
}

/** Bitcoin's rules let a block's time be two hours ahead. None of the sources existed before 2009. */
const AHEAD_MS = 2 * 3_600_000
const FIRST_YEAR_MS = Date.UTC(2009, 0)

function plausible(reading: Reading, nowMs: number): Reading {
  const publishedMs = reading.publishedAt.getTime()
  if (publishedMs >= FIRST_YEAR_MS && publishedMs <= nowMs + AHEAD_MS) return reading
  throw new SourceFailed('bad_answer', 'the time of publication is not of this world, or our clock is wrong')
}
