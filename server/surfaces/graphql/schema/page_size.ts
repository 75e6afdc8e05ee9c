// Reads the number of rows that a list requests.
import { refuse } from '../../../kernel/refusal.ts'

/** Returns the default when no number was sent, and at most `max`. @throws invalid_pagination below 1 */
export function readSize(
  asked: unknown,
  argument: string,
  { size, max }: { readonly size: number; readonly max: number },
): number {
  if (typeof asked !== 'number') return size
  if (asked < 1)
    throw refuse('invalid_pagination', {
      parameter: argument,
      detail: 'must be at least 1',
      meta: { minimum: 1, value: asked },
    })
  return Math.min(asked, max)
}
