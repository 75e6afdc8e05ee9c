// Extra rules for JSON that is submitted for hashing, so that every reader computes the same hash.
import type { JsonObject, JsonValue } from './json_value.ts'

export type SubmissionReason =
  | 'integer_out_of_range'
  | 'number_not_finite'
  | 'too_deep'
  | 'empty_member_name'
  | 'unpaired_surrogate'

/** `[]` and `{}` have depth 1. */
const MAX_SUBMITTED_DEPTH = 16

/**
 * The first place, in member order, that may not be submitted. Undefined when there is none. A number counts
 * as an integer when its canonical text shows an integer: 1e20 prints all its digits and is refused, 1e21
 * prints as `1e+21` and is not. Also checks for unpaired surrogates and non-finite numbers, because values
 * from other readers may have them.
 */
export function checkSubmittable(value: JsonValue) {
  /** The refused place, such as `['metadata', 'pages', '0']`. Empty for the value itself. */
  const path: string[] = []
  const reason = firstReason(value, path)
  return reason === undefined ? undefined : { reason, path, message: MESSAGES[reason] }
}

const MESSAGES: Record<SubmissionReason, string> = {
  integer_out_of_range:
    'integers must lie between -9007199254740991 and 9007199254740991; send larger ones as text',
  number_not_finite: 'numbers must be finite',
  too_deep: `values may be nested at most ${MAX_SUBMITTED_DEPTH} deep`,
  empty_member_name: 'member names must not be empty',
  unpaired_surrogate: 'text must not contain unpaired surrogates',
}

const SMALLEST_WITH_EXPONENT = 1e21

/**
 * On a problem, `trail` holds the path to the refused place. Without a problem, `trail` is unchanged. Stops
 * at the depth limit.
 */
function firstReason(value: JsonValue, trail: string[]): SubmissionReason | undefined {
  switch (typeof value) {
    case 'string':
      return value.isWellFormed() ? undefined : 'unpaired_surrogate'
    case 'number':
      if (!Number.isFinite(value)) return 'number_not_finite'
      return Math.abs(value) > Number.MAX_SAFE_INTEGER && Math.abs(value) < SMALLEST_WITH_EXPONENT
        ? 'integer_out_of_range'
        : undefined
    case 'bigint':
      return value > MAX_SAFE || value < -MAX_SAFE ? 'integer_out_of_range' : undefined
    case 'object':
      return value === null ? undefined : firstReasonWithin(value, trail)
    default:
      return undefined
  }
}

const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER)

function firstReasonWithin(
  container: JsonValue[] | JsonObject,
  trail: string[],
): SubmissionReason | undefined {
  if (trail.length >= MAX_SUBMITTED_DEPTH) return 'too_deep'
  for (const [name, member] of Object.entries(container)) {
    trail.push(name)
    const reason = nameReason(name) ?? firstReason(member, trail)
    if (reason !== undefined) return reason
    trail.pop()
  }
  return undefined
}

function nameReason(name: string): SubmissionReason | undefined {
  if (name === '') return 'empty_member_name'
  return name.isWellFormed() ? undefined : 'unpaired_surrogate'
}
