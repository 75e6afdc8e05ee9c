// Takes all endpoints and deliveries out of a database, for the next test.
import { eventually } from './http.ts'

type Query = (text: string) => Promise<unknown>

/** What is under way may be recorded meanwhile, in another order of rows; then the database gives up one of both. */
export async function forgetWebhooks({ query }: { readonly query: Query }): Promise<void> {
  for (const table of ['webhook_endpoints', 'webhook_deliveries'])
    await eventually(() => query(`DELETE FROM ${table}`).then(() => true as const, whenDeadlocked))
}

function whenDeadlocked(error: unknown): undefined {
  if (!(error instanceof Error && 'code' in error && error.code === '40P01')) throw error
}
