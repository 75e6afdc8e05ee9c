// Checks that the database a setting names answers and is usable. The error says what was tried and what to do.
import pg from 'pg'

const CONNECT_MS = 10_000
const OLDEST_VERSION = 15

/** @throws an Error with one line that contains no password */
export async function checkDatabase(url: string, setting: string): Promise<void> {
  const place = placeOf(url)
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: CONNECT_MS,
    application_name: 'pharos start',
  })
  client.on('error', () => undefined)
  let found: { readonly version: string; readonly standby: boolean } | undefined
  try {
    await client.connect()
    const { rows } = await client.query<{ version: string; standby: boolean }>(
      `SELECT current_setting('server_version') AS version, pg_is_in_recovery() AS standby`,
    )
    found = rows[0]
  } catch (error) {
    const [what, advice] = explain(error)
    throw new Error(`The database ${place} (${setting}) ${what}. ${advice}.`, { cause: error })
  } finally {
    await client.end().catch(() => undefined)
  }
  if (Number.parseInt(found?.version ?? '', 10) < OLDEST_VERSION)
    throw new Error(
      `The database ${place} (${setting}) is PostgreSQL ${found?.version}. Pharos needs ${OLDEST_VERSION} or later: upgrade it, or name another one.`,
    )
  if (found?.standby === true)
    throw new Error(
      `The database ${place} (${setting}) is a standby, which can be read only. Name the primary.`,
    )
}

/** `pharos@db.example.com:5432/pharos`, with the driver's defaults for a short address. */
const placeOf = (url: string): string => {
  const { user, host, port, database } = new pg.Client({ connectionString: url })
  return `${user ?? ''}@${host}:${port}/${database ?? ''}`
}

/** By SQLSTATE (PostgreSQL appendix A) or errno. */
const ADVICE: readonly (readonly [RegExp, string, string])[] = [
  [/^28/, 'refuses the login', 'Check its user and password, and what pg_hba.conf lets in from this machine'],
  [/^3D000$/, 'does not exist', 'Create it (createdb), or name another one'],
  [/^53300$/, 'has no connection left', 'Raise its max_connections, or end what holds them'],
  [/^57P03$/, 'is starting or stopping', 'Start again when it answers'],
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'has a host name that does not resolve', 'Check the name'],
]

function explain(error: unknown): readonly [what: string, advice: string] {
  const errors = error instanceof AggregateError ? error.errors : [error]
  const words = [...new Set(errors.map((one) => (one instanceof Error ? one.message : String(one))))].join(
    '; ',
  )
  const first: unknown = errors[0]
  const code = first instanceof Error && 'code' in first ? String(first.code) : ''
  const known = ADVICE.find(([pattern]) => pattern.test(code))
  return known === undefined
    ? [
        `does not answer: ${words}`,
        'Check that PostgreSQL runs there and that this machine may reach it, then start again',
      ]
    : [`${known[1]}: ${words}`, known[2]]
}
