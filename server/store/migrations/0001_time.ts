// One clock for the whole service: the database's.
import { Migration } from '../migration.ts'

export class Migration0001Time extends Migration {
  override up(): void {
    this.addSql(`
      -- Milliseconds, because that is what identifiers and published times carry.
      -- One reading per statement: every row and every branch of a statement is judged at the same moment, and a
      -- condition such as \`expires_at <= pharos_now()\` is a range of an index. It takes no care to use it right.
      -- pharos.clock_offset is a session setting that tests use to step the clock; nothing else sets it.
      CREATE FUNCTION pharos_now() RETURNS timestamptz LANGUAGE sql STABLE AS $$
        SELECT date_trunc('milliseconds', statement_timestamp())
             + coalesce(nullif(current_setting('pharos.clock_offset', true), ''), '0')::interval
      $$`)
    this.addSql(`
      CREATE FUNCTION unix_ms(at timestamptz) RETURNS double precision LANGUAGE sql STABLE AS $$
        SELECT round(extract(epoch FROM at) * 1000)::double precision
      $$`)
    this.addSql(`
      CREATE FUNCTION from_unix_ms(ms double precision) RETURNS timestamptz LANGUAGE sql STABLE AS $$
        SELECT to_timestamp(0) + ms * interval '1 millisecond'
      $$`)
    this.addSql(`
      -- The one spelling of a published time: 2026-11-20T18:00:00.123Z
      CREATE FUNCTION iso_time(at timestamptz) RETURNS text LANGUAGE sql STABLE AS $$
        SELECT to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
      $$`)
  }
}
