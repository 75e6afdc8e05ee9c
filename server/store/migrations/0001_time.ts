// The clock of the whole service, which is the clock of the database.
import { Migration } from '../migration.ts'

/** Ten digits of five bits each, the highest first. */
const DIGITS = Array.from(
  { length: 10 },
  (_, place) => `substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + ((ms >> ${45 - 5 * place}) & 31)::int, 1)`,
).join(' || ')

export class Migration0001Time extends Migration {
  override up(): void {
    this.addSql(`
      -- Milliseconds, because identifiers and published times have milliseconds. A statement reads the clock once, so
      -- every row and every branch of it uses the same moment, and a condition such as \`expires_at <= pharos_now()\`
      -- can use an index. pharos.clock_offset is a session setting with which tests move the clock. Nothing else sets
      -- it.
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
      -- The only format of published times, for example 2026-11-20T18:00:00.123Z
      CREATE FUNCTION iso_time(at timestamptz) RETURNS text LANGUAGE sql STABLE AS $$
        SELECT to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
      $$`)
    this.addSql(`
      -- The smallest ULID of a millisecond, for ranges of ids by their time.
      CREATE FUNCTION ulid_floor(at timestamptz) RETURNS text LANGUAGE sql IMMUTABLE AS $$
        SELECT ${DIGITS} || repeat('0', 16)
          FROM (SELECT greatest(0, round(extract(epoch FROM at) * 1000))::bigint AS ms) AS time
      $$`)
  }
}
