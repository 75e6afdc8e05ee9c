// Parameters that many operations share: includes, fields, the tenant, validators, Idempotency-Key, and path values.
import type { Catalog, PublishedResource } from '../../catalog/catalog.ts'
import { uuid7 } from '../../contract/kinds/identifier.ts'
import { QUERY_CEILINGS } from '../../contract/query_ceilings.ts'
import { fieldNames } from '../../contract/resource_fields.ts'
import { MAX_IDEMPOTENCY_KEY } from '../../domain/accounts/idempotency.ts'
import type { Components } from './components.ts'
import { kindSchema } from './components.ts'
import { componentName, type HttpOperation, type Node } from './node.ts'
import { reachableFrom } from './resource_schemas.ts'

/** `include`, and `fields[type]` for every type that the document can contain. */
export function shapeParameters(
  components: Components,
  catalog: Catalog,
  resource: PublishedResource,
): Node[] {
  const types = [resource.type, ...reachableFrom(catalog, resource).filter((type) => type !== resource.type)]
  return [
    ...includeParameter(components, resource),
    ...types.map((type) => fieldsParameter(components, catalog.related(type))),
  ]
}

function includeParameter(components: Components, { type, relationships }: PublishedResource): Node[] {
  const names = Object.keys(relationships)
  if (names.length === 0) return []
  return [
    components.put('parameters', `include.${type}`, {
      name: 'include',
      in: 'query',
      description: `Related records to embed. Paths such as \`${names[0]}.…\` go on from there, at most ${QUERY_CEILINGS.include_steps} steps.`,
      style: 'form',
      explode: false,
      schema: { type: 'array', items: { type: 'string', enum: names }, maxItems: QUERY_CEILINGS.includes },
    }),
  ]
}

const fieldsParameter = (components: Components, resource: PublishedResource): Node =>
  components.put('parameters', `fields.${resource.type}`, {
    name: `fields[${resource.type}]`,
    in: 'query',
    description: `Which fields of a ${resource.type} to show; an empty list means none.`,
    style: 'form',
    explode: false,
    schema: {
      type: 'array',
      items: { type: 'string', enum: fieldNames(resource) },
      maxItems: fieldNames(resource).length,
    },
  })

/**
 * Only the header is described as a parameter. Its text mentions the query parameter of the same name, because some
 * client generators fail on two parameters with one name.
 */
export const tenantParameter = (components: Components): Node =>
  components.put('parameters', 'tenant', {
    name: 'tenant',
    in: 'header',
    description:
      'The team to work in, by its id. Without it the caller’s default team, or else the personal one. A query parameter `tenant` does the same; together they agree, or it is a 400.',
    schema: components.put('schemas', 'Uuid7', uuid7().schema),
  })

export const validatorParameter = (components: Components): Node =>
  components.put('parameters', 'if-none-match', {
    name: 'If-None-Match',
    in: 'header',
    description:
      'An `ETag` of before, several of them apart by commas, or `*`: 304 when the representation is still one of them; of `*`, whenever there is one.',
    schema: { type: 'string', maxLength: QUERY_CEILINGS.validators },
  })

export const idempotencyParameter = (components: Components): Node =>
  components.put('parameters', 'idempotency-key', {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Makes the request safe to repeat for 24 hours: the same key and body answer what came of the first; another body is a 409.',
    schema: { type: 'string', minLength: 1, maxLength: MAX_IDEMPOTENCY_KEY },
  })

/** The ceiling on ids in the paths of actions. A longer id is answered as unknown. */
const LONGEST_ID = 64

/** The values in the path. All are marked as required, because OpenAPI demands it. */
export function pathParameters(
  components: Components,
  path: string,
  resource: PublishedResource | undefined,
  operation: HttpOperation,
): Node[] {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  return names.map((name) => {
    const described = operation.kind === 'read' ? operation.parameters[name] : undefined
    if (described !== undefined)
      return {
        name,
        in: 'path',
        required: true,
        description: described.doc,
        schema: described.schema,
        example: described.example,
      }
    const schema =
      resource === undefined
        ? { type: 'string', maxLength: LONGEST_ID }
        : kindSchema(components, resource.id, { owner: componentName(name) })
    const whole = {
      name,
      in: 'path',
      required: true,
      description: resource === undefined ? 'The id.' : `The id of the ${resource.type}.`,
      schema,
      example: resource === undefined ? 'an-id' : resource.id.example,
    }
    return resource === undefined ? whole : components.put('parameters', `id.${resource.type}`, whole)
  })
}
