// What can be done with a resource: each operation names its access and its place on every surface it is published on.
import type { Problem } from '../kernel/refusal.ts'
import type { Accepts, Given, Passed } from './attribute.ts'
import type { JsonSchema, Kind } from './kinds/kind.ts'

/** What an answer says once, beside the resource, such as a secret. */
export interface SaidOnce<Row> {
  readonly fields: Readonly<
    Record<string, { readonly kind: Kind; readonly doc: string; readonly example?: unknown }>
  >
  of(row: Row): Readonly<Record<string, unknown>>
}

export type Access = 'read' | 'write'

type Http = `${'GET' | 'POST' | 'PATCH' | 'DELETE'} /${string}`

export interface Named {
  /** The operation's id in OpenAPI and in the log, e.g. `latestBeacon`. A literal, so that grep finds it. */
  readonly name: string
  readonly doc: string
  readonly access: Access
  /** The field of the GraphQL root. */
  readonly graphql: string
  /** The agent tool's name, e.g. `verify_hash`; absent: agents have no such tool. */
  readonly tool?: string
}

export interface OnHttp extends Named {
  /** Method and path below `/api/json`, e.g. `GET /beacons/by-hash/:hash`. */
  readonly http: Http
}

/** A value in the path of a bare read; `read` answers undefined for a value that is none. */
export interface Parameter {
  readonly schema: JsonSchema
  readonly doc: string
  readonly example: string
  readonly read: (text: string) => string | undefined
}

/** Some rules have to ask the database, or the name servers. */
export type Judged = Iterable<Problem> | Promise<Iterable<Problem>>

/** A member of a body that nobody has judged yet, by its name. It is read only when it is asked for. */
export type Unjudged<A extends Accepts> = (name: keyof A & string) => unknown

export interface Writes<Context, A extends Accepts> {
  readonly accepts: A
  /** Rules beyond an attribute's kind, over those that passed their own, so that all mistakes are told at once. */
  check?(attributes: Passed<A>, context: Context): Judged
  /** Units of work; absent: the one that every request has. */
  weigh?(unjudged: Unjudged<A>): number
  /**
   * What running it would refuse, as far as that is known beforehand. Asked only when the request is refused anyway, so
   * that nothing stays hidden beside other mistakes; a repeated request may still be answered as the first was.
   */
  wouldRefuse?(attributes: Passed<A>, context: Context): Judged
}

export type ListOperation<Context> = OnHttp & { readonly renders: 'page'; readonly kind: 'list' } & (
    | {
        /** Filter, sort and cursors. */
        readonly graphqlShape: 'page'
      }
    | {
        /** No arguments: the newest as a plain list. */
        readonly graphqlShape: 'newest'
        /** Answers the published objects themselves, id included. */
        newest(context: Context): Promise<readonly object[]>
      }
  )

export interface GetOperation<Row, Context> extends OnHttp {
  readonly renders: 'document'
  readonly kind: 'get'
  /** Finds the row when the path carries no id (`/users/me`); otherwise it is looked up by id among the visible. */
  find?(context: Context): Promise<Row>
}

/** What is published of a create, before it is told apart from its neighbours. */
export interface Create<Row, Context, A extends Accepts> extends OnHttp, Writes<Context, A> {
  /** True when the operation honours an Idempotency-Key. */
  readonly idempotent?: true
  run(context: Context, attributes: Given<A>): Promise<Row>
  /** `meta` of the document; members of a GraphQL result. */
  readonly meta?: SaidOnce<Row>
}

export interface CreateOperation<Row, Context, A extends Accepts = Accepts> extends Create<Row, Context, A> {
  readonly renders: 'document'
  readonly kind: 'create'
}

export interface Update<Row, Context, A extends Accepts> extends OnHttp, Writes<Context, A> {
  run(context: Context, id: string, attributes: Given<A>): Promise<Row>
}

export interface UpdateOperation<Row, Context, A extends Accepts = Accepts> extends Update<Row, Context, A> {
  readonly renders: 'document'
  readonly kind: 'update'
}

export interface DeleteOperation<Row, Context> extends OnHttp {
  readonly renders: 'document'
  readonly kind: 'delete'
  /** Answers the row as it was. */
  run(context: Context, id: string): Promise<Row>
}

export interface Read<Context, Name extends string> extends OnHttp {
  readonly parameters: Readonly<Record<Name, Parameter>>
  /** Answers the published object itself, id included. */
  run(context: Context, parameters: Readonly<Record<Name, string>>): Promise<object>
}

export interface ReadOperation<Context, Name extends string = string> extends Read<Context, Name> {
  readonly renders: 'bare'
  readonly kind: 'read'
}

/** On GraphQL alone. */
export interface Mutate<Row, Context, A extends Accepts> extends Named, Writes<Context, A> {
  run(context: Context, id: string, attributes: Given<A>): Promise<Row>
}

export interface MutateOperation<Row, Context, A extends Accepts = Accepts> extends Mutate<Row, Context, A> {
  readonly renders: 'document'
  readonly kind: 'mutate'
}

/** `Context` is what the catalog's verbs are given: see `server/catalog/context.ts`. */
export type Operation<Row extends object, Context> =
  | ListOperation<Context>
  | GetOperation<Row, Context>
  | CreateOperation<Row, Context>
  | UpdateOperation<Row, Context>
  | DeleteOperation<Row, Context>
  | ReadOperation<Context>
  | MutateOperation<Row, Context>
