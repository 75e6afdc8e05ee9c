// Kinds of columns: the name of the type in PostgreSQL, the value from the driver, and how the column is filled.
import type { ColumnType } from 'kysely'

/** PostgreSQL's fixed numbers of the types that our statements return. */
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

/** The name by `format_type`, without the length of a `timestamptz(3)`. */
type TypeName = keyof typeof TYPE_OIDS | 'budget_ask'

/** `default`: the database fills the column when an INSERT leaves it out. `always`: only the database writes it. */
type Filled = 'given' | 'default' | 'always'

/** `Read` is the value from the driver, `Written` the value in an INSERT or UPDATE. Both exist only as types. */
export interface Column<Read = unknown, Written = Read, By extends Filled = Filled> {
  readonly type: TypeName
  readonly nullable: boolean
  readonly filled: By
  /** The allowed texts, for columns with a closed set. */
  readonly words?: readonly Read[]
  /** A further check on every value, where the type says too little. */
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
/** As text, because the value may exceed the range of a number. A statement with small values casts it to float8. */
export const int8 = column<string, string | number | bigint>('bigint')
export const xid8 = column<string>('xid8')
/** To the millisecond, which is the precision of our columns. */
export const instant = column<Date, Date | string>('timestamp with time zone')
export const day = column<string>('date')
/** Read as a parsed value, written as JSON text. */
export const json = column<unknown, string>('jsonb')
/** Like the column above, but always an object. */
export const jsonObject: Column<Readonly<Record<string, unknown>>, string, 'given'> = Object.freeze({
  ...column<Readonly<Record<string, unknown>>, string>('jsonb'),
  holds: (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value),
})
/** Used for searches inside the database and never read. */
export const searchable = column<string, never>('tsvector')
export const budgetAsk = column<string>('budget_ask')

/** A text from a closed set. The table has a CHECK with the same texts. */
export const oneOf = <const Word extends string>(...words: readonly Word[]): Column<Word, Word, 'given'> =>
  Object.freeze({ ...named(words), words: Object.freeze(words) })

/** A text from the set of this version. The database also accepts texts of later versions. */
export const named = <const Name extends string>(names: readonly Name[]): Column<Name, Name, 'given'> =>
  Object.freeze({
    ...column<Name>('text'),
    holds: (value: unknown) => names.some((name) => name === value),
  })

export const nullable = <Read, Written, By extends Filled>(
  one: Column<Read, Written, By>,
): Column<Read | null, Written | null, By> => Object.freeze({ ...one, nullable: true })

export const defaulted = <Read, Written>(one: Column<Read, Written>): Column<Read, Written, 'default'> =>
  Object.freeze({ ...one, filled: 'default' })

export const generated = <Read, Written>(one: Column<Read, Written>): Column<Read, Written, 'always'> =>
  Object.freeze({ ...one, filled: 'always' })

/** The values that the driver returns for these columns. */
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

/** The same columns as types for Kysely. */
export type KyselyTable<C extends Columns> = { readonly [Name in keyof C]: KyselyColumn<C[Name]> }
