// Error documents: all problems of a request, each with its code, its place and its id.
import { type ErrorObject, errorObject } from '../../contract/error_object.ts'
import type { AnsweredProblem } from './problem_of.ts'

/** The media type of all our documents. It has no charset parameter. */
export const JSON_API = 'application/vnd.api+json'

export interface ErrorDocument {
  readonly jsonapi: { readonly version: '1.1' }
  readonly errors: readonly ErrorObject[]
}

/**
 * @param pointerRoot the pointer that a problem's path is relative to: `/data/attributes`, or `/data` for an action
 */
export const errorDocument = (problems: readonly AnsweredProblem[], pointerRoot: string): ErrorDocument => ({
  jsonapi: { version: '1.1' },
  errors: problems.map((problem) => errorObject(problem, pointerRoot)),
})
