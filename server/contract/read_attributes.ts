// What a client sent, member by member, judged by the kinds that are accepted; mistakes are collected, not thrown.
import type { z } from 'zod'
import { type JsonObject, memberOf } from '../../shared/proof/json_value.ts'
import { type Problem, problem, type RefusalCode } from '../kernel/refusal.ts'
import type { Attribute, Attributes } from './operation.ts'

/** @param wrong the code of a value that is none: `invalid_attribute`, or `invalid_argument` of actions */
export function readAttributes(
  given: JsonObject,
  accepts: Readonly<Record<string, Attribute>>,
  problems: Problem[],
  wrong: RefusalCode = 'invalid_attribute',
): Attributes {
  for (const name of Object.keys(given))
    if (!Object.hasOwn(accepts, name)) problems.push(problem('invalid_body', { path: [name] }))
  const attributes: Record<string, unknown> = {}
  for (const [name, { kind, required, nullable }] of Object.entries(accepts)) {
    const value = memberOf(given, name)
    if (value === null && nullable) attributes[name] = null
    else if (value === undefined || value === null) {
      if (required) problems.push(problem('required', { path: [name] }))
      else if (value === null) problems.push(problem(wrong, { path: [name], detail: 'cannot be null' }))
    } else {
      const judged = kind.input?.safeParse(value)
      if (judged === undefined || judged.success) attributes[name] = value
      else
        for (const issue of judged.error.issues)
          problems.push(
            problem(wrong, {
              path: [name, ...issue.path.map(String)],
              detail: issue.message,
              meta: boundOf(issue),
            }),
          )
    }
  }
  return attributes
}

/** The bound that a value broke, for programs: `{maximum: 250}`. */
const boundOf = (issue: z.core.$ZodIssue): Readonly<Record<string, unknown>> =>
  issue.code === 'too_big'
    ? { maximum: issue.maximum }
    : issue.code === 'too_small'
      ? { minimum: issue.minimum }
      : {}
