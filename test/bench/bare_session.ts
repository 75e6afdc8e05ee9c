// One database session without the ceilings of the service. Used to prepare a measurement and as its
// baseline.
import pg from 'pg'

export interface BareSession {
  readonly query: <Row extends pg.QueryResultRow>(
    text: string,
    parameters?: readonly unknown[],
  ) => Promise<Row[]>
  readonly close: () => Promise<void>
}

export async function openBareSession(url: string): Promise<BareSession> {
  const client = new pg.Client({ connectionString: url, application_name: 'pharos bench' })
  // A lost connection fails the statements, and must not end the bench.
  client.on('error', () => undefined)
  await client.connect()
  await client.query(
    `SELECT set_config(name, '0', false) FROM pg_settings
      WHERE name IN ('statement_timeout', 'transaction_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout')`,
  )
  return {
    query: async <Row extends pg.QueryResultRow>(text: string, parameters: readonly unknown[] = []) =>
      (await client.query<Row>(text, [...parameters])).rows,
    close: () => client.end(),
  }
}
