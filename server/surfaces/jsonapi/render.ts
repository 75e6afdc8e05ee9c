// The renderers: page, document and bare. Only published fields pass, each through its projection.
import type { PublishedResource } from '../../catalog/catalog.ts'
import type { Context } from '../../catalog/context.ts'
import type { Page } from '../../contract/page_shape.ts'
import { type Room, roomOf } from '../../contract/row_columns.ts'
import { JsonParts, listParts } from '../../kernel/json_parts.ts'
import { refuse } from '../../kernel/refusal.ts'
import { type Fitting, fitRecords } from './fit_records.ts'
import { type Gathering, gatherRecords } from './gather_records.ts'
import { linkTo, pageParameters } from './links.ts'
import { API_ROOT } from './routes.ts'

const VERSION = { version: '1.1' } as const

export interface Rendering extends Gathering {
  readonly base: string
}

/** The page as far as an answer holds it. @throws response_too_large when not even its first record fits */
export async function renderPage(
  rendering: Rendering,
  read: Page<object>,
  request: {
    readonly path: string
    readonly query: URLSearchParams
    readonly limit: number
    /** How the neighbours are named: cursors, or an offset. */
    readonly byOffset: boolean
  },
): Promise<JsonParts> {
  const { count, data, included } = await fitPage(rendering, read)
  const page = count < read.rows.length ? read.cutTo(count) : read
  const parameters = pageParameters(request.query, request.limit)
  const link = (position: readonly (readonly [string, string])[]) =>
    linkTo(rendering.base, request.path, [...parameters, ...position])
  const neighbour = (name: 'after' | 'before', at: string | null) =>
    at === null ? null : link([[request.byOffset ? 'page[offset]' : `page[${name}]`, at]])
  const own = [...request.query].filter(([name]) => /^page\[(after|before|offset)\]$/.test(name))
  return documentOf(listParts(read.backwards ? data.toReversed() : data), {
    rendering,
    included,
    links: {
      first: link(request.byOffset ? [['page[offset]', '0']] : []),
      self: link(own),
      next: neighbour('after', page.next),
      prev: neighbour('before', page.prev),
    },
    meta: {
      page: {
        // What was served where the room ended, and else what was asked for.
        limit: page.isCut ? count : request.limit,
        ...(page.total === null ? {} : { total: page.total }),
      },
    },
  })
}

/**
 * Relationships are read one after the other, each into what the others left: where the first ones took all of it, far
 * fewer rows are tried, down to one. A page of 250 is read four times at most.
 */
async function fitPage(rendering: Rendering, page: Page<object>): Promise<Fitting> {
  const records = await gatherRecords(rendering, page.rows)
  if (page.backwards) records.reverse()
  const fitting = await fitRecords(records, wholeRoom(rendering))
  if (fitting.count > 0 || records.length === 0) return fitting
  if (records.length === 1) throw tooLarge(rendering)
  const room = roomOf(rendering.context.services.ceilings)
  return fitPage({ ...rendering, room }, page.cutTo(Math.ceil(records.length / 8)))
}

/** @throws response_too_large */
export async function renderDocument(
  rendering: Rendering,
  row: object,
  meta: Readonly<Record<string, unknown>> = {},
): Promise<JsonParts> {
  const { data, included } = await fitRecords(await gatherRecords(rendering, [row]), wholeRoom(rendering))
  if (data.length === 0) throw tooLarge(rendering)
  return documentOf(data, { rendering, included, links: { self: selfLink(rendering, row) }, meta })
}

/** A row as an action answers it: its id and its default fields, without an envelope. */
export async function renderBare(
  resource: PublishedResource,
  context: Context,
  row: unknown,
): Promise<Readonly<Record<string, unknown>>> {
  if (typeof row !== 'object' || row === null) throw new Error(`${resource.type}: no row was answered.`)
  await resource.prepare(context.em, [row], context)
  const shown = Object.entries(resource.show(row, context)).filter(
    ([name]) => resource.fields[name]?.onRequest !== true,
  )
  return { id: resource.idOf(row), ...Object.fromEntries(shown) }
}

export const selfLink = ({ base, resource }: Pick<Rendering, 'base' | 'resource'>, row: object): string =>
  linkTo(base, `${API_ROOT}${resource.path}/${encodeURIComponent(resource.idOf(row))}`)

/** For links, meta and what stands around them. */
const ENVELOPE_BYTES = 4_096

function wholeRoom({ context }: Rendering): Room {
  const { bytes, rows } = roomOf(context.services.ceilings)
  return { bytes: Math.max(0, bytes - ENVELOPE_BYTES), rows }
}

const tooLarge = ({ context }: Rendering) =>
  refuse('response_too_large', {
    meta: {
      maximum_bytes: context.services.ceilings.response_bytes,
      maximum_included: context.services.ceilings.included_rows,
    },
  })

const documentOf = (
  data: readonly string[],
  parts: {
    readonly rendering: Rendering
    readonly included: readonly string[]
    readonly links: object
    readonly meta: object
  },
): JsonParts =>
  new JsonParts([
    '{"data":',
    ...data,
    `,"jsonapi":${JSON.stringify(VERSION)},"links":${JSON.stringify(parts.links)}`,
    ...(parts.rendering.shape.includes.length === 0 ? [] : [',"included":', ...listParts(parts.included)]),
    `,"meta":${JSON.stringify(parts.meta)}}`,
  ])
