// An action belongs to no resource. The request is `{data: {…}}` and the answer is `{result: …}`.
import type { RefusalCode } from '../kernel/refusal.ts'
import type { Accepts, Given, Passed } from './attribute.ts'
import type { Judged, OnHttp, Unjudged } from './operation.ts'
import type { ResultSchema } from './result_schema.ts'

/** The published parts of an action. `asAction` adds the tag that distinguishes it from a resource's operation. */
export interface ActionParts<Context, A extends Accepts, Result = unknown> extends OnHttp {
  /**
   * `utility`: a query with nullable arguments that returns `{result: JsonString, errors}`.
   * `mutation`: the same on the mutation root.
   * `json`: a query that returns the JsonString itself; refusals go into the response's `errors`.
   */
  readonly graphqlShape: 'utility' | 'mutation' | 'json'
  readonly accepts: A
  check?(given: Passed<A>, context: Context): Judged
  /** Units of work that the request costs. When absent, it costs the one unit that every request costs. */
  weigh?(unjudged: Unjudged<A>): number
  /** @param id the id in the path; empty when the path has none */
  run(context: Context, given: Given<A>, id: string): Promise<NoInfer<Result>>
  /**
   * The type of the resource whose row the action returns, with its id and default fields. When absent, the action
   * returns the result itself.
   */
  readonly answers?: string
  /** True when the action supports the Idempotency-Key header. */
  readonly idempotent?: true
  /**
   * Error codes of this action, in addition to those that every operation may return. When absent, the action may
   * report a failure inside its result, as a failure object.
   */
  readonly refuses?: readonly RefusalCode[]
  /** The schema of the result. */
  readonly result?: ResultSchema<Result>
  /** An example request with its answer, shown in the document. */
  readonly example?: { readonly data: object; readonly result: unknown }
}

export interface Action<Context, A extends Accepts = Accepts> extends ActionParts<Context, A> {
  readonly renders: 'result'
  readonly kind: 'action'
}

export const asAction = <Context, A extends Accepts>(parts: ActionParts<Context, A>): Action<Context, A> =>
  Object.freeze({ ...parts, renders: 'result', kind: 'action' })
