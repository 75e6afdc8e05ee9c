// Finds what a resource says of its table that is not so, and what no resource may show of a table.
import { queryFields } from '../contract/resource_fields.ts'
import type { Columns } from '../store/columns.ts'
import { RELATIONS } from '../store/database.ts'
import { isSealed } from '../store/sealed_columns.ts'
import type { PublishedResource } from './catalog.ts'

/** Returns one message per mistake; each names the field and the table. */
export function wrongColumns(resource: PublishedResource): string[] {
  const { type, table, heavy = [] } = resource
  const columns: Columns = RELATIONS[table]
  const published = Object.entries(queryFields(resource)).map(([name, { column = name, filter, sort }]) => ({
    place: `${type}.${name}`,
    column,
    isAsked: filter === true || sort === true,
  }))
  return [
    ...('id' in columns
      ? []
      : [`${type} stands on ${table}, a table without an id, by which rows are found`]),
    ...published.flatMap(({ place, column }) =>
      isSealed(column) ? [`${place} would show ${table}.${column}: what is sealed is never shown`] : [],
    ),
    ...published.flatMap(({ place, column, isAsked }) =>
      isAsked && column !== 'id' && !(column in columns)
        ? [`${place} is filtered or sorted by ${table}.${column}, which there is not`]
        : [],
    ),
    ...heavy.flatMap((column) =>
      column in columns ? [] : [`${type} has a heavy column that ${table} has not: ${column}`],
    ),
  ]
}
