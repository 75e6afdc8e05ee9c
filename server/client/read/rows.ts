// Rows of the service: lists of them page by page, each as one flat object; and how they are shown, for people as one line or
// as a list of fields, for programs as JSON.
import type { Options } from '../../../shared/cli/command.ts'
import { Complaint, escaped, type Paint, plural, printable } from '../../../shared/cli/terminal.ts'
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  memberOf,
  textAt,
} from '../../../shared/proof/json_value.ts'
import { readTime } from '../../../shared/search/read_names.ts'
import { askService, type Service } from '../ask/ask_service.ts'

/** Rows of the largest page. */
export const LARGEST_PAGE = 250

/** The largest answer of a service has 8 MiB, and a filter without an index takes some seconds. */
const CEILINGS = { bytes: 16_777_216, milliseconds: 30_000 }

/** `type` and `id`, and then the attributes by their names. */
export type ListedRow = JsonObject & { readonly type: string; readonly id: string }

const askRows = (service: Service, path: string): Promise<JsonValue> =>
  askService(service, path, { ceilings: CEILINGS })

/** @throws Complaint */
export async function readListPage(service: Service, path: string) {
  const answer = await askRows(service, path)
  const data = membersOf(answer).data
  if (!Array.isArray(data)) throw strange(service)
  return {
    rows: data.map((one) => rowOf(service, one)),
    /** The path and query of the page that follows. */
    next: nextOf(answer),
  }
}

/** The resource of an answer that has one. @throws Complaint */
export const readRow = async (service: Service, path: string): Promise<ListedRow> =>
  rowOf(service, membersOf(await askRows(service, path)).data)

/** The links of a service lead to its public address. It is asked at the address that the person named. */
export function nextOf(answer: JsonValue): string | undefined {
  const next = textAt(membersOf(answer).links, 'next')
  if (next === undefined || !URL.canParse(next)) return undefined
  const { pathname, search } = new URL(next)
  return `${pathname}${search}`
}

function rowOf(service: Service, value: JsonValue | undefined): ListedRow {
  const [type, id] = [textAt(value, 'type'), textAt(value, 'id')]
  if (type === undefined || id === undefined) throw strange(service)
  return { type, id, ...membersOf(membersOf(value).attributes) }
}

const membersOf = (value: JsonValue | undefined): JsonObject => (isJsonObject(value) ? value : {})

const strange = ({ url }: Service): Complaint =>
  new Complaint(`${url.origin} answered with something else than its rows.`)

export const textIn = (row: ListedRow, name: string): string => textAt(row, name) ?? ''

export function numberOf(row: ListedRow, name: string): number {
  const value = memberOf(row, name)
  return typeof value === 'number' ? value : Number.NaN
}

/** For a path: brackets and values are encoded. */
export const queryOf = (parameters: Readonly<Record<string, string>>): string =>
  `?${new URLSearchParams(parameters)}`

export const JSON_OPTION: Options = {
  json: { meaning: 'prints JSON' },
}

/** ISO 8601. @throws Complaint when the text is no time, or one that is still to come */
export function sinceTime(text: string): string {
  const time = readTime(text.trim(), Date.now())
  if (time === null)
    throw new Complaint(`${text} is no time of the past.`, {
      advice: 'Such as 2026-11-26, 2026-11-26T18:00:00Z, 14:02, yesterday or "2 hours ago", in UTC.',
    })
  return new Date(time.from).toISOString()
}

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
