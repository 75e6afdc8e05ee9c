// Reads a list for a tool: its arguments, the rows, and how much of them an answer may hold.
import { isJsonObject, type JsonObject, type JsonValue, memberOf } from '../../../shared/proof/json_value.ts'
import type { PublishedResource } from '../../catalog/catalog.ts'
import type { Context } from '../../catalog/context.ts'
import { compileFilter, type FilterTree } from '../../contract/filter.ts'
import type { SortKey } from '../../contract/keyset.ts'
import type { Related } from '../../contract/load_related.ts'
import { type PageRequest, readPage } from '../../contract/page.ts'
import { QUERY_CEILINGS } from '../../contract/query_ceilings.ts'
import { bareRow } from '../../contract/resource.ts'
import { sortKeys, withTiebreaker } from '../../contract/resource_fields.ts'
import { responseTooLarge, roomOf } from '../../contract/row_columns.ts'
import type { Ceilings } from '../../kernel/ceilings.ts'
import { JsonParts, listParts, objectText } from '../../kernel/json_text.ts'
import type { Problems } from '../../kernel/problems.ts'
import { problem } from '../../kernel/refusal.ts'
import type { OwnArguments } from './read_arguments.ts'
import type { ToolCall } from './tool.ts'
import { LONGEST_SORT } from './tool_schemas.ts'

/** Bytes that are reserved for the message around the result. */
const ENVELOPE_BYTES = 4_096

/** The bytes that all texts of one result may have, as `sizeOf` counts them. */
const roomFor = ({ response_bytes }: Ceilings): number => Math.max(0, response_bytes - ENVELOPE_BYTES)

/** The bytes of a JSON text, plus those of the same text as a JSON string. */
const sizeOf = (text: string): number => Buffer.byteLength(text) + Buffer.byteLength(JSON.stringify(text))

/** @throws response_too_large */
export function wholeAnswer(text: string, ceilings: Ceilings): JsonParts {
  if (sizeOf(text) > roomFor(ceilings)) throw responseTooLarge(ceilings)
  return new JsonParts([text])
}

export interface Performance {
  readonly call: ToolCall
  readonly context: Context
  readonly own: OwnArguments
  readonly problems: Problems
}

interface ListCollaborators {
  readonly resource: PublishedResource
  readonly context: Context
  readonly related: Related<Context>
}

/** @throws Refusal with every problem noted so far */
function readList(args: JsonObject, collaborators: ListCollaborators, problems: Problems): PageRequest {
  const { resource } = collaborators
  const limit = readLimit(args, resource, problems)
  const after = readText(args, 'after', problems)
  const sort = withTiebreaker(resource, readSort(args, resource, problems))
  const filter = problems.attempt(() => compileFilter(resource, collaborators, readTree(args, problems)))
  problems.refuse()
  if (filter === undefined) throw new Error('A filter that is not valid was let through.')
  return {
    limit,
    sort,
    filter,
    count: false,
    ...(after === undefined ? {} : { after }),
  }
}

function readLimit(args: JsonObject, { page }: PublishedResource, { note }: Problems): number {
  const given = memberOf(args, 'limit') ?? page.size
  if (typeof given === 'number' && Number.isInteger(given) && given >= 1) return Math.min(given, page.max)
  // An integer beyond a double's precision is clamped like every other one.
  if (typeof given === 'bigint' && given >= 1n) return page.max
  note(
    problem('invalid_pagination', {
      path: ['limit'],
      detail: 'must be an integer of at least 1',
      meta: { minimum: 1 },
    }),
  )
  return page.size
}

function readText(args: JsonObject, name: 'after' | 'sort', { note }: Problems): string | undefined {
  const given = memberOf(args, name) ?? undefined
  if (given === undefined || typeof given === 'string') return given
  note(
    problem(name === 'after' ? 'invalid_pagination' : 'invalid_sort', {
      path: [name],
      detail: 'must be a text',
    }),
  )
  return undefined
}

function readSort(args: JsonObject, resource: PublishedResource, problems: Problems): SortKey[] {
  const text = readText(args, 'sort', problems)
  if (text === undefined) return []
  const path = ['sort']
  const maximum = QUERY_CEILINGS.sort_keys
  const words = text.length > LONGEST_SORT ? [] : text.split(',', maximum + 1).map((word) => word.trim())
  if (words.length > 0 && words.length <= maximum)
    return problems.attempt(() => sortKeys(resource, words, { path })) ?? []
  problems.note(problem('invalid_sort', { path, detail: `names at most ${maximum}` }))
  return []
}

function readTree(args: JsonObject, { note }: Problems): FilterTree {
  const filter = memberOf(args, 'filter') ?? undefined
  if (filter === undefined) return {}
  if (isJsonObject(filter)) return asTree(filter)
  note(problem('invalid_filter', { path: ['filter'], detail: 'must be an object' }))
  return {}
}

/** The strict reader has bounded its depth. An integer that no double holds is compared by its digits. */
function asTree(object: JsonObject): FilterTree {
  const leafOf = (value: JsonValue) => (typeof value === 'bigint' ? String(value) : value)
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [
      name,
      Array.isArray(value)
        ? value.map((one) => (isJsonObject(one) ? asTree(one) : leafOf(one)))
        : isJsonObject(value)
          ? asTree(value)
          : leafOf(value),
    ]),
  ) as FilterTree
}

/** @throws response_too_large when the first row does not fit */
export async function readRows(
  { call, context, own, problems }: Performance,
  resource: PublishedResource,
): Promise<JsonParts> {
  const { house, args } = call
  const { em, expensively, yieldToEventLoop } = context
  const { ceilings } = context.services
  const request = readList(args, { resource, context, related: house.related }, problems)
  const room = { ...roomOf(ceilings), bytes: roomFor(ceilings) / 2 }
  const shows = (field: string) => resource.fields[field]?.onRequest !== true || own.also.has(field)
  const page = await readPage(
    {
      em,
      expensively,
      listing: context.services.listing,
      cursors: house.cursors,
      shows,
      room,
      ceilings,
      yieldToEventLoop,
    },
    resource,
    context,
    request,
  )
  await resource.prepare(page.rows, context)
  const texts: string[] = []
  let left = roomFor(ceilings)
  for (const row of page.rows) {
    const text = objectText(bareRow(resource, context, row, own.also))
    left -= sizeOf(text) + 2
    if (left < 0) break
    texts.push(text)
    const pause = yieldToEventLoop()
    if (pause !== undefined) await pause
  }
  if (texts.length === 0 && page.rows.length > 0) throw responseTooLarge(ceilings)
  const { next } = texts.length < page.rows.length ? page.cutTo(texts.length) : page
  return new JsonParts(['{"data":', ...listParts(texts), `,"next":${JSON.stringify(next)}}`])
}
