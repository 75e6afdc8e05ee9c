// A session of its own for a few statements, beside the pools.
import { Client, type ClientConfig } from 'pg'

/** Milliseconds. */
const USUAL = { connectionTimeoutMillis: 5_000, query_timeout: 30_000 } as const

/** @throws what the connection throws, and `work` */
export async function withSession<T>(
  url: string,
  work: (session: Client) => Promise<T>,
  config: ClientConfig = USUAL,
): Promise<T> {
  const session = new Client({ connectionString: url, ...config })
  // A connection that is lost is reported by the statement that waits for its answer.
  session.on('error', () => undefined)
  try {
    await session.connect()
    return await work(session)
  } finally {
    await session.end().catch(() => undefined)
  }
}
