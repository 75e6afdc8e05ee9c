// Reads that the domain describes itself, and their failure, which is a result and no HTTP error. Routes, GraphQL
// queries, agent tools and documents are derived from such a row.
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Accepts, Given } from '../../contract/attribute.ts'
import type { JsonSchema } from '../../contract/kind.ts'
import { freeText } from '../../contract/kinds.ts'
import {
  type Action,
  type ActionParts,
  asAction,
  type NamedTool,
  type ResultSchema,
} from '../../contract/operation.ts'

interface Failure {
  readonly ok: false
  readonly code: 'invalid'
  /** For people. Says what would be accepted. Never repeats the input. */
  readonly message: string
  /** False, because the same input never becomes valid by waiting. */
  readonly retryable: false
}

/** `return invalid('ulid must be a 26-character ULID')`. Results other than failures never have an `ok` member. */
export const invalid = (message: string): Failure =>
  Object.freeze({ ok: false, code: 'invalid', message, retryable: false })

export const isFailure = (result: object): result is Failure => 'ok' in result && result.ok === false

/** The description in documents, beside the schema of the successful result. */
export const FAILURE_SCHEMA = Object.freeze({
  type: 'object',
  description: 'The input can be fixed by the caller.',
  properties: {
    ok: { type: 'boolean', const: false },
    code: { type: 'string', examples: ['invalid'] },
    message: { type: 'string', description: 'For people; may be reworded.' },
    retryable: { type: 'boolean' },
  },
  required: ['ok', 'code', 'message', 'retryable'],
})

/** What a read receives from the request: the database and the caller. */
interface Reading {
  readonly em: EntityManager
  readonly caller: { readonly userId: string }
}

/** Members that documents and agent tools need are required. */
interface Documented {
  readonly tool: NamedTool
  /** The schema of a successful result. A failure object may be returned instead. */
  readonly result: JsonSchema
  readonly example: { readonly data: object; readonly result: object }
}

export type ReadAction<A extends Accepts = Accepts> = Action<Reading, A> & Documented

/** An optional argument that is null counts as absent. */
interface Parts<A extends Accepts, Result extends object>
  extends Omit<ActionParts<Reading, A>, 'access' | 'graphqlShape' | 'run' | keyof Documented>,
    Documented {
  readonly result: ResultSchema<Result>
  readonly example: { readonly data: NoInfer<Given<A>>; readonly result: NoInfer<Result> }
  run(reading: Reading, given: Given<A>): Promise<NoInfer<Result> | Failure>
}

export const readAction = <A extends Accepts, Result extends object>(
  parts: Parts<A, Result>,
): ReadAction<A> =>
  Object.freeze({ ...asAction<Reading, A>({ ...parts, access: 'read', graphqlShape: 'utility' }), ...parts })

/** As long as a request can be. Text that is only hashed, parsed or looked up needs no ceiling of its own. */
export const LONGEST_ARGUMENT = 528_384

/** Any characters are allowed. */
export const anyText = freeText({ max: LONGEST_ARGUMENT })
