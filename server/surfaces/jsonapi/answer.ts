// The last step of the pipeline: runs the operation, and renders its answer or, for a bare read, takes its object.
import { prepareBareRow } from '../../catalog/catalog.ts'
import { findRow, readPage } from '../../contract/page.ts'
import { readId } from '../../contract/read_attributes.ts'
import { roomOf } from '../../contract/row_columns.ts'
import { type AtOnce, whenKnown } from '../../kernel/flow/at_once.ts'
import { type JsonParts, JsonText } from '../../kernel/json_text.ts'
import { Refusal, refuse } from '../../kernel/refusal.ts'
import type { Exchange, House } from './exchange.ts'
import { readList, readShape, showsOf } from './read_query.ts'
import { type Rendering, renderDocument, renderPage, selfLink } from './render.ts'

/** @throws Refusal of a parameter, or of the operation */
export function answerRead(exchange: Exchange): AtOnce<void> {
  const { operation, context, parameters, problems } = exchange
  if (operation?.kind !== 'read' || context === undefined) throw refuse('no_route_found')
  problems.refuse()
  const read: Record<string, string> = {}
  for (const [name, parameter] of Object.entries(operation.parameters))
    read[name] = parameter.read(parameters[name] ?? '') ?? ''
  return whenKnown(operation.run(context, read), (body) => {
    exchange.body = body
  })
}

/** Sets the status, the body and the headers of the answer. @throws Refusal when the operation refuses */
export async function answer(exchange: Exchange, house: House): Promise<void> {
  const { ctx, query, resource, operation, context, parameters, attributes, problems } = exchange
  if (operation === undefined || operation.kind === 'read' || context === undefined)
    throw refuse('no_route_found')
  if (operation.kind === 'action') {
    ctx.status = 201
    const result = exchange.known ?? (await operation.run(context, attributes, readId(parameters.id ?? '')))
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
    const { em, expensively, yieldToEventLoop } = context
    const { ceilings } = context.services
    const { cursors } = house
    const page = await readPage(
      {
        em,
        expensively,
        listing: context.services.listing,
        cursors,
        shows: showsOf(resource, shape),
        room,
        ceilings,
        yieldToEventLoop,
      },
      resource,
      context,
      request,
    )
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
  switch (operation.kind) {
    case 'get': {
      const row = operation.find
        ? await operation.find(context)
        : await findRow(context.em, resource, context, readId(parameters.id ?? ''), showsOf(resource, shape))
      if (row === undefined) throw refuse('not_found')
      exchange.body = await renderDocument(rendering, row)
      return
    }
    case 'create': {
      const row = await operation.run(context, attributes)
      ctx.status = 201
      ctx.set('Location', selfLink(rendering, row))
      exchange.body = await renderWritten(rendering, row, operation.meta?.of(row))
      return
    }
    case 'update':
      exchange.body = await renderWritten(
        rendering,
        await operation.run(context, readId(parameters.id ?? ''), attributes),
      )
      return
    case 'delete':
      exchange.body = await renderWritten(
        rendering,
        await operation.run(context, readId(parameters.id ?? '')),
      )
      return
    default:
      operation satisfies never
  }
}

/**
 * Renders the row after a write. If the included records do not fit, the answer leaves them out, because the write
 * has already succeeded and must be reported.
 */
async function renderWritten(
  rendering: Rendering,
  row: object,
  meta?: Readonly<Record<string, unknown>>,
): Promise<JsonParts> {
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
