// Rows of a table as plain read-only records with camel-case members. About ten times cheaper than entities.
import type { Columns, RowOf } from './columns.ts'
import type { Legible } from './legible.ts'
import { isSealed, type Sealed } from './sealed_columns.ts'

type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}`
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

/** The same row as lists read it: see `legible.ts`. */
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
