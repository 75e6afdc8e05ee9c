// The last step of the pipeline: runs the operation, and renders its answer as a page, a document or a bare row. Only
// published fields appear, each through its resource's projection.
import { API_ROOT, prepareBareRow } from '../../catalog/catalog.ts'
import { findAsked, runAction, runWrite } from '../../catalog/perform.ts'
import { readPage } from '../../contract/page.ts'
import type { Page } from '../../contract/page_shape.ts'
import { type Room, responseTooLarge, roomOf } from '../../contract/row_columns.ts'
import { type AtOnce, whenKnown } from '../../kernel/flow/at_once.ts'
import { JsonParts, JsonText, listParts } from '../../kernel/json_text.ts'
import { found, Refusal, refuse } from '../../kernel/refusal.ts'
import type { Exchange, JsonApiHouse } from './exchange.ts'
import { type Gathering, gatherRecords, openFitting, type Records } from './gather_records.ts'
import { readList, readShape, showsOf } from './read_query.ts'

/** @throws Refusal of a parameter, or of the operation */
export function answerRead(exchange: Exchange): AtOnce<void> {
  const { operation, context, parameters, problems } = exchange
  if (operation?.kind !== 'read' || context === undefined) throw refuse('no_route_found')
  problems.refuse()
  return whenKnown(operation.run(context, parameters), (body) => {
    exchange.body = body
  })
}

/** Sets the status, the body and the headers of the answer. @throws Refusal when the operation refuses */
export async function answer(exchange: Exchange, house: JsonApiHouse): Promise<void> {
  const { ctx, query, resource, operation, context, parameters, given, problems } = exchange
  if (operation === undefined || operation.kind === 'read' || context === undefined)
    throw refuse('no_route_found')
  const { id = '' } = parameters
  if (operation.kind === 'action') {
    ctx.status = 201
    const result = await runAction(operation, context, given, id)
    if (operation.answers !== undefined) {
      exchange.body = { result: await prepareBareRow(house.related(operation.answers), context, result) }
      return
    }
    exchange.body = result instanceof JsonText ? new JsonText(`{"result":${result.text}}`) : { result }
    return
  }
  if (resource === undefined) throw refuse('no_route_found')
  const collaborators = { resource, context, related: house.related }
  const base = house.base()
  const room = roomOf(context.services.ceilings)
  if (operation.kind === 'list') {
    const { shape, request } = readList(query, collaborators, problems)
    const reading = { cursors: house.cursors, shows: showsOf(resource, shape), room }
    const page = await readPage(reading, resource, context, request)
    exchange.body = await renderPage({ ...collaborators, base, shape, room }, page, {
      path: ctx.path,
      query,
      limit: request.limit,
      byOffset: request.offset !== undefined,
    })
    return
  }
  const shape = exchange.shape ?? readShape(query, collaborators, problems)
  problems.refuse()
  const rendering = { ...collaborators, base, shape, room }
  if (operation.kind === 'get') {
    const row = await findAsked({ operation, resource }, context, { id, shows: showsOf(resource, shape) })
    exchange.body = await renderDocument(rendering, found(row))
    return
  }
  const row = await runWrite(operation, context, { attributes: given.attributes, id })
  if (operation.kind === 'create') {
    ctx.status = 201
    ctx.set('Location', selfLink(rendering, row))
  }
  const meta = operation.kind === 'create' ? operation.meta?.of(row) : undefined
  exchange.body = await renderWritten(rendering, row, meta)
}

/**
 * Renders the row after a write. If the included records do not fit, the answer leaves them out, because the write
 * has already succeeded and must be reported.
 */
async function renderWritten(rendering: Rendering, row: object, meta?: Readonly<Record<string, unknown>>) {
  try {
    return await renderDocument(rendering, row, meta)
  } catch (error) {
    if (!(error instanceof Refusal) || rendering.shape.includes.length === 0) throw error
    const shape = { ...rendering.shape, includes: [] }
    return renderDocument(
      { ...rendering, shape, room: roomOf(rendering.context.services.ceilings) },
      row,
      meta,
    )
  }
}

