// Reads the id of a record from a client. A value that cannot be an id of ours is answered as an unknown id.
import { refuse } from '../kernel/refusal.ts'

/** The longest id we make has fewer characters. */
const LONGEST = 64

/** Excludes U+0000, because PostgreSQL's text cannot store it. */
export const mayBeId = (given: unknown): given is string =>
  typeof given === 'string' && given.length <= LONGEST && !given.includes('\0')

/** @throws not_found */
export function readId(given: unknown): string {
  if (!mayBeId(given)) throw refuse('not_found')
  return given
}
