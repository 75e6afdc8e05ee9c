// Error bodies: every problem of a request at once, each with its code, its place and its id.
import { type ErrorObject, errorObject } from '../../contract/error_object.ts'
import type { AnsweredProblem } from './problem_of.ts'

/** The media type of all our documents; it carries no charset. */
export const JSON_API = 'application/vnd.api+json'

export interface ErrorDocument {
  readonly jsonapi: { readonly version: '1.1' }
  readonly errors: readonly (ErrorObject & { readonly id: string })[]
}

/** @param pointerRoot where the members of a problem's path begin: `/data/attributes`, or `/data` of an action */
export const errorDocument = (problems: readonly AnsweredProblem[], pointerRoot: string): ErrorDocument => ({
  jsonapi: { version: '1.1' },
  errors: problems.map((problem) => ({ id: problem.id, ...errorObject(problem, pointerRoot) })),
})
