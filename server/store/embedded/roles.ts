// The two roles of an embedded cluster. The service works under one that owns its database and nothing else: it reads
// no file, runs no program and changes no setting of PostgreSQL. The superuser makes that role, and backups.
import { Client, DatabaseError, escapeIdentifier, escapeLiteral } from 'pg'

export const SUPERUSER = 'postgres'
/** The role of the service, and the name of its database. */
export const OWNER = 'pharos'

export interface Passwords {
  readonly superuser: string
  readonly owner: string
}

interface Login {
  readonly port: number
  readonly user: string
  readonly password: string
  readonly database: string
}

export const loginUrl = ({ port, user, password, database }: Login): string =>
  `postgresql://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`

/** The url of the superuser of the same cluster, e.g. `postgresql://postgres:…@127.0.0.1:5433/postgres`. */
export const superuserUrlOf = (url: string, password: string): string =>
  loginUrl({ port: Number(new URL(url).port), user: SUPERUSER, password, database: SUPERUSER })

export const isWrongPassword = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === '28P01'

/**
 * Makes the service's role and its database, as far as they are missing, and gives the role its password. On a standby
 * it changes nothing, because everything comes from the primary.
 * @throws what the connection throws
 */
export async function prepareOwner(port: number, { superuser, owner }: Passwords): Promise<void> {
  const asSuperuser = loginUrl({ port, user: SUPERUSER, password: superuser, database: SUPERUSER })
  const standby = await withSession(asSuperuser, async (session) => {
    const { rows } = await session.query<{ standby: boolean; role: boolean; database: boolean }>(
      `SELECT pg_is_in_recovery() AS standby, EXISTS (SELECT FROM pg_roles WHERE rolname = $1) AS role,
              EXISTS (SELECT FROM pg_database WHERE datname = $1) AS database`,
      [OWNER],
    )
    const [found] = rows
    if (found === undefined || found.standby) return true
    const name = escapeIdentifier(OWNER)
    if (!found.role) await session.query(`CREATE ROLE ${name} LOGIN PASSWORD ${escapeLiteral(owner)}`)
    if (!found.database) await session.query(`CREATE DATABASE ${name} OWNER ${name}`)
    return false
  })
  if (standby) return
  try {
    const asOwner = loginUrl({ port, user: OWNER, password: owner, database: OWNER })
    await withSession(asOwner, async () => undefined)
  } catch (error) {
    if (!isWrongPassword(error)) throw error
    await withSession(asSuperuser, (session) =>
      session.query(`ALTER ROLE ${escapeIdentifier(OWNER)} PASSWORD ${escapeLiteral(owner)}`),
    )
  }
}

/** A session for a few statements. @throws what the connection throws, and `work` */
export async function withSession<T>(url: string, work: (session: Client) => Promise<T>): Promise<T> {
  const session = new Client({
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    query_timeout: 30_000,
  })
  // The promises below report a connection that is lost later.
  session.on('error', () => undefined)
  try {
    await session.connect()
    return await work(session)
  } finally {
    await session.end().catch(() => undefined)
  }
}
