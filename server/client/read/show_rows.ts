// Rows of the service for people, as one line or as a list of fields, and as JSON for programs.
import { escaped, type Paint, plural, printable } from '../../../shared/cli/terminal.ts'
import { isJsonObject, type JsonValue } from '../../../shared/proof/json_value.ts'
import { type ListedRow, numberOf, textIn } from './rows.ts'

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
export function rowLine(row: ListedRow, paint: Paint): string {
  const words = (LINES[row.type] ?? (({ id }) => [id]))(row)
  const [first = '', ...more] = words.filter((word) => word !== '').map(printable)
  return [paint.bold(first), ...more].join('  ')
}

const LINES: Readonly<Record<string, (row: ListedRow) => string[]>> = {
  beacon: (row) => [`#${numberOf(row, 'height')}`, textIn(row, 'timestamp'), textIn(row, 'hash')],
  block: (row) => [
    `#${numberOf(row, 'height')}`,
    textIn(row, 'finalized_at'),
    textIn(row, 'block_hash'),
    plural(numberOf(row, 'item_count'), 'item'),
    textIn(row, 'state'),
  ],
  item: (row) => [
    row.id,
    textIn(row, 'inserted_at'),
    textIn(row, 'state').padEnd(9),
    [row.tags]
      .flat()
      .map((tag) => (typeof tag === 'string' ? `[${tag}]` : ''))
      .join(''),
    textIn(row, 'display_name'),
  ],
  webhook_delivery: (row) => [
    row.id,
    textIn(row, 'inserted_at'),
    textIn(row, 'event_type'),
    textIn(row, 'resource_id'),
    textIn(row, 'status'),
    textIn(row, 'error'),
  ],
}

/** A heading, and a line for each field. */
export function rowFields(row: ListedRow, paint: Paint, why = ''): string[] {
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
