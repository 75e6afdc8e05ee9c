// Records as columns, for statements that take many rows as arrays (`unnest`).

export type Columnwise<Row> = { readonly [Name in keyof Row]: readonly Row[Name][] }

/** The values of these members of each record, in the order of the records. */
export function columnwise<Row, Name extends keyof Row>(
  rows: readonly Row[],
  ...names: readonly Name[]
): Columnwise<Pick<Row, Name>>
export function columnwise(
  rows: readonly Readonly<Record<string, unknown>>[],
  ...names: readonly string[]
): object {
  const columns: Record<string, readonly unknown[]> = {}
  for (const name of names) columns[name] = rows.map((row) => row[name])
  return columns
}
