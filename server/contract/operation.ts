// What can be done with a resource: each operation names its access and its place on every surface it is published on.
import type { Problem, RefusalCode } from '../kernel/refusal.ts'
import type { JsonSchema, Kind } from './kind.ts'

/** A member of a create, update or action body. */
export interface Attribute {
  readonly kind: Kind
  readonly doc: string
  readonly required: boolean
  /** True where null is a value of its own, such as "no default team". */
  readonly nullable: boolean
  /** Of a list: the operation whose attributes each entry has, e.g. `createItem`. */
  readonly entriesOf?: string
  /**
   * Of an action that is asked about this very value: what it answers, as its result, where the request holds no such
   * value, and why. Elsewhere that is a mistake of the request.
   */
  readonly outcome?: (why: string) => object
}

/** What an answer says once, beside the resource, such as a secret. */
export interface SaidOnce<Row> {
  readonly fields: Readonly<Record<string, { readonly kind: Kind; readonly doc: string }>>
  of(row: Row): Readonly<Record<string, unknown>>
}

export type Access = 'read' | 'write'

type Http = `${'GET' | 'POST' | 'PATCH' | 'DELETE'} /${string}`

interface Named {
  /** The operation's id in OpenAPI and in the log, e.g. `latestBeacon`. A literal, so that grep finds it. */
  readonly name: string
  readonly doc: string
  readonly access: Access
}

interface OnHttp extends Named {
  /** Method and path below `/api/json`, e.g. `GET /beacons/by-hash/:hash`. */
  readonly http: Http
}

/** A value in the path of a bare read; `read` answers undefined for a value that is none. */
export interface Parameter {
  readonly schema: JsonSchema
  readonly doc: string
  readonly read: (text: string) => string | undefined
}

export type Attributes = Readonly<Record<string, unknown>>

interface Writes<Context> {
  readonly accepts: Readonly<Record<string, Attribute>>
  /** Rules beyond an attribute's kind, over those that passed their own, so that all mistakes are told at once. */
  check(attributes: Attributes, context: Context): Judged
  /** Units of work; absent: the one that every request has. Must bear attributes that nobody has judged yet. */
  weigh?(attributes: Attributes): number
  /**
   * What running it would refuse, as far as that is known beforehand. Asked only when the request is refused anyway, so
   * that nothing stays hidden beside other mistakes; a repeated request may still be answered as the first was.
   */
  wouldRefuse?(attributes: Attributes, context: Context): Judged
}

/** Some rules have to ask the database, or the name servers. */
export type Judged = Iterable<Problem> | Promise<Iterable<Problem>>

/** `Context` is what the catalog's verbs are given: see `server/catalog/context.ts`. */
export type Operation<Row extends object, Context> =
  | (OnHttp & {
      readonly renders: 'page'
      readonly kind: 'list'
      readonly graphql: string
    } & (
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
      ))
  | (OnHttp & {
      readonly renders: 'document'
      readonly kind: 'get'
      readonly graphql: string
      /** Finds the row when the path carries no id (`/users/me`); otherwise it is looked up by id among the visible. */
      find?(context: Context): Promise<Row>
    })
  | (OnHttp &
      Writes<Context> & {
        readonly renders: 'document'
        readonly kind: 'create'
        readonly graphql: string
        /** True when the operation honours an Idempotency-Key. */
        readonly idempotent?: true
        run(context: Context, attributes: Attributes): Promise<Row>
        /** `meta` of the document; members of a GraphQL result. */
        readonly meta?: SaidOnce<Row>
      })
  | (OnHttp &
      Writes<Context> & {
        readonly renders: 'document'
        readonly kind: 'update'
        readonly graphql: string
        run(context: Context, id: string, attributes: Attributes): Promise<Row>
      })
  | (OnHttp & {
      readonly renders: 'document'
      readonly kind: 'delete'
      readonly graphql: string
      /** Answers the row as it was. */
      run(context: Context, id: string): Promise<Row>
    })
  | (OnHttp & {
      readonly renders: 'bare'
      readonly kind: 'read'
      readonly graphql: string
      readonly parameters: Readonly<Record<string, Parameter>>
      /** Answers the published object itself, id included. */
      run(context: Context, parameters: Readonly<Record<string, string>>): Promise<object>
    })
  | (Named &
      Writes<Context> & {
        /** On GraphQL alone. */
        readonly renders: 'document'
        readonly kind: 'mutate'
        readonly graphql: string
        run(context: Context, id: string, attributes: Attributes): Promise<Row>
      })

/** An action belongs to no resource: arguments in `{data: {…}}`, an answer in `{result: …}`. */
export interface Action<Context> extends OnHttp {
  readonly renders: 'result'
  readonly kind: 'action'
  readonly graphql: string
  /**
   * `utility`: a query with nullable arguments, `{result: JsonString, errors}`; `mutation`: the same on the mutation
   * root; `json`: a query that answers the JsonString itself, refusals in the response's own errors.
   */
  readonly graphqlShape: 'utility' | 'mutation' | 'json'
  readonly accepts: Readonly<Record<string, Attribute>>
  check(given: Attributes, context: Context): Judged
  /** Units of work; absent: the one that every request has. Must bear arguments that nobody has judged yet. */
  weigh?(given: Attributes): number
  /** @param id the one in the path; empty where the path has none */
  run(context: Context, given: Attributes, id: string): Promise<unknown>
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
  readonly result?: JsonSchema
  /** One request and its answer, for the document. */
  readonly example?: { readonly data: object; readonly result: unknown }
}

export const attribute = (
  kind: Kind,
  doc: string,
  parts: {
    required?: true
    nullable?: true
    entriesOf?: string
    outcome?: (why: string) => object
  } = {},
): Attribute => Object.freeze({ required: false, nullable: false, ...parts, kind, doc })
