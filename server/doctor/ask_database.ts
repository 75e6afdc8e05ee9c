// Sessions of the doctor: each one is opened for one question, and has a ceiling for every wait.
import pg from 'pg'

/** Milliseconds. */
const CEILINGS = { connect: 5_000, statement: 5_000 } as const

/** Runs work in a session of its own. */
export type AskDatabase = <T>(work: (client: pg.Client) => Promise<T>) => Promise<T>

export const askingOf =
  (url: string): AskDatabase =>
  (work) =>
    inSession(url, work)

export async function inSession<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CEILINGS.connect,
    query_timeout: CEILINGS.statement,
    application_name: 'pharos doctor',
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}
