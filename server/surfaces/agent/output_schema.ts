// The output schema of a tool: an object, as the protocol demands of every structured result.
import type { PublishedResource } from '../../catalog/catalog.ts'
import { type JsonSchema, orNull } from '../../contract/kinds/kind.ts'
import { QUERY_CEILINGS } from '../../contract/query_ceilings.ts'
import { ID_FIELD_DOC } from '../../contract/resource.ts'
import type { OfTool } from './input_schema.ts'

/** @param related the resource that an action answers with, if any */
export function outputSchema(of: OfTool, related: (type: string) => PublishedResource): JsonSchema {
  const { operation, resource } = of
  if (operation.kind === 'action') {
    if (operation.answers !== undefined) return rowSchema(related(operation.answers))
    const { result } = operation
    return result?.type === 'object' ? result : wrapped(result)
  }
  if (resource === undefined) throw new Error(`${operation.name} belongs to no resource.`)
  if (operation.kind !== 'list') return rowSchema(resource)
  return {
    type: 'object',
    properties: {
      data: { type: 'array', items: rowSchema(resource), maxItems: resource.page.max },
      next: {
        type: ['string', 'null'],
        maxLength: QUERY_CEILINGS.cursor,
        description: 'The `after` of the next page; null on the last one.',
      },
    },
    required: ['data', 'next'],
  }
}

/** A result that is not always an object stands in a member `result`, as on JSON:API. */
const wrapped = (result: JsonSchema | undefined): JsonSchema => ({
  type: 'object',
  properties: { result: result ?? {} },
  required: ['result'],
})

export const isWrapped = (result: JsonSchema | undefined): boolean => result?.type !== 'object'

/** The id and the attributes of JSON:API. */
function rowSchema({ id, fields }: PublishedResource): JsonSchema {
  const members = Object.entries(fields).map(([name, { kind, nullable, doc }]) => [
    name,
    { ...(nullable ? orNull(kind.schema) : kind.schema), description: doc },
  ])
  const always = Object.entries(fields).flatMap(([name, { onRequest, withheld }]) =>
    onRequest === true || withheld === true ? [] : [name],
  )
  return {
    type: 'object',
    properties: { id: { ...id.schema, description: ID_FIELD_DOC }, ...Object.fromEntries(members) },
    required: ['id', ...always],
  }
}
