// A database as plain SQL: what a release made of it, down to the rows. PostgreSQL's own dump is not among our programs.
import type { Client } from 'pg'
import { getConstructionPlans } from 'pg-boss'
import { MIGRATIONS_TABLE } from '../../server/store/migrate.ts'
import { MIGRATIONS } from '../../server/store/migrations/in_order.ts'

/** The schema by the statements of this very release, then every row of every table. The queue is made anew and is empty. */
export async function dumpDatabase(session: Client): Promise<string> {
  const parts = [
    'BEGIN',
    `SET LOCAL session_replication_role = 'replica'`,
    MIGRATIONS_TABLE,
    ...MIGRATIONS.flatMap(({ statements }) => statements),
  ]
  for (const table of await tablesOf(session)) parts.push(...(await rowsOf(session, table)))
  for (const { name, last } of await sequencesOf(session)) parts.push(`SELECT setval('${name}', ${last})`)
  parts.push('COMMIT')
  return `${parts.map((part) => part.trim()).join(';\n')};\n${getConstructionPlans('pgboss')}\n`
}

interface Table {
  readonly name: string
  readonly columns: string
}

const tablesOf = async (session: Client): Promise<Table[]> =>
  (
    await session.query<Table>(`
      SELECT c.oid::regclass::text AS name,
             string_agg(quote_ident(attname), ', ' ORDER BY attnum) FILTER (WHERE attgenerated = '') AS columns
        FROM pg_class c JOIN pg_attribute ON attrelid = c.oid AND attnum > 0 AND NOT attisdropped
       WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' GROUP BY c.oid ORDER BY 1`)
  ).rows

/** Through JSON, which every type of PostgreSQL reads and writes without loss as text. */
async function rowsOf(session: Client, { name, columns }: Table): Promise<string[]> {
  const { rows } = await session.query<{ line: string }>(
    `SELECT quote_literal(to_jsonb(one)::text) AS line FROM (SELECT ${columns} FROM ${name}) AS one`,
  )
  return rows.map(
    ({ line }) =>
      `INSERT INTO ${name} (${columns}) OVERRIDING SYSTEM VALUE SELECT ${columns} FROM jsonb_populate_record(NULL::${name}, ${line})`,
  )
}

const sequencesOf = async (session: Client): Promise<{ name: string; last: string }[]> =>
  (
    await session.query<{ name: string; last: string }>(
      `SELECT format('%I', sequencename) AS name, last_value AS last FROM pg_sequences
        WHERE schemaname = 'public' AND last_value IS NOT NULL ORDER BY 1`,
    )
  ).rows

/** Everything that makes up the schema, whatever the order in which it came to be. */
export const schemaOf = async (session: Client): Promise<string[]> =>
  (
    await session.query<{ part: string }>(`
      SELECT format('column %s.%s %s %s %s %s %s %s', c.oid::regclass, attname, format_type(atttypid, atttypmod),
                    attnotnull, attidentity, attgenerated, attcollation::regcollation, pg_get_expr(adbin, adrelid)) AS part
        FROM pg_class c JOIN pg_attribute a ON attrelid = c.oid AND attnum > 0 AND NOT attisdropped
        LEFT JOIN pg_attrdef ON adrelid = c.oid AND adnum = attnum
       WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm')
      UNION ALL SELECT 'index ' || indexdef FROM pg_indexes WHERE schemaname = 'public'
      UNION ALL SELECT format('constraint %s %s', conrelid::regclass, pg_get_constraintdef(oid)) FROM pg_constraint
                 WHERE connamespace = 'public'::regnamespace
      UNION ALL SELECT 'function ' || pg_get_functiondef(oid) FROM pg_proc
                 WHERE pronamespace = 'public'::regnamespace AND prokind IN ('f', 'p')
      UNION ALL SELECT 'trigger ' || pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
                 AND tgrelid IN (SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace)
      ORDER BY 1`)
  ).rows.map(({ part }) => part)
