// The last step: the operation is run, and its answer rendered as its kind is.
import { findRow, readPage } from '../../contract/page.ts'
import { JsonText } from '../../kernel/json_text.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { Exchange, House } from './exchange.ts'
import { readList, readShape } from './read_query.ts'
import { renderBare, renderDocument, renderPage, selfLink } from './render.ts'

export async function answer(exchange: Exchange, house: House): Promise<void> {
  const { ctx, query, resource, operation, context, parameters, attributes } = exchange
  if (operation === undefined || context === undefined) throw refuse('no_route_found')
  if (operation.kind === 'action') {
    ctx.status = 201
    const result = await operation.run(context, attributes, idIn(parameters))
    if (operation.answers !== undefined) {
      ctx.body = { result: await renderBare(house.related(operation.answers), context, result) }
      return
    }
    ctx.body = result instanceof JsonText ? new JsonText(`{"result":${result.text}}`) : { result }
    return
  }
  if (operation.kind === 'read') {
    const read: Record<string, string> = {}
    for (const [name, parameter] of Object.entries(operation.parameters))
      read[name] = parameter.read(parameters[name] ?? '') ?? ''
    ctx.body = await operation.run(context, read)
    return
  }
  if (resource === undefined) throw refuse('no_route_found')
  const collaborators = { resource, context, related: house.related }
  if (operation.kind === 'list') {
    const { shape, request } = readList(query, collaborators)
    const page = await readPage(
      { em: context.em, expensively: context.expensively, cursors: house.cursors },
      resource,
      context,
      request,
    )
    ctx.body = await renderPage({ ...collaborators, base: house.base(), shape }, page, {
      path: ctx.path,
      query,
      limit: request.limit,
      byOffset: request.offset !== undefined,
    })
    return
  }
  const rendering = { ...collaborators, base: house.base(), shape: readShape(query, collaborators) }
  switch (operation.kind) {
    case 'get': {
      const row = operation.find
        ? await operation.find(context)
        : await findRow(context.em, resource, context, idIn(parameters))
      if (row === undefined) throw refuse('not_found')
      ctx.body = await renderDocument(rendering, row)
      return
    }
    case 'create': {
      const row = await operation.run(context, attributes)
      ctx.status = 201
      ctx.set('Location', selfLink(rendering, row))
      ctx.body = await renderDocument(rendering, row, operation.meta?.of(row))
      return
    }
    case 'update':
      ctx.body = await renderDocument(rendering, await operation.run(context, idIn(parameters), attributes))
      return
    case 'delete':
      ctx.body = await renderDocument(rendering, await operation.run(context, idIn(parameters)))
      return
    default:
      operation satisfies never
  }
}

/** PostgreSQL's text cannot hold U+0000, so an id with one is simply unknown. */
function idIn({ id = '' }: Readonly<Record<string, string>>): string {
  if (id.includes('\0')) throw refuse('not_found')
  return id
}
