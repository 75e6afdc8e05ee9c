// Judges what a client sends: the id of a record, and the members of a body by the kinds of the accepted attributes.
// It collects mistakes instead of throwing.
import { type JsonObject, type JsonValue, memberOf } from '../../shared/proof/json_value.ts'
import type { Problems } from '../kernel/problems.ts'
import { problem, type RefusalCode, refuse } from '../kernel/refusal.ts'
import type { Accepts, Attribute, Passed } from './attribute.ts'
import { boundOf } from './bounds.ts'

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

/** Carries the result of an action that need not run, because the value it examines is not valid (see `outcome`). */
export class InsteadOfRunning extends Error {
  readonly result: object

  constructor(result: object) {
    super('the result is known')
    this.name = 'InsteadOfRunning'
    this.result = result
  }
}

/**
 * Returns the accepted values.
 * @param wrong the code for an invalid value: `invalid_attribute`, or `invalid_argument` for actions
 * @throws Refusal when there are more mistakes than one answer reports; InsteadOfRunning when the
 * only mistake has an outcome
 */
export function readAttributes<A extends Accepts>(
  given: JsonObject,
  accepts: A,
  problems: Problems,
  wrong?: RefusalCode,
): Passed<A>
export function readAttributes(
  given: JsonObject,
  accepts: Accepts,
  problems: Problems,
  wrong: RefusalCode = 'invalid_attribute',
): Readonly<Record<string, unknown>> {
  const attributes: Record<string, unknown> = {}
  const instead: InsteadOfRunning[] = []
  for (const [name, attribute] of Object.entries(accepts)) {
    const { required, nullable } = attribute
    const value = memberOf(given, name)
    if (value === null && nullable) attributes[name] = null
    else if (value === undefined || value === null) {
      if (required) problems.note(problem('required', { path: [name] }))
      else if (value === null) problems.note(problem(wrong, { path: [name], detail: 'cannot be null' }))
    } else {
      const judged = judge(value, name, attribute, { problems, wrong, instead })
      if (judged !== undefined) attributes[name] = judged.value
    }
  }
  // Unknown names come last, so that any number of them cannot hide a mistake in an accepted attribute.
  for (const name of Object.keys(given))
    if (!Object.hasOwn(accepts, name)) problems.note(problem('invalid_body', { path: [name] }))
  const [known] = instead
  if (known !== undefined && problems.all().length === 0) throw known
  return attributes
}

interface Judgement {
  readonly problems: Problems
  readonly wrong: RefusalCode
  readonly instead: InsteadOfRunning[]
}

/** Returns the value as its kind accepts it, or undefined after noting the problem. */
function judge(
  value: JsonValue,
  name: string,
  { kind, outcome }: Attribute,
  { problems, wrong, instead }: Judgement,
): { readonly value: unknown } | undefined {
  const judged = kind.input?.safeParse(value, { reportInput: true })
  if (judged === undefined) return { value }
  if (judged.success) return { value: judged.data }
  for (const issue of judged.error.issues) {
    const meta = boundOf(issue)
    if (outcome !== undefined && Object.keys(meta).length === 0)
      instead.push(new InsteadOfRunning(outcome(issue.message)))
    else
      problems.note(problem(wrong, { path: [name, ...issue.path.map(String)], detail: issue.message, meta }))
  }
  return undefined
}
