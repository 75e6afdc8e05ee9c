// Checks that the database a setting names answers and is usable, behind a pooler that of every purpose. The error
// says what was tried and what to do.
import pg from 'pg'
import { errorCode } from '../kernel/error_code.ts'
import { ceilingsOf, purposeNames, urlFor } from './purposes.ts'
import { withSession } from './session.ts'

const CONNECT_MS = 10_000
const OLDEST_VERSION = 15

/**
 * Returns the version of PostgreSQL.
 * @param ceilings what every session has already, behind a pooler. Otherwise sessions bring their own.
 * @throws an Error with one line that contains no password
 */
export async function checkDatabase(
  url: string,
  setting: string,
  ceilings?: Readonly<Record<string, string>>,
): Promise<string> {
  const place = placeOf(url)
  const config = {
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: CONNECT_MS,
    application_name: 'pharos start',
    // Poolers refuse or drop the settings of a session, and with them our ceilings.
    ...(ceilings === undefined ? { options: `-c statement_timeout=${CONNECT_MS}` } : {}),
  }
  const expected = ceilings ?? { statement_timeout: `${CONNECT_MS}` }
  const look = (session: pg.Client) =>
    // `missing`: settings with other values than expected.
    session.query<{ version: string; standby: boolean; missing: readonly string[] }>(
      `SELECT current_setting('server_version') AS version, pg_is_in_recovery() AS standby,
              ARRAY(SELECT name FROM pg_settings, jsonb_each_text($1) AS expected
                     WHERE lower(name) = key AND setting <> value) AS missing`,
      [expected],
    )
  const { rows } = await withSession(url, look, config).catch((error: unknown) => {
    const [what, advice] = explain(error)
    throw new Error(`The database ${place} (${setting}) ${what}. ${advice}.`, { cause: error })
  })
  const [{ version, missing, standby } = { version: '', missing: [], standby: false }] = rows
  if (Number.parseInt(version, 10) < OLDEST_VERSION)
    throw new Error(
      `The database ${place} (${setting}) is PostgreSQL ${version}. Pharos needs ${OLDEST_VERSION} or later: upgrade it, or name another one.`,
    )
  if (missing.length > 0)
    throw new Error(
      `The database ${place} (${setting}) does not have the ceilings that Pharos needs (${missing.join(', ')}). ` +
        'Behind a pooler each purpose needs a database with its own: see deploy/README.md.',
    )
  if (standby)
    throw new Error(
      `The database ${place} (${setting}) is a standby, which can be read only. Name the primary.`,
    )
  return version
}

/** `pharos@db.example.com:5432/pharos`, with the driver's defaults for a short address. */
const placeOf = (url: string): string => {
  const { user, host, port, database } = new pg.Client({ connectionString: url })
  return `${user ?? ''}@${host}:${port}/${database ?? ''}`
}

/** By SQLSTATE (PostgreSQL appendix A) or errno. */
const ADVICE: readonly (readonly [RegExp, string, string])[] = [
  [/^28/, 'refuses the login', 'Check its user and password, and what pg_hba.conf lets in from this machine'],
  [
    /^08P01$/,
    'does not take the settings of a session',
    'A pooler needs a database for each purpose: see deploy/README.md',
  ],
  [/^3D000$/, 'does not exist', 'Create it (createdb), or name another one'],
  [/^53300$/, 'has no connection left', 'Raise its max_connections, or end what holds them'],
  [/^57P03$/, 'is starting or stopping', 'Start again when it answers'],
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'has a host name that does not resolve', 'Check the name'],
]

const NO_ANSWER = [
  undefined,
  'does not answer',
  'Check that PostgreSQL runs there and that this machine may reach it, then start again',
] as const

function explain(error: unknown): readonly [what: string, advice: string] {
  const errors = error instanceof AggregateError ? error.errors : [error]
  const words = [...new Set(errors.map((one) => (one instanceof Error ? one.message : String(one))))].join(
    '; ',
  )
  const first: unknown = errors[0]
  const code = errorCode(first) ?? ''
  const [, what, advice] = ADVICE.find(([pattern]) => pattern.test(code)) ?? NO_ANSWER
  return [`${what}: ${words}`, advice]
}

/** @throws as {@link checkDatabase} does, for the first database that is unusable */
export async function checkPooler(url: string, setting: string): Promise<void> {
  for (const purpose of purposeNames) await checkDatabase(urlFor(purpose, url), setting, ceilingsOf(purpose))
}
