// The renderers: page and document, with what they include. Only published fields pass, each through its projection.
import type { PublishedResource } from '../../catalog/catalog.ts'
import type { Context } from '../../catalog/context.ts'
import { loadRelated, type Related } from '../../contract/load_related.ts'
import type { Page } from '../../contract/page.ts'
import { linkTo, pageParameters } from './links.ts'
import type { Shape } from './read_query.ts'
import { API_ROOT } from './routes.ts'

const VERSION = { version: '1.1' } as const

export interface Rendering {
  readonly base: string
  readonly resource: PublishedResource
  readonly context: Context
  readonly related: Related<Context>
  readonly shape: Shape
}

export async function renderPage(
  rendering: Rendering,
  page: Page<object>,
  request: {
    readonly path: string
    readonly query: URLSearchParams
    readonly limit: number
    /** How the neighbours are named: cursors, or an offset. */
    readonly byOffset: boolean
  },
): Promise<object> {
  const { data, included } = await renderRows(rendering, page.rows)
  const parameters = pageParameters(request.query, request.limit)
  const link = (position: readonly (readonly [string, string])[]) =>
    linkTo(rendering.base, request.path, [...parameters, ...position])
  const neighbour = (name: 'after' | 'before', at: string | null) =>
    at === null ? null : link([[request.byOffset ? 'page[offset]' : `page[${name}]`, at]])
  const own = [...request.query].filter(([name]) => /^page\[(after|before|offset)\]$/.test(name))
  return {
    data,
    jsonapi: VERSION,
    links: {
      first: link(request.byOffset ? [['page[offset]', '0']] : []),
      self: link(own),
      next: neighbour('after', page.next),
      prev: neighbour('before', page.prev),
    },
    ...(included === undefined ? {} : { included }),
    meta: { page: { limit: request.limit, ...(page.total === null ? {} : { total: page.total }) } },
  }
}

export async function renderDocument(
  rendering: Rendering,
  row: object,
  meta: Readonly<Record<string, unknown>> = {},
): Promise<object> {
  const { data, included } = await renderRows(rendering, [row])
  return {
    data: data[0],
    jsonapi: VERSION,
    links: { self: selfLink(rendering, row) },
    ...(included === undefined ? {} : { included }),
    meta,
  }
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

export const selfLink = ({ base, resource }: Rendering, row: object): string =>
  linkTo(base, `${API_ROOT}${resource.path}/${encodeURIComponent(resource.idOf(row))}`)

interface Shown {
  readonly type: string
  readonly id: string
  readonly attributes: Readonly<Record<string, unknown>>
  readonly relationships: Record<string, object>
  readonly links: object
  readonly meta: object
}

/** Primary rows, and everything the include paths lead to, each record once. */
async function renderRows(
  rendering: Rendering,
  rows: readonly object[],
): Promise<{ data: Shown[]; included: Shown[] | undefined }> {
  const { resource, shape } = rendering
  const all = new Map<string, Shown>()
  const data = await show(rendering, resource, rows, all)
  const primary = new Set(data)
  await include(rendering, resource, rows, data, shape.includes, all)
  const included = [...all.values()].filter((one) => !primary.has(one))
  return { data, included: shape.includes.length === 0 ? undefined : included }
}

async function show(
  { context, shape }: Rendering,
  resource: PublishedResource,
  rows: readonly object[],
  all: Map<string, Shown>,
): Promise<Shown[]> {
  await resource.prepare(context.em, rows, context)
  const wanted = shape.fields.get(resource.type)
  const asked = Object.entries(resource.fields)
    .filter(([name, { onRequest }]) => (wanted === undefined ? onRequest !== true : wanted.has(name)))
    .map(([name]) => name)
  const related = Object.keys(resource.relationships).filter((name) => wanted?.has(name) ?? true)
  const isWhole = asked.length === Object.keys(resource.fields).length
  return rows.map((row) => {
    const id = resource.idOf(row)
    const known = all.get(`${resource.type} ${id}`)
    if (known !== undefined) return known
    const values = resource.show(row, context)
    const shown: Shown = {
      type: resource.type,
      id,
      attributes: isWhole ? values : only(asked, values),
      relationships: Object.fromEntries(related.map((name) => [name, UNLOADED])),
      links: {},
      meta: {},
    }
    all.set(`${resource.type} ${id}`, shown)
    return shown
  })
}

/** A relationship that was not asked to be included. */
const UNLOADED = Object.freeze({ links: {}, meta: {} })

const only = (names: readonly string[], values: Shown['attributes']): Shown['attributes'] =>
  Object.fromEntries(names.flatMap((name) => (name in values ? [[name, values[name]]] : [])))

/** One query per relationship and level; every included record is linked from where the path came (full linkage). */
async function include(
  rendering: Rendering,
  resource: PublishedResource,
  rows: readonly object[],
  shown: readonly Shown[],
  paths: readonly (readonly string[])[],
  all: Map<string, Shown>,
): Promise<void> {
  const { context, related } = rendering
  const heads = new Set(paths.flatMap(([head]) => (head === undefined ? [] : [head])))
  for (const name of heads) {
    const relationship = resource.relationships[name]
    if (relationship === undefined || rows.length === 0) continue
    const target = related(relationship.target)
    const ids = rows.map((row) => resource.idOf(row))
    const found = await loadRelated(
      { em: context.em, expensively: context.expensively, related },
      resource,
      name,
      relationship,
      context,
      ids,
    )
    const unique = new Map([...found.values()].flat().map((row) => [target.idOf(row), row]))
    const members = await show(rendering, target, [...unique.values()], all)
    const wanted = rendering.shape.fields.get(resource.type)
    // `fields` may leave the linkage out: the one case in which JSON:API allows an included record nobody links.
    for (const one of wanted === undefined || wanted.has(name) ? shown : []) {
      const linked = (found.get(one.id) ?? []).map((row) => ({ type: target.type, id: target.idOf(row) }))
      one.relationships[name] = {
        links: {},
        meta: {},
        data: relationship.many ? linked : (linked[0] ?? null),
      }
    }
    const rest = paths.filter(([head]) => head === name).map((path) => path.slice(1))
    await include(
      rendering,
      target,
      [...unique.values()],
      members,
      rest.filter(({ length }) => length > 0),
      all,
    )
  }
}
