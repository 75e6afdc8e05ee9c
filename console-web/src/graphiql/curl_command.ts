// A query as one line for a shell.
import { quoted } from '../data/shell_quotes.ts'
import { type Query, requestBody } from './send_query.ts'

/** Null when the variables are not JSON. */
export const curlCommand = (query: Query, origin: string, key: string): string | null => {
  try {
    return [
      `curl ${origin}/gql \\`,
      `  -H ${quoted(`Authorization: Bearer ${key}`)} \\`,
      `  -H 'Content-Type: application/json' \\`,
      `  -d ${quoted(requestBody(query))}`,
    ].join('\n')
  } catch {
    return null
  }
}
