// An action belongs to no resource. The request is `{data: {…}}`, the answer `{result: …}`. The schema of the result
// carries its type, so that the compiler checks `run`.
import type { RefusalCode } from '../kernel/refusal.ts'
import type { Accepts, Given, Passed } from './attribute.ts'
import type { JsonSchema } from './kinds/kind.ts'
import type { Judged, OnHttp, Unjudged } from './operation.ts'

/** Used only by the compiler; never set. */
declare const CARRIES: unique symbol

/** A plain JSON Schema is also a ResultSchema; its TypeScript type is then unknown. */
export type ResultSchema<Value = unknown> = JsonSchema & { readonly [CARRIES]?: () => Value }

type Carried<One> = One extends { readonly [CARRIES]?: () => infer Value } ? Value : unknown

type Members = Readonly<Record<string, ResultSchema>>

type Whole<All extends Members> = {
  readonly [Name in keyof All as Name extends `${string}?` ? never : Name]: Carried<All[Name]>
} & {
  readonly [Name in keyof All as Name extends `${infer Own}?` ? Own : never]?: Carried<All[Name]>
}

/**
 * Returns the schema of an object with exactly these members. A member whose name ends in `?` may be absent.
 * @param title the name in the document; needed when the object is one of several alternatives
 */
export function resultOf<All extends Members>(members: All, title?: string): ResultSchema<Whole<All>> {
  const properties = Object.entries(members).map(([name, schema]) => [name.replace(/\?$/, ''), schema])
  const required = Object.keys(members).filter((name) => !name.endsWith('?'))
  return Object.freeze({
    ...(title === undefined ? {} : { title }),
    type: 'object',
    properties: Object.fromEntries(properties),
    required,
  })
}

export const textResult = (description: string): ResultSchema<string> => ({ type: 'string', description })

export const wholeMember = (description: string): ResultSchema<number> => ({ type: 'integer', description })

export const numberMember = (description: string): ResultSchema<number> => ({ type: 'number', description })

export const truthMember = (description: string): ResultSchema<boolean> => ({ type: 'boolean', description })

export const wordMember = <const Word extends string>(words: readonly Word[]): ResultSchema<Word> => ({
  type: 'string',
  enum: words,
})

export const listMember = <Entry>(
  items: ResultSchema<Entry>,
  maxItems: number,
  description: string,
): ResultSchema<readonly Entry[]> => ({ type: 'array', maxItems, description, items })

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
  readonly kind: 'action'
}

export const asAction = <Context, A extends Accepts>(parts: ActionParts<Context, A>): Action<Context, A> =>
  Object.freeze({ ...parts, kind: 'action' })
