// What a column can be: how PostgreSQL calls its type, what the driver makes of it, and who fills it in.
import type { ColumnType } from 'kysely'

/** PostgreSQL's own numbers of the types that our statements yield. They never change. */
export const TYPE_OIDS = Object.freeze({
  boolean: 16,
  bytea: 17,
  bigint: 20,
  smallint: 21,
  integer: 23,
  text: 25,
  'double precision': 701,
  'text[]': 1009,
  'bytea[]': 1001,
  date: 1082,
  'timestamp with time zone': 1184,
  jsonb: 3802,
  tsvector: 3614,
  xid8: 5069,
} as const)

/** As `format_type` names it; the length of a `timestamptz(3)` left out. */
export type TypeName = keyof typeof TYPE_OIDS | 'budget_ask'

/** `default`: the database fills it in when an INSERT does not. `always`: the database alone does. */
export type Filled = 'given' | 'default' | 'always'

/** `Read` is what the driver yields, `Written` what an INSERT or UPDATE takes; both are types only, so nothing holds them. */
export interface Column<Read = unknown, Written = Read, By extends Filled = Filled> {
  readonly type: TypeName
  readonly nullable: boolean
  readonly filled: By
  /** The only texts there are, where these are few. */
  readonly words?: readonly Read[]
  /** What its type does not tell, and every value is held against. */
  readonly holds?: (value: unknown) => boolean
  readonly read?: Read
  readonly written?: Written
}

export type Columns = Readonly<Record<string, Column>>

const column = <Read, Written = Read>(type: TypeName): Column<Read, Written, 'given'> =>
  Object.freeze({ type, nullable: false, filled: 'given' })

export const text = column<string>('text')
export const texts = column<readonly string[]>('text[]')
export const bytes = column<Buffer, Uint8Array>('bytea')
export const bytesList = column<readonly Buffer[], readonly Uint8Array[]>('bytea[]')
export const bool = column<boolean>('boolean')
export const int2 = column<number>('smallint')
export const int4 = column<number>('integer')
export const float8 = column<number>('double precision')
/** As text: it need not fit into a number. A statement that knows that it does casts it to float8. */
export const int8 = column<string, string | number | bigint>('bigint')
export const xid8 = column<string>('xid8')
/** To the millisecond: our columns hold no more. */
export const instant = column<Date, Date | string>('timestamp with time zone')
export const day = column<string>('date')
/** Read parsed, written as its text. */
export const json = column<unknown, string>('jsonb')
/** The same, and always an object. */
export const jsonObject: Column<Readonly<Record<string, unknown>>, string, 'given'> = Object.freeze({
  ...column<Readonly<Record<string, unknown>>, string>('jsonb'),
  holds: (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value),
})
/** Searched by the database, read by nobody. */
export const searchable = column<string, never>('tsvector')
export const budgetAsk = column<string>('budget_ask')

/** A text out of a closed set; the table has a CHECK of the same words. */
export const oneOf = <const Word extends string>(...words: readonly Word[]): Column<Word, Word, 'given'> =>
  Object.freeze({
    type: 'text',
    nullable: false,
    filled: 'given',
    words: Object.freeze(words),
    holds: (value: unknown) => words.some((word) => word === value),
  })

/** A text out of those that this version knows; the database takes others, of versions to come. */
export const named = <const Name extends string>(names: readonly Name[]): Column<Name, Name, 'given'> =>
  Object.freeze({
    type: 'text',
    nullable: false,
    filled: 'given',
    holds: (value: unknown) => names.some((name) => name === value),
  })

export const nullable = <Read, Written, By extends Filled>(
  one: Column<Read, Written, By>,
): Column<Read | null, Written | null, By> => Object.freeze({ ...one, nullable: true })

export const defaulted = <Read, Written>(one: Column<Read, Written>): Column<Read, Written, 'default'> =>
  Object.freeze({ ...one, filled: 'default' })

export const generated = <Read, Written>(one: Column<Read, Written>): Column<Read, Written, 'always'> =>
  Object.freeze({ ...one, filled: 'always' })

/** What the driver yields of these columns. */
export type RowOf<C extends Columns> = { readonly [Name in keyof C]: Read<C[Name]> }

type Read<C> = C extends Column<infer R, infer _W, infer _B> ? R : never

type KyselyColumn<C> =
  C extends Column<infer R, infer W, infer By>
    ? By extends 'always'
      ? ColumnType<R, never, never>
      : By extends 'default'
        ? ColumnType<R, W | undefined, W>
        : null extends R
          ? ColumnType<R, W | undefined, W>
          : ColumnType<R, W, W>
    : never

/** The same columns in the words of Kysely. */
export type KyselyTable<C extends Columns> = { readonly [Name in keyof C]: KyselyColumn<C[Name]> }
