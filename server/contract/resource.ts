// One definition per resource: what it shows, who sees which rows, and its operations. Frozen data and functions.
import type { EntityManager } from '@mikro-orm/postgresql'
import type { RelationName } from '../store/database.ts'
import type { Sql } from '../store/statement.ts'
import type { Kind } from './kinds/kind.ts'
import type { Operation } from './operation.ts'
import type { Finds } from './range.ts'

export interface Relationship {
  readonly doc: string
  readonly many: boolean
  /**
   * For a relationship to many: the most related rows of one row that GraphQL shows. Elsewhere the room of the answer
   * decides, and a row with more of them is read by itself.
   */
  readonly most?: number
  /**
   * The type of the other resource. It is a name because resources refer to each other; `Related` finds the resource.
   */
  readonly target: string
  /** The join condition. `from` and `to` are the aliases of the two tables. */
  readonly on: (from: string, to: string) => Sql
}

/**
 * `Value` is the type that `show` returns for the field. It includes null when the field is nullable, and undefined
 * when the field is withheld from some callers.
 */
export interface Field<Value = unknown> {
  readonly kind: Kind
  readonly doc: string
  readonly nullable: boolean
  /** True when some callers do not see the field. Their answers leave it out. */
  readonly withheld?: true
  readonly filter?: boolean
  readonly sort?: boolean
  /** True when the field is shown only if `fields[type]` names it. */
  readonly onRequest?: boolean
  /** The column behind the field, when it has another name. */
  readonly column?: string
  /**
   * The name of the value's schema in the OpenAPI document, when it says more than the kind, e.g. `WebhookEvent`.
   */
  readonly component?: string
  /** The example that documents show, in place of the kind's example. */
  readonly example?: unknown
  /** Set when GraphQL clients of compatible services expect another type than the kind implies. */
  readonly graphql?: {
    /** True for a closed set that GraphQL shows as plain text, with the words of JSON:API. */
    readonly asText?: true
    readonly nullable?: true
  }
  /** Used only by the compiler; never set. */
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

/** The type that `show` returns: every field, and null only where the field is nullable. */
export type ShownFields<F extends Fields> = {
  readonly [Name in Exclude<keyof F, Withheld<F>>]: Carried<F[Name]>
} & {
  readonly [Name in Withheld<F>]?: Carried<F[Name]>
}

/** Rejects members that are not declared fields, so that an unlisted column cannot leak. */
export type NothingElse<F extends Fields, Shown> = {
  readonly [Name in Exclude<keyof Shown, keyof F>]: never
}

interface PageRules {
  readonly newestFirst: boolean
  readonly size: number
  readonly max: number
  /** True when `page[offset]` is also accepted. */
  readonly offset: boolean
}

/** The `page` of every resource that declares none. */
export const DEFAULT_PAGE: PageRules = Object.freeze({ newestFirst: true, size: 25, max: 250, offset: false })

export interface Resource<Row extends object, Context> {
  /** Singular snake_case: the JSON:API type. */
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
   * Large columns. Each is read only when the field of the same name is shown, and its bytes count against the room.
   * `show` must work without it. All other columns are always read.
   */
  readonly heavy?: readonly string[]
  /**
   * True when `hydrate` gets records that need no conversion: members named like those of a plain row, bytes as hex,
   * times as ISO 8601 text. Otherwise it gets the columns as the table names them.
   */
  readonly isLegible?: boolean
  /** Converts what the driver read to a row. */
  hydrate(em: EntityManager, columns: Readonly<Record<string, unknown>>): Row
  /**
   * Projects a row to its published values, without the id. The projection is explicit, so an
   * unlisted column cannot leak.
   */
  show(row: Row, context: Context): Readonly<Record<string, unknown>>
  idOf(row: Row): string
  /** The condition for rows that the caller may read by id. `alias` is the table's alias in the query. */
  visible(context: Context, alias: string): Sql
  /** The additional condition of lists, such as the tenant. The alias is `r`. */
  listed(context: Context): Promise<Sql>
  /** Loads what `show` needs beyond the row, for a whole page at once. */
  prepare(rows: readonly Row[], context: Context): Promise<void>
  /**
   * True when a caller may read few rows among those of all callers, found by the subquery of `visible`. Lists then read
   * all of them and sort them.
   */
  readonly isFew?: true
  /** How lists find rows. Without it, every index of the table starts with the columns of `visible` and `listed`. */
  readonly finds?: Finds<Context>
  readonly operations: readonly Operation<Row, Context>[]
}

export const ID_FIELD_DOC = 'The id.'
