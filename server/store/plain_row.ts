// Columns as the driver gives them, made into a plain read-only row: no identity map, no change tracking, a tenth of the cost.

const NAMES = new Map<string, string>()

/** e.g. `block_hash` → `blockHash` */
function memberName(column: string): string {
  let name = NAMES.get(column)
  if (name === undefined) {
    name = column.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
    NAMES.set(column, name)
  }
  return name
}

/**
 * Camel-case members; `…_at` columns as Date, `null` kept. `Row` is the caller's word for what the table holds; nothing
 * checks it at run time. Times come as text such as `2026-11-21 00:20:37.808+00`, because sessions run in UTC.
 */
export function plainRow<Row extends object>(columns: Readonly<Record<string, unknown>>): Row {
  const row: Record<string, unknown> = {}
  for (const column in columns) {
    const value = columns[column]
    row[memberName(column)] = column.endsWith('_at') && typeof value === 'string' ? new Date(value) : value
  }
  return row as Row
}

/** A foreign key as the reference it is: `{ id }`, or null. */
export const reference = (id: unknown): { readonly id: string } | null =>
  typeof id === 'string' ? { id } : null
