// The operations of a resource, and actions, which belong to none. Each declares its access and its name on every
// surface that publishes it. The schema of a result carries its type, so that the compiler checks `run`.
import type { AtOnce } from '../kernel/flow/at_once.ts'
import type { Problem, RefusalCode } from '../kernel/refusal.ts'
import type { Accepts, Given, Passed } from './attribute.ts'
import type { JsonSchema, Kind } from './kind.ts'

/**
 * `read` and `write` are allowed to every client that a person gave that scope. `account` guards what changes or shows
 * who can act for the account: only an API key and our own console have it, on reads as well as on writes.
 */
export type Access = 'read' | 'write' | 'account'

/** What tells whether an operation changes anything. Its access does not: `account` guards reads too. */
interface Told {
  readonly kind: 'list' | 'get' | 'read' | 'create' | 'update' | 'delete' | 'mutate' | 'action'
  readonly graphqlShape?: string
}

/** True for operations that change something. On GraphQL they are the mutations. */
export const changesSomething = ({ kind, graphqlShape }: Told): boolean =>
  kind === 'action' ? graphqlShape === 'mutation' : kind !== 'list' && kind !== 'get' && kind !== 'read'

/** True for operations that a client may repeat under one Idempotency-Key. */
export const isIdempotent = ({ idempotent }: Told & { readonly idempotent?: true }): boolean =>
  idempotent === true

interface ValueSaidOnce {
  readonly kind: Kind
  readonly doc: string
  readonly example?: unknown
  /** True when some answers leave it out. */
  readonly optional?: true
}

/** Values that only this one answer contains, beside the resource, such as a new secret. */
export interface SaidOnce<Row> {
  readonly fields: Readonly<Record<string, ValueSaidOnce>>
  of(row: Row): Readonly<Record<string, unknown>>
}

/** How an operation is offered to agents. */
export interface NamedTool {
  /** e.g. `verify_hash` */
  readonly name: string
  /** For people, e.g. `Verify a hash`. */
  readonly title: string
  /** What models are told: what it does and when to use it. Without it, the operation's own description. */
  readonly doc?: string
  /** True when models are also told how long a proof takes here. */
  readonly tellsWait?: true
  /** True when the answer depends on the team in which the caller works. The tool then takes the argument `tenant`. */
  readonly tenant?: true
  /** True when running it sends requests to services of others, at once or later. */
  readonly openWorld?: true
}

type Http = `${'GET' | 'POST' | 'PATCH' | 'DELETE'} /${string}`

interface Named {
  /**
   * The operation's id in OpenAPI and in the log, e.g. `latestBeacon`. It is a literal, so
   * that a text search finds it.
   */
  readonly name: string
  readonly doc: string
  readonly access: Access
  /** The field on the GraphQL root: the name, unless a definition says another. */
  readonly graphql: string
  /** When absent, agents have no tool for this operation. */
  readonly tool?: NamedTool
}

interface OnHttp extends Named {
  /** Method and path below `/api/json`, e.g. `GET /beacons/by-hash/:hash`. */
  readonly http: Http
}

/** A value that a bare read is given. `read` returns undefined for an invalid value. */
interface Parameter {
  /**
   * What is read when it is left out. With it the parameter stands in the query of an address, without it in the path.
   */
  readonly absent?: string
  /** True when it says how long to wait, which only a request of HTTP may. Elsewhere it is absent. */
  readonly onHttpAlone?: true
  readonly schema: JsonSchema
  readonly doc: string
  readonly example: string
  readonly read: (text: string) => string | undefined
}

/** A promise, because some rules query the database or resolve names. */
export type Judged = Iterable<Problem> | Promise<Iterable<Problem>>

/** Returns a member of a body by its name, before any check. A member is read only when it is requested. */
type Unjudged<A extends Accepts> = (name: keyof A & string) => unknown