/** Parameters with the value undefined are left out. */
function linkTo(base: string, path: string, parameters: Iterable<readonly [string, string]> = []): string {
  const pairs = [...parameters].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  const query = pairs
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&')
  return `${base}${path}${query === '' ? '' : `?${query}`}`
}

/** The request's parameters without the page position, plus the limit that was actually used. */
function pageParameters(query: URLSearchParams, limit: number): [string, string][] {
  const kept = [...query].filter(([name]) => !POSITIONS.has(name))
  return [...kept, ['page[limit]', String(limit)]]
}

const POSITIONS: ReadonlySet<string> = new Set(['page[after]', 'page[before]', 'page[offset]', 'page[limit]'])

const VERSION = { version: '1.1' } as const

interface Rendering extends Gathering {
  readonly base: string
}

/**
 * Renders as many records of the page as fit into the answer. @throws response_too_large when the
 * first record does not fit
 */
async function renderPage(
  rendering: Rendering,
  read: Page<object>,
  request: {
    readonly path: string
    readonly query: URLSearchParams
    readonly limit: number
    /** True when the neighbours are named by offset, false when by cursor. */
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
        // When the room was full: the number of records in the answer; otherwise the requested limit.
        limit: page.isCut ? count : request.limit,
        ...(page.total === null ? {} : { total: page.total }),
      },
    },
  })
}

/**
 * The number of rows in the first batch when each row may include many records. The size doubles with each batch.
 */
const FIRST_ROWS = 8

/**
 * Fits the rows of a page in batches, until the room is full. Relationships are read one after the other, each with
 * the room that the others left. When the first batch does not fit, a single row is tried.
 */
async function fitPage(rendering: Rendering, { rows, backwards }: Page<object>) {
  const fitting = openFitting(rendering.context, wholeRoom(rendering))
  const ordered = backwards ? rows.toReversed() : rows
  const all: Records = new Map()
  let count = 0
  let size = leadsToMany(rendering) ? FIRST_ROWS : rows.length
  while (count < ordered.length) {
    const some = ordered.slice(count, count + size)
    const taken = await fitting.take(await gatherRecords({ ...rendering, room: fitting.left() }, some, all))
    count += taken
    if (taken === some.length) size *= 2
    else if (count > 0) break
    else if (some.length === 1) throw tooLarge(rendering)
    else {
      size = 1
      all.clear()
    }
  }
  return { count, ...fitting.texts() }
}

/** True when an include path contains a relationship to many. */
const leadsToMany = ({ resource, related, shape }: Rendering): boolean =>
  shape.includes.some((path) => {
    let at = resource
    return path.some((name) => {
      const relationship = at.relationships[name]
      if (relationship === undefined) return false
      at = related(relationship.target)
      return relationship.many
    })
  })

/** @throws response_too_large */
async function renderDocument(
  rendering: Rendering,
  row: object,
  meta: Readonly<Record<string, unknown>> = {},
): Promise<JsonParts> {
  const fitting = openFitting(rendering.context, wholeRoom(rendering))
  const taken = await fitting.take(await gatherRecords(rendering, [row], new Map()))
  if (taken === 0) throw tooLarge(rendering)
  const { data, included } = fitting.texts()
  return documentOf(data, { rendering, included, links: { self: selfLink(rendering, row) }, meta })
}

const selfLink = ({ base, resource }: Pick<Rendering, 'base' | 'resource'>, row: object): string =>
  linkTo(base, `${API_ROOT}${resource.path}/${encodeURIComponent(resource.idOf(row))}`)

/** Bytes reserved for the links, the meta and the members around the records. */
const ENVELOPE_BYTES = 4_096

function wholeRoom({ context }: Rendering): Room {
  const { bytes, rows } = roomOf(context.services.ceilings)
  return { bytes: Math.max(0, bytes - ENVELOPE_BYTES), rows }
}

const tooLarge = ({ context }: Rendering): Refusal => responseTooLarge(context.services.ceilings)

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
