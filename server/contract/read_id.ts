// Ids as clients name a record by: whatever none of ours can be is simply unknown.
import { refuse } from '../kernel/refusal.ts'

/** No id of ours has more characters. */
const LONGEST = 64

/** PostgreSQL's text cannot hold U+0000. */
export const mayBeId = (given: unknown): given is string =>
  typeof given === 'string' && given.length <= LONGEST && !given.includes('\0')

/** @throws not_found */
export function readId(given: unknown): string {
  if (!mayBeId(given)) throw refuse('not_found')
  return given
}