interface Writes<Context, A extends Accepts> {
  readonly accepts: A
  /**
   * Checks rules beyond the attributes' kinds. It receives the attributes that their kinds accepted, so that one
   * answer reports all mistakes.
   */
  check?(attributes: Passed<A>, context: Context): Judged
  /** Units of work that the request costs. When absent, it costs the one unit that every request costs. */
  weigh?(unjudged: Unjudged<A>): number
  /**
   * Returns the problems that `run` would refuse, as far as they can be found beforehand. It runs only when the
   * request is refused anyway, so that one answer reports all mistakes. For a valid request `run` decides, because a
   * repeated request may get the answer of the first one.
   */
  wouldRefuse?(attributes: Passed<A>, context: Context): Judged
}

/** Takes a filter, a sort and cursors. */
export interface ListOperation<Context> extends OnHttp {
  readonly kind: 'list'
  /**
   * When present, the list takes no arguments on GraphQL and is a plain list of the newest rows. Returns the published
   * objects, including their ids.
   */
  newest?(context: Context): Promise<readonly object[]>
}

export interface GetOperation<Row, Context> extends OnHttp {
  readonly kind: 'get'
  /**
   * Finds the row when the path has no id (`/users/me`). When absent, the row is looked up by
   * id among the visible rows.
   */
  find?(context: Context): Promise<Row>
}

export interface CreateOperation<Row, Context, A extends Accepts = Accepts>
  extends OnHttp,
    Writes<Context, A> {
  readonly kind: 'create'
  /** True when the operation supports the Idempotency-Key header. */
  readonly idempotent?: true
  run(context: Context, attributes: Given<A>): Promise<Row>
  /** Goes into the `meta` of a JSON:API document and into members of a GraphQL result. */
  readonly meta?: SaidOnce<Row>
}

export interface UpdateOperation<Row, Context, A extends Accepts = Accepts>
  extends OnHttp,
    Writes<Context, A> {
  readonly kind: 'update'
  run(context: Context, id: string, attributes: Given<A>): Promise<Row>
}

export interface DeleteOperation<Row, Context> extends OnHttp {
  readonly kind: 'delete'
  /** Returns the row as it was before the deletion. */
  run(context: Context, id: string): Promise<Row>
}

export interface ReadOperation<Context, Name extends string = string> extends OnHttp {
  readonly kind: 'read'
  readonly parameters: Readonly<Record<Name, Parameter>>
  /** True when it may wait for something to happen, see `Context.aside`. */
  readonly waits?: true
  /** Returns the published object, including its id; at once when it is in memory. */
  run(context: Context, parameters: Readonly<Record<Name, string>>): AtOnce<object>
}

/** Published on GraphQL only. */
export interface MutateOperation<Row, Context, A extends Accepts = Accepts>
  extends Named,
    Writes<Context, A> {
  readonly kind: 'mutate'
  run(context: Context, id: string, attributes: Given<A>): Promise<Row>
}

/** `Context` is the argument of every catalog operation, see `server/catalog/context.ts`. */
export type Operation<Row extends object, Context> =
  | ListOperation<Context>
  | GetOperation<Row, Context>
  | CreateOperation<Row, Context>
  | UpdateOperation<Row, Context>
  | DeleteOperation<Row, Context>
  | ReadOperation<Context>
  | MutateOperation<Row, Context>

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
export interface ActionParts<Context, A extends Accepts, Result = unknown>
  extends Omit<OnHttp, 'graphql'>,
    Omit<Writes<Context, A>, 'wouldRefuse'> {
  readonly graphql?: string
  /**
   * `utility`: a query with nullable arguments that returns `{result: JsonString, errors}`.
   * `mutation`: the same on the mutation root.
   * `json`: a query that returns the JsonString itself; refusals go into the response's `errors`.
   */
  readonly graphqlShape: 'utility' | 'mutation' | 'json'
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
  readonly graphql: string
}

export const asAction = <Context, A extends Accepts>(parts: ActionParts<Context, A>): Action<Context, A> =>
  Object.freeze({ graphql: parts.name, ...parts, kind: 'action' })
