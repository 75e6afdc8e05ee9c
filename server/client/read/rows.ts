// Lists of the service, page by page: their rows, and each row as one flat object.

import { Complaint } from '../../../shared/cli/terminal.ts'
import type { JsonObject, JsonValue } from '../../../shared/proof/json_value.ts'
import { isJsonObject, memberOf, textAt } from '../../../shared/proof/json_value.ts'
import { askBytes, readAnswer, type Service } from '../service/ask_service.ts'

/** Rows of the largest page. */
export const LARGEST_PAGE = 250

/** The largest answer of a service has 8 MiB, and a filter without an index takes some seconds. */
const CEILINGS = { bytes: 16_777_216, milliseconds: 30_000 }

/** `type` and `id`, and then the attributes by their names. */
export type ListedRow = JsonObject & { readonly type: string; readonly id: string }

export interface ListPage {
  readonly rows: readonly ListedRow[]
  /** The path and query of the page that follows. */
  readonly next: string | undefined
}

/** What a command asks its service with. */
export interface ListRequest {
  readonly service: Service
  /** When it is aborted, nobody waits for the answer any more. */
  readonly signal?: AbortSignal
}

/** @throws Complaint */
export async function askJson({ service, signal }: ListRequest, path: string): Promise<JsonValue> {
  const bytes = await askBytes(service, path, {
    ceilings: CEILINGS,
    ...(signal === undefined ? {} : { signal }),
  })
  return readAnswer(bytes, service.url)
}

/** @throws Complaint */
export async function readListPage(asking: ListRequest, path: string): Promise<ListPage> {
  const answer = await askJson(asking, path)
  const data = membersOf(answer).data
  if (!Array.isArray(data)) throw strange(asking)
  return { rows: data.map((one) => rowOf(asking, one)), next: nextOf(answer) }
}

/** The resource of an answer that has one. @throws Complaint */
export const readRow = async (asking: ListRequest, path: string): Promise<ListedRow> =>
  rowOf(asking, membersOf(await askJson(asking, path)).data)

/** The links of a service lead to its public address. It is asked at the address that the person named. */
export function nextOf(answer: JsonValue): string | undefined {
  const next = textAt(membersOf(answer).links, 'next')
  if (next === undefined || !URL.canParse(next)) return undefined
  const { pathname, search } = new URL(next)
  return `${pathname}${search}`
}

function rowOf(asking: ListRequest, value: JsonValue | undefined): ListedRow {
  const [type, id] = [textAt(value, 'type'), textAt(value, 'id')]
  if (type === undefined || id === undefined) throw strange(asking)
  return { type, id, ...membersOf(membersOf(value).attributes) }
}

const membersOf = (value: JsonValue | undefined): JsonObject => (isJsonObject(value) ? value : {})

const strange = ({ service }: ListRequest): Complaint =>
  new Complaint(`${service.url.origin} answered with something else than its rows.`)

export const textIn = (row: ListedRow, name: string): string => textAt(row, name) ?? ''

export function numberOf(row: ListedRow, name: string): number {
  const value = memberOf(row, name)
  return typeof value === 'number' ? value : Number.NaN
}

/** For a path: brackets and values are encoded. */
export const queryOf = (parameters: Readonly<Record<string, string>>): string =>
  `?${new URLSearchParams(parameters)}`
