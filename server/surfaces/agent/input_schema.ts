// The input schema of a tool: the arguments of its operation in one flat object.
import type { PublishedAction, PublishedOperation, PublishedResource } from '../../catalog/catalog.ts'
import type { Accepts } from '../../contract/attribute.ts'
import { uuid7 } from '../../contract/kinds/identifier.ts'
import { type JsonSchema, orNull } from '../../contract/kinds/kind.ts'
import { QUERY_CEILINGS } from '../../contract/query_ceilings.ts'
import { queryFields } from '../../contract/resource_fields.ts'
import { MAX_IDEMPOTENCY_KEY } from '../../domain/accounts/idempotency.ts'

export interface OfTool {
  readonly operation: PublishedOperation | PublishedAction
  /** Absent for an action. */
  readonly resource: PublishedResource | undefined
}

type Properties = Readonly<Record<string, JsonSchema>>

/** Unknown arguments are refused, so that a misspelled one is not taken for one that was left out. */
export function inputSchema(of: OfTool): JsonSchema {
  const { operation } = of
  const id = idProperty(of)
  const accepted = 'accepts' in operation ? Object.entries(operation.accepts) : []
  const parameters = operation.kind === 'read' ? Object.entries(operation.parameters) : []
  const required = [
    ...Object.keys(id),
    ...parameters.map(([name]) => name),
    ...accepted.flatMap(([name, { required }]) => (required ? [name] : [])),
  ]
  return {
    type: 'object',
    properties: {
      ...id,
      ...Object.fromEntries(parameters.map(([name, { schema, doc }]) => [name, told(schema, `Is ${doc}.`)])),
      ...('accepts' in operation ? attributes(operation.accepts) : {}),
      ...(operation.kind === 'list' ? listProperties(of) : {}),
      ...alsoProperty(of),
      ...(operation.tool?.tenant === true ? { tenant: TENANT } : {}),
      ...(isIdempotent(operation) ? { idempotency_key: IDEMPOTENCY_KEY } : {}),
    },
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  }
}

const told = (schema: JsonSchema, description: string): JsonSchema => ({ ...schema, description })

const attributes = (accepts: Accepts): Properties =>
  Object.fromEntries(
    Object.entries(accepts).map(([name, { kind, doc, nullable }]) => [
      name,
      told(nullable ? orNull(kind.schema) : kind.schema, doc),
    ]),
  )

/** True when the operation has its id in the path on JSON:API, and the value is not a parameter of its own. */
export const takesId = ({ operation }: OfTool): boolean =>
  operation.kind !== 'read' && 'http' in operation && operation.http.includes('/:id')

function idProperty(of: OfTool): Properties {
  if (!takesId(of)) return {}
  const { resource } = of
  const schema = resource?.id.schema ?? { type: 'string', maxLength: 64 }
  return { id: told(schema, resource === undefined ? 'The id.' : `The id of the ${resource.type}.`) }
}

export const isIdempotent = (operation: OfTool['operation']): boolean =>
  'idempotent' in operation && operation.idempotent === true

/** The fields that a tool shows only when the argument `also` names them. */
export const onRequest = ({ operation, resource }: OfTool): readonly string[] =>
  resource !== undefined && (operation.kind === 'get' || operation.kind === 'list')
    ? Object.entries(resource.fields).flatMap(([name, field]) => (field.onRequest === true ? [name] : []))
    : []

function alsoProperty(of: OfTool): Properties {
  const names = onRequest(of)
  if (names.length === 0) return {}
  return {
    also: {
      type: 'array',
      items: { type: 'string', enum: names },
      maxItems: names.length,
      description: 'Fields that are left out unless they are named here.',
    },
  }
}

const TENANT: JsonSchema = told(
  uuid7().schema,
  'The team to work in. Without it the caller’s default team, or else the personal one.',
)

const IDEMPOTENCY_KEY: JsonSchema = {
  type: 'string',
  minLength: 1,
  maxLength: MAX_IDEMPOTENCY_KEY,
  description:
    'Makes the call safe to repeat for 24 hours: the same key and arguments answer what came of the first.',
}

function listProperties({ resource }: OfTool): Properties {
  if (resource === undefined) return {}
  const { page } = resource
  const sorts = Object.entries(queryFields(resource)).flatMap(([name, { sort }]) => (sort ? [name] : []))
  return {
    filter: filterSchema(resource),
    sort: {
      type: 'string',
      maxLength: LONGEST_SORT,
      description: `Comma-separated, most significant first; \`-\` before a name means descending: ${sorts.join(', ')}. Without it \`${page.newestFirst ? '-id' : 'id'}\`.`,
    },
    limit: {
      type: 'integer',
      minimum: 1,
      maximum: page.max,
      description: `How many at most; ${page.size} when left out.`,
    },
    after: {
      type: 'string',
      maxLength: QUERY_CEILINGS.cursor,
      description: 'The `next` of the page before; good only with the same sort.',
    },
  }
}

/** The arguments that every list has. */
export const LIST_ARGUMENTS = ['filter', 'sort', 'limit', 'after'] as const

/** More than all sortable fields of a resource take. */
export const LONGEST_SORT = 256

/**
 * Fields with a value or with operators, all of which must hold. Groups and related resources are described in words,
 * because a whole schema of them would be longer than that of all tools together.
 */
function filterSchema(resource: PublishedResource): JsonSchema {
  const fields = Object.entries(queryFields(resource)).flatMap(([name, { filter, kind, doc }]) => {
    const { stored } = kind
    if (filter !== true || stored === undefined) return []
    const { type } = kind.schema
    const value = stored.operators.includes('eq') && typeof type === 'string' ? [type] : []
    const words = kind.schema.enum === undefined ? '' : ` One of ${String(kind.schema.enum)}.`
    const description = `${doc}${words} Operators: ${stored.operators.join(', ')}.`
    return [[name, { type: [...value, 'object'], description }] as const]
  })
  const related = Object.entries(resource.relationships).map(
    ([name, { target }]) => [name, { type: 'object', description: `A filter of its ${target}.` }] as const,
  )
  return {
    type: 'object',
    description:
      'All members must hold. A field takes a value, or an object of operators: {"inserted_at": {"greater_than": "2026-01-01T00:00:00Z"}}.',
    properties: {
      ...Object.fromEntries([...fields, ...related]),
      and: { type: 'array', items: { type: 'object' }, description: 'Filters that all hold.' },
      or: { type: 'array', items: { type: 'object' }, description: 'Filters of which one holds.' },
      not: { type: 'object', description: 'A filter that does not hold.' },
    },
    additionalProperties: false,
    maxProperties: QUERY_CEILINGS.filter_conditions,
  }
}
