// Rows of a table as plain read-only records with camel-case members. Rows to be shown have bytes and times as texts,
// which saves a Buffer or a Date for each.
import pg from 'pg'
import { type Columns, type RowOf, TYPE_OIDS } from './columns.ts'
import { isSealed, type Sealed } from './database.ts'

/** What a value is when its row was read to be shown. Values that were not read from the database keep their type. */
export type Legible<Value> = Value extends Uint8Array | Date ? Value | string : Value

/** PostgreSQL writes bytes as `\x0b662a77`. */
export const hexOfOutput = (output: string): string => output.slice(2)

const LONGEST = '2026-11-20 18:00:00.123+00'.length

/**
 * Sessions run in UTC, and PostgreSQL leaves out zeros at the end of the seconds. e.g. `2026-11-20 18:00:00.12+00` →
 * `2026-11-20T18:00:00.120Z`
 */
export function isoOfOutput(output: string): string {
  if (output.length <= LONGEST && output.charAt(10) === ' ' && output.endsWith('+00'))
    return `${output.slice(0, 10)}T${output.slice(11, 19)}.${output.slice(20, -3).padEnd(3, '0')}Z`
  // Years with more than four digits, and those before the first.
  const at: Date = dateOf(output)
  return at.toISOString()
}

const dateOf = pg.types.getTypeParser(TYPE_OIDS['timestamp with time zone'], 'text')

/** e.g. `block_hash` → `blockHash` */
export type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name

/** e.g. `block_hash` → `blockHash`. What is sealed is no member: it is read by the verb that opens it, and by nobody else. */
export type PlainRow<C extends Columns> = {
  readonly [Name in Exclude<keyof C & string, Sealed> as Camel<Name>]: RowOf<C>[Name]
}

/**
 * The columns were checked against the same table by `statement`. A column that was not read is `undefined`, because
 * heavy columns are read only where they are shown.
 */
export function rowReader<C extends Columns>(
  columns: C,
): (row: Readonly<Record<string, unknown>>) => PlainRow<C> {
  const members = Object.keys(columns)
    .filter((column) => !isSealed(column))
    .map((column) => [column, memberName(column)] as const)
  return (row) => {
    const plain: Record<string, unknown> = {}
    for (const [column, member] of members) plain[member] = row[column]
    return plain as PlainRow<C>
  }
}

/** The same row as lists read it: see `Legible`. */
export type LegibleRow<Row> = { readonly [Name in keyof Row]: Legible<Row[Name]> }

/**
 * For rows whose columns were named like the members already, see `rowColumns`. The row is the driver's own record,
 * because a copy of each row of a page takes longer than the rest of its way.
 */
export const legibleRow =
  <C extends Columns>(_: C) =>
  (row: Readonly<Record<string, unknown>>): LegibleRow<PlainRow<C>> =>
    row as LegibleRow<PlainRow<C>>

/** e.g. `block_hash` → `blockHash` */
export const memberName = (column: string): string =>
  column.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
