// An action belongs to no resource: arguments in `{data: {…}}`, an answer in `{result: …}`.
import type { RefusalCode } from '../kernel/refusal.ts'
import type { Accepts, Given, Passed } from './attribute.ts'
import type { Judged, OnHttp, Unjudged } from './operation.ts'
import type { ResultSchema } from './result_schema.ts'

/** What is published of an action, before it is told apart from operations of resources. */
export interface ActionParts<Context, A extends Accepts, Result = unknown> extends OnHttp {
  /**
   * `utility`: a query with nullable arguments, `{result: JsonString, errors}`; `mutation`: the same on the mutation
   * root; `json`: a query that answers the JsonString itself, refusals in the response's own errors.
   */
  readonly graphqlShape: 'utility' | 'mutation' | 'json'
  readonly accepts: A
  check?(given: Passed<A>, context: Context): Judged
  /** Units of work; absent: the one that every request has. */
  weigh?(unjudged: Unjudged<A>): number
  /** @param id the one in the path; empty where the path has none */
  run(context: Context, given: Given<A>, id: string): Promise<NoInfer<Result>>
  /** The type of the resource whose row is answered: told with its id and default fields. Absent: the result itself. */
  readonly answers?: string
  /** True when it honours an Idempotency-Key. */
  readonly idempotent?: true
  /**
   * Codes of its own, beside those that every operation may answer. Absent where the caller is told in the result: a
   * failure object may stand in its place then.
   */
  readonly refuses?: readonly RefusalCode[]
  /** What a result looks like. */
  readonly result?: ResultSchema<Result>
  /** One request and its answer, for the document. */
  readonly example?: { readonly data: object; readonly result: unknown }
}

export interface Action<Context, A extends Accepts = Accepts> extends ActionParts<Context, A> {
  readonly renders: 'result'
  readonly kind: 'action'
}

export const asAction = <Context, A extends Accepts>(parts: ActionParts<Context, A>): Action<Context, A> =>
  Object.freeze({ ...parts, renders: 'result', kind: 'action' })
