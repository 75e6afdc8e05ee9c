// What is stored about witnesses: what each has seen, and the cosignatures of a checkpoint.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { bytes, int4, nullable, text } from '../../store/columns.ts'
import { change, rows } from '../../store/run.ts'
import { command, type RowFrom, statement } from '../../store/statement.ts'
import type { WitnessTrouble } from './offer_checkpoint.ts'
import type { Witnessing } from './witnessing.ts'

type WitnessRow = RowFrom<typeof WITNESSES>

/** All witnesses that were ever asked about a log. Index: witnesses_pkey. */
export const witnessRows = (
  em: EntityManager,
  log: number,
  labels: readonly string[],
): Promise<readonly WitnessRow[]> => rows(em, WITNESSES({ log, labels }))

/** Cosignatures of the newest sizes that have any, the newest first. Index: witness_cosignatures_pkey. */
export const cosignatureRows = (
  em: EntityManager,
  log: number,
): Promise<readonly RowFrom<typeof COSIGNATURES>[]> => rows(em, COSIGNATURES({ log }))

/** What came of asking one witness. */
export interface WitnessResult {
  readonly label: string
  readonly cosignature: Uint8Array | undefined
  /** Why there is none. */
  readonly trouble: WitnessTrouble
  readonly seenSize: number | undefined
}

/** May be repeated. A result without a cosignature does not take back one with it. */
export async function recordResults(
  em: EntityManager,
  { log, size }: { readonly log: number; readonly size: number },
  results: readonly WitnessResult[],
): Promise<void> {
  if (results.length === 0) return
  await change(
    em,
    RECORD({
      log,
      size,
      labels: results.map(({ label }) => label),
      cosignatures: results.map(({ cosignature }) => cosignature ?? null),
      troubles: results.map(({ trouble, cosignature }) => (cosignature === undefined ? trouble : null)),
      seen: results.map(({ seenSize }) => seenSize ?? null),
    }),
  )
}

/** Deletes the cosignatures of all sizes but these. */
export const keepCosignatures = (em: EntityManager, log: number, sizes: readonly number[]): Promise<number> =>
  change(em, KEEP({ log, sizes }))

/** More rows than two sizes with the most witnesses can have. */
const MOST_ROWS = 256

const WITNESSES = statement(
  {
    key: text,
    seen_size: int4,
    cosigned_at: nullable(text),
    missing_since: nullable(text),
    trouble: nullable(text),
  },
  ({ log, labels }: { log: number; labels: readonly string[] }) => sql`
  SELECT key, seen_size, iso_time(cosigned_at) AS cosigned_at, iso_time(missing_since) AS missing_since, trouble
    FROM witnesses WHERE log = ${log} AND key = ANY (${labels}::text[])`,
)

const COSIGNATURES = statement(
  { size: int4, key: text, cosignature: bytes },
  ({ log }: { log: number }) => sql`
  SELECT size, key, cosignature FROM witness_cosignatures WHERE log = ${log}
   ORDER BY size DESC, key LIMIT ${sql.lit(MOST_ROWS)}`,
)

interface Recorded {
  readonly log: number
  readonly size: number
  readonly labels: readonly string[]
  readonly cosignatures: readonly (Uint8Array | null)[]
  readonly troubles: readonly (string | null)[]
  readonly seen: readonly (number | null)[]
}

const RECORD = command(
  ({ log, size, labels, cosignatures, troubles, seen }: Recorded) => sql`
  WITH result AS MATERIALIZED (
    SELECT * FROM unnest(${labels}::text[], ${cosignatures}::bytea[], ${troubles}::text[], ${seen}::int[])
                  AS r (key, cosignature, trouble, seen)),
  added AS (
    INSERT INTO witness_cosignatures (log, size, key, cosignature)
    SELECT ${log}::int, ${size}::int, key, cosignature FROM result WHERE cosignature IS NOT NULL
    ON CONFLICT DO NOTHING)
  INSERT INTO witnesses AS w (log, key, seen_size, cosigned_at, missing_since, trouble)
  SELECT ${log}::int, key, coalesce(seen, 0), CASE WHEN trouble IS NULL THEN pharos_now() END,
         CASE WHEN trouble IS NOT NULL THEN pharos_now() END, trouble
    FROM result
  ON CONFLICT (log, key) DO UPDATE
     SET seen_size = coalesce(nullif(EXCLUDED.seen_size, 0), w.seen_size),
         cosigned_at = coalesce(EXCLUDED.cosigned_at, w.cosigned_at),
         missing_since = CASE WHEN EXCLUDED.trouble IS NOT NULL THEN coalesce(w.missing_since, EXCLUDED.missing_since) END,
         trouble = EXCLUDED.trouble`,
)

const KEEP = command(
  ({ log, sizes }: { log: number; sizes: readonly number[] }) =>
    sql`DELETE FROM witness_cosignatures WHERE log = ${log} AND size <> ALL (${sizes}::int[])`,
)

export interface WitnessStanding {
  /** `name+id` of its key. */
  readonly witness: string
  /** The last time that it cosigned. ISO 8601, null before the first time. */
  readonly cosigned_at: string | null
  /** Since when it has not cosigned what it was offered. Null when it cosigned the last time. */
  readonly missing_since: string | null
  /** Why: one word of a closed set. */
  readonly trouble: string | null
}

/** In the order of the policy. Makes one statement. */
export async function witnessStandings(
  em: EntityManager,
  { witnesses }: Witnessing,
  log: number,
): Promise<WitnessStanding[]> {
  const found = await witnessRows(
    em,
    log,
    witnesses.map(({ label }) => label),
  )
  return witnesses.map(({ label }) => {
    const row = found.find(({ key }) => key === label)
    return {
      witness: label,
      cosigned_at: row?.cosigned_at ?? null,
      missing_since: row?.missing_since ?? null,
      trouble: row?.trouble ?? null,
    }
  })
}
