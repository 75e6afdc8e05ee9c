// JSON Schemas of a tool: what it takes, and what it answers.
import type { Published, PublishedResource } from '../../catalog/catalog.ts'
import type { Accepts } from '../../contract/attribute.ts'
import type { JsonSchema } from '../../contract/kind.ts'
import { uuid7 } from '../../contract/kinds.ts'
import { isIdempotent } from '../../contract/operation.ts'
import { filteredFields, queryFields, sortNames } from '../../contract/resource_fields.ts'
import {
  alwaysShown,
  closedObject,
  memberSchemas,
  requiredAmong,
  wholeObject,
} from '../../contract/schemas.ts'
import { MAX_IDEMPOTENCY_KEY } from '../../domain/accounts/idempotency.ts'
import { QUERY_CEILINGS } from '../../kernel/ceilings.ts'

type Properties = Readonly<Record<string, JsonSchema>>

/** What a tool takes beside the attributes of its operation: before them, always required, and after them. */
export function ownProperties(of: Published): { readonly always: Properties; readonly others: Properties } {
  const { operation } = of
  const parameters = operation.kind === 'read' ? Object.entries(operation.parameters) : []
  const described = parameters.map(([name, { schema, doc }]) => [name, withDescription(schema, `Is ${doc}.`)])
  return {
    always: { ...idProperty(of), ...Object.fromEntries(described) },
    others: {
      ...(operation.kind === 'list' ? listProperties(of) : {}),
      ...alsoProperty(of),
      ...(operation.tool?.tenant === true ? { tenant: TENANT } : {}),
      ...(isIdempotent(operation) ? { idempotency_key: IDEMPOTENCY_KEY } : {}),
    },
  }
}

export function inputSchema(of: Published): JsonSchema {
  const accepts: Accepts = 'accepts' in of.operation ? of.operation.accepts : {}
  const { always, others } = ownProperties(of)
  return closedObject({ ...always, ...memberSchemas(accepts), ...others }, [
    ...Object.keys(always),
    ...requiredAmong(accepts),
  ])
}

const withDescription = (schema: JsonSchema, description: string): JsonSchema => ({ ...schema, description })

/** True when the operation has its id in the path on JSON:API, and the value is not a parameter of its own. */
const takesId = ({ operation }: Published): boolean =>
  operation.kind !== 'read' && 'http' in operation && operation.http.includes('/:id')

function idProperty(of: Published): Properties {
  if (!takesId(of)) return {}
  const { resource } = of
  const schema = resource?.id.schema ?? { type: 'string', maxLength: 64 }
  return {
    id: withDescription(schema, resource === undefined ? 'The id.' : `The id of the ${resource.type}.`),
  }
}

/** The fields that a tool shows only when the argument `also` names them. */
export const onRequest = ({ operation, resource }: Published): readonly string[] =>
  resource !== undefined && (operation.kind === 'get' || operation.kind === 'list')
    ? Object.entries(resource.fields).flatMap(([name, field]) => (field.onRequest === true ? [name] : []))
    : []

function alsoProperty(of: Published): Properties {
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

const TENANT: JsonSchema = withDescription(
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

function listProperties({ resource }: Published): Properties {
  if (resource === undefined) return {}
  const { page } = resource
  return {
    filter: filterSchema(resource),
    sort: {
      type: 'string',
      maxLength: LONGEST_SORT,
      description: `Comma-separated, most significant first; \`-\` before a name means descending: ${sortNames(resource).join(', ')}. Without it \`-id\`.`,
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

/** More than all sortable fields of a resource take. */
export const LONGEST_SORT = 256

/**
 * In words, because a schema of all fields, groups and related resources would be longer than those of all other
 * arguments together. Fields with the same operators are told together.
 */
function filterSchema(resource: PublishedResource): JsonSchema {
  const alike = Map.groupBy(filteredFields(resource), ({ stored }) => stored.operators.join(', '))
  const told = ({ name, kind: { schema } }: ReturnType<typeof filteredFields>[number]): string =>
    schema.enum === undefined ? name : `${name} (${String(schema.enum).replaceAll(',', ', ')})`
  const fields = [...alike].map(([operators, some]) => `${some.map(told).join(', ')}: ${operators}`)
  const related = Object.keys(resource.relationships)
  return {
    type: 'object',
    description: [
      'An object of fields that must all hold, each with a value or with an object of operators: {"inserted_at": {"greater_than": "2026-01-01T00:00:00Z"}}.',
      `Fields and their operators: ${fields.join('; ')}.`,
      `Beside them \`and\`, \`or\` take a list of filters, and ${['not', ...related].map((name) => `\`${name}\``).join(', ')} one.`,
    ].join(' '),
  }
}

/** @param related the resource that an action answers with, if any */
export function outputSchema(of: Published, related: (type: string) => PublishedResource): JsonSchema {
  const { operation, resource } = of
  if (operation.kind === 'action') {
    if (operation.answers !== undefined) return rowSchema(related(operation.answers))
    const { result } = operation
    return result === undefined || isWrapped(result) ? wholeObject({ result: result ?? {} }) : result
  }
  if (resource === undefined) throw new Error(`${operation.name} belongs to no resource.`)
  if (operation.kind !== 'list') return rowSchema(resource)
  return wholeObject({
    data: { type: 'array', items: rowSchema(resource), maxItems: resource.page.max },
    next: {
      type: ['string', 'null'],
      maxLength: QUERY_CEILINGS.cursor,
      description: 'The `after` of the next page; null on the last one.',
    },
  })
}

/** True when the result stands in a member `result`, as on JSON:API, because it is not always an object. */
export const isWrapped = (result: JsonSchema | undefined): boolean => result?.type !== 'object'

/** The id and the attributes of JSON:API. */
const rowSchema = (resource: PublishedResource): JsonSchema => ({
  type: 'object',
  properties: memberSchemas(queryFields(resource)),
  required: alwaysShown(resource.fields),
})
