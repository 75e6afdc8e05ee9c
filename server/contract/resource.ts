// One definition per resource: what it shows, who sees which rows, what can be done with it. Frozen data and functions.
import type { EntityManager } from '@mikro-orm/postgresql'
import type { RelationName } from '../store/database.ts'
import type { Sql } from '../store/statement.ts'
import type { Kind } from './kinds/kind.ts'
import type { Operation } from './operation.ts'
import type { Relationship } from './relationship.ts'

/** `Value` is what `show` answers of it: null where it may be null, undefined where it may be left out. */
export interface Field<Value = unknown> {
  readonly kind: Kind
  readonly doc: string
  readonly nullable: boolean
  /** True where some callers are not shown it: it is left out of what they are shown. */
  readonly withheld?: true
  readonly filter?: boolean
  readonly sort?: boolean
  /** Shown only when `fields[type]` names it. */
  readonly onRequest?: boolean
  /** The column behind it, where it has another name. */
  readonly column?: string
  /** What the OpenAPI document calls the form of its values, where that says more than the kind: `WebhookEvent`. */
  readonly component?: string
  /** What documents show instead of the kind's example. */
  readonly example?: unknown
  /** Where clients of this kind of service know it by another GraphQL type than its kind implies. */
  readonly graphql?: {
    /** True for a closed set that is shown as plain text, in the words of JSON:API. */
    readonly asText?: true
    readonly nullable?: true
  }
  /** For the compiler alone: never set. */
  readonly carries?: () => Value
}

export type Fields = Readonly<Record<string, Field>>

type FieldParts = Partial<Omit<Field, 'kind' | 'doc' | 'carries'>>

type ValueOf<Shown, Own> =
  | Shown
  | (Own extends { readonly nullable: true } ? null : never)
  | (Own extends { readonly withheld: true } ? undefined : never)

export const field = <Shown, const Own extends FieldParts = Record<never, never>>(
  kind: Kind<unknown, Shown>,
  doc: string,
  parts?: Own,
): Field<ValueOf<Shown, Own>> => Object.freeze({ nullable: false, ...parts, kind, doc })

type Carried<One> = One extends { readonly carries?: () => infer Value } ? Value : never

type Withheld<F> = { [Name in keyof F]: undefined extends Carried<F[Name]> ? Name : never }[keyof F]

/** What `show` answers: every field, and nothing but null where it may be null. */
export type ShownFields<F extends Fields> = {
  readonly [Name in Exclude<keyof F, Withheld<F>>]: Carried<F[Name]>
} & {
  readonly [Name in Withheld<F>]?: Carried<F[Name]>
}

/** No member that is not among the fields: a column that is not listed cannot leak. */
export type NothingElse<F extends Fields, Shown> = {
  readonly [Name in Exclude<keyof Shown, keyof F>]: never
}

export interface PageRules {
  readonly newestFirst: boolean
  readonly size: number
  readonly max: number
  /** True when `page[offset]` is taken as well. */
  readonly offset: boolean
}

/** `page` of every resource that does not declare its own. */
export const DEFAULT_PAGE: PageRules = Object.freeze({ newestFirst: true, size: 25, max: 250, offset: false })

export interface Resource<Row extends object, Context> {
  /** Singular snake_case, the JSON:API type. */
  readonly type: string
  readonly path: `/${string}`
  readonly doc: string
  /** The kind of its ids. */
  readonly id: Kind
  readonly fields: Fields
  readonly relationships: Readonly<Record<string, Relationship>>
  readonly page: PageRules
  readonly table: RelationName
  /**
   * Columns that are large: each is read only where the field of its name is shown, its bytes count, and `show` does
   * without it. All others are read whatever is shown.
   */
  readonly heavy?: readonly string[]
  /** Columns as the driver gives them, made into a row. */
  hydrate(em: EntityManager, columns: Readonly<Record<string, unknown>>): Row
  /** Explicit projection of a row to published values, the id apart: a column that is not listed cannot leak. */
  show(row: Row, context: Context): Readonly<Record<string, unknown>>
  idOf(row: Row): string
  /** The rows the caller may read, by id; `alias` is the table's in the query. */
  visible(context: Context, alias: string): Sql
  /** What lists keep to besides, such as the tenant; the alias is `r`. */
  listed(context: Context): Promise<Sql>
  /** Loads what `show` needs beyond the row itself, for a whole page at once. */
  prepare(em: EntityManager, rows: readonly Row[], context: Context): Promise<void>
  readonly operations: readonly Operation<Row, Context>[]
}

export const ID_FIELD_DOC = 'The id.'
