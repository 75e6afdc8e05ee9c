// How long a person should wait before another try.
import { type Problem, retryAfterSeconds } from '../../../kernel/refusal.ts'

/** `20 seconds`, `3 minutes`. Rounded up. */
export function spokenWait(problem: Problem): string {
  const seconds = retryAfterSeconds(problem) ?? 60
  const [count, unit] = seconds <= 90 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
