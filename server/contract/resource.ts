// One definition per resource: what it shows, who sees which rows, and its operations. Frozen data and functions.
import type { RelationName } from '../store/database.ts'
import { type Camel, memberName } from '../store/row_reader.ts'
import type { Sql } from '../store/statement.ts'
import type { Kind } from './kind.ts'
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
 * `Value` is the type that answers have for the field. It includes null when the field is nullable, and undefined when
 * the field is withheld from some callers. `Stored` is what its kind makes it from.
 */
export interface Field<Value = unknown, Stored = unknown> {
  readonly kind: Kind<unknown, unknown, Stored>
  readonly doc: string
  readonly nullable: boolean
  /** True when some callers do not see the field. Their answers leave it out. */
  readonly withheld?: true
  readonly filter?: boolean
  readonly sort?: boolean
  /** True when the field is shown only if `fields[type]` names it. */
  readonly onRequest?: boolean
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

export const field = <Shown, Stored, const Own extends FieldParts = Record<never, never>>(
  kind: Kind<unknown, Shown, Stored>,
  doc: string,
  parts?: Own,
): Field<ValueOf<Shown, Own>, Stored> => Object.freeze({ nullable: false, ...parts, kind, doc })

type Carried<One> = One extends { readonly carries?: () => infer Value } ? Value : never

type StoredAs<One> = One extends Field<unknown, infer Stored> ? Stored : never

/** What a row may hold for a field that is shown as it is declared. */
type Holds<One> = StoredAs<One> | (null extends Carried<One> ? null | undefined : never)

/**
 * The fields that no member of the row answers: it has none of that name, or one of another type, or the field is
 * withheld from some callers.
 */
type Unanswered<Row, F> = {
  [Name in keyof F & string]: undefined extends Carried<F[Name]>
    ? Name
    : Row extends { readonly [Member in Camel<Name>]: Holds<F[Name]> }
      ? never
      : Name
}[keyof F & string]

/** The fields that are shown in another way than by the member of their name and by their kind. */
export type OwnShow<Row, F extends Fields, Context> = {
  readonly [Name in Unanswered<Row, F>]: (row: Row, context: Context) => Carried<F[Name]>
} & {
  readonly [Name in keyof F]?: (row: Row, context: Context) => Carried<F[Name]>
}

/** A field of a resource, and its published value. */
interface ShownField<Row, Context> extends Field {
  readonly name: string
  /** Undefined when the field is withheld from this caller. */
  show(row: Row, context: Context): unknown
}

interface PageRules {
  readonly size: number
  readonly max: number
  /** True when `page[offset]` is also accepted. */
  readonly offset: boolean
}

/** The `page` of every resource that declares none. Without a sort, the newest rows come first. */
export const DEFAULT_PAGE: PageRules = Object.freeze({ size: 25, max: 250, offset: false })

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
   * All other columns are always read.
   */
  readonly heavy?: readonly string[]
  /**
   * True when `hydrate` gets records that need no conversion: members named like those of a plain row, bytes as hex,
   * times as ISO 8601 text. Otherwise it gets the columns as the table names them.
   */
  readonly isLegible?: boolean
  /** Converts what the driver read to a row. */
  hydrate(columns: Readonly<Record<string, unknown>>): Row
  /** The published values of a row, without the id, in the order of `fields`. What is not among them cannot leak. */
  readonly shown: readonly ShownField<Row, Context>[]
  idOf(row: Row): string
  /** The condition for rows that the caller may read by id. `alias` is the table's alias in the query. */
  visible(context: Context, alias: string): Sql
  /** The additional condition of lists, such as the tenant. The alias is `r`. */
  listed(context: Context): Promise<Sql>
  /** Loads what is shown beyond the row, for a whole page at once. */
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

/** A row. Not an interface, so that its members can be read by name. */
export type Identified = { readonly id: string }

/** Each field is shown in its own way, or else by its kind from the row's member of the same name. */
export const shownFields = <Row extends Identified, Context>(
  fields: Fields,
  own: Readonly<Record<string, ShownField<Row, Context>['show'] | undefined>>,
): readonly ShownField<Row, Context>[] =>
  Object.entries(fields).map(([name, field]) =>
    Object.freeze({ ...field, name, show: own[name] ?? memberShown(memberName(name), field) }),
  )

/** Of a nullable field, what was not read is null as well. */
function memberShown(
  member: string,
  { kind: { show }, nullable }: Field,
): (row: Readonly<Record<string, unknown>>) => unknown {
  if (show === undefined) return nullable ? (row) => row[member] ?? null : (row) => row[member]
  if (!nullable) return (row) => show(row[member])
  return (row) => {
    const stored = row[member]
    return stored === null || stored === undefined ? null : show(stored)
  }
}

/** A row without an envelope: id and fields. */
export type BareRow = Readonly<Record<string, unknown>>

/** The default fields, and those of `also` that are shown on request only. `prepare` must have run for the row. */
export function bareRow<Row extends object, Context>(
  { idOf, shown }: Pick<Resource<Row, Context>, 'idOf' | 'shown'>,
  context: Context,
  row: Row,
  also: ReadonlySet<string> = new Set(),
): BareRow {
  const bare: Record<string, unknown> = { id: idOf(row) }
  for (const { name, onRequest, show } of shown) {
    const value = onRequest === true && !also.has(name) ? undefined : show(row, context)
    if (value !== undefined) bare[name] = value
  }
  return bare
}
