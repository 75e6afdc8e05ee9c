// Rows of the service for people, as one line or as a list of fields, and as JSON for programs.
import { escaped, type Paint, plural, printable } from '../../../shared/cli/terminal.ts'
import { isJsonObject, type JsonValue } from '../../../shared/proof/json_value.ts'
import { numberOf, type Row, textOf } from './rows.ts'

/** On one line, members in their order, `escaped`. Whole numbers of any size keep their digits. */
export function jsonLine(value: JsonValue): string {
  if (typeof value === 'bigint') return String(value)
  if (Array.isArray(value)) return `[${value.map(jsonLine).join(',')}]`
  if (!isJsonObject(value)) return escaped(JSON.stringify(value))
  const members = Object.entries(value).map(
    ([name, member]) => `${escaped(JSON.stringify(name))}:${jsonLine(member)}`,
  )
  return `{${members.join(',')}}`
}

/** One line for a person. */
export function rowLine(row: Row, paint: Paint): string {
  const words = (LINES[row.type] ?? (({ id }) => [id]))(row)
  const [first = '', ...more] = words.filter((word) => word !== '').map(printable)
  return [paint.bold(first), ...more].join('  ')
}

const LINES: Readonly<Record<string, (row: Row) => string[]>> = {
  beacon: (row) => [`#${numberOf(row, 'height')}`, textOf(row, 'timestamp'), textOf(row, 'hash')],
  block: (row) => [
    `#${numberOf(row, 'height')}`,
    textOf(row, 'finalized_at'),
    textOf(row, 'block_hash'),
    plural(numberOf(row, 'item_count'), 'item'),
    textOf(row, 'state'),
  ],
  item: (row) => [
    row.id,
    textOf(row, 'inserted_at'),
    textOf(row, 'state').padEnd(9),
    [row.tags]
      .flat()
      .map((tag) => (typeof tag === 'string' ? `[${tag}]` : ''))
      .join(''),
    textOf(row, 'display_name'),
  ],
  webhook_delivery: (row) => [
    row.id,
    textOf(row, 'inserted_at'),
    textOf(row, 'event_type'),
    textOf(row, 'resource_id'),
    textOf(row, 'status'),
    textOf(row, 'error'),
  ],
}

/** A heading, and a line for each field. */
export function rowFields(row: Row, paint: Paint, why = ''): string[] {
  const { type, id, ...fields } = row
  const heading = `${type.replaceAll('_', ' ')} ${id}`
  const width = Math.max(0, ...Object.keys(fields).map(({ length }) => length))
  return [
    `${paint.bold(printable(heading))}${why === '' ? '' : `  ${why}`}`,
    ...Object.entries(fields).map(
      ([name, value]) => `  ${printable(name.padEnd(width))}  ${printable(fieldText(value))}`,
    ),
  ]
}

function fieldText(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return '–'
  return typeof value === 'string' ? value : jsonLine(value)
}
