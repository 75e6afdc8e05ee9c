// What a client sent, member by member, judged by the kinds that are accepted; mistakes are collected, not thrown.
import { type JsonObject, type JsonValue, memberOf } from '../../shared/proof/json_value.ts'
import type { Problems } from '../kernel/problems.ts'
import { problem, type RefusalCode } from '../kernel/refusal.ts'
import type { Accepts, Attribute, Passed } from './attribute.ts'
import { boundOf } from './bounds.ts'

/** What is known of an action's result without running it: the request holds no such value as it is asked about. */
export class InsteadOfRunning extends Error {
  readonly result: object

  constructor(result: object) {
    super('the result is known')
    this.name = 'InsteadOfRunning'
    this.result = result
  }
}

/**
 * @param wrong the code of a value that is none: `invalid_attribute`, or `invalid_argument` of actions
 * @throws Refusal when there are more mistakes than are told, InsteadOfRunning when there is no other
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
  // Last, so that a mistake in what is accepted is told of beside any number of unknown names.
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

/** What its kind makes of the value; undefined when it is none of that kind. */
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
