// The parameters of an operation: values in its path, pages and sorts of a list, what is shown of the records, and the
// headers that many share.
import type { PublishedResource, PublishedRoute } from '../../catalog/catalog.ts'
import type { OperationOf } from '../../catalog/perform.ts'
import { uuid7 } from '../../contract/kinds.ts'
import { isIdempotent } from '../../contract/operation.ts'
import { fieldNames, sortNames } from '../../contract/resource_fields.ts'
import { MAX_IDEMPOTENCY_KEY } from '../../domain/accounts/idempotency.ts'
import { QUERY_CEILINGS } from '../../kernel/ceilings.ts'
import { type Components, componentName, type Node } from './components.ts'
import { filterParameters } from './filters.ts'
import { reachableFrom } from './resource_schemas.ts'

export function parametersOf(components: Components, of: PublishedRoute): Node[] {
  const { operation, resource } = of
  const isList = operation.kind === 'list'
  return [
    ...pathParameters(components, of),
    ...(operation.kind === 'read' ? queryParameters(operation) : []),
    ...(isList && resource !== undefined
      ? [
          ...pageParameters(components, resource),
          sortParameter(resource),
          ...filterParameters(components, resource),
        ]
      : []),
    ...(resource !== undefined && operation.kind !== 'read' ? shapeParameters(components, resource) : []),
    tenantParameter(components),
    ...(operation.http.startsWith('GET ') && !isList ? [validatorParameter(components)] : []),
    ...(isIdempotent(operation) ? [idempotencyParameter(components)] : []),
  ]
}

/** The ceiling on ids in the paths of actions. A longer id is answered as unknown. */
const LONGEST_ID = 64

/** All are marked as required, because OpenAPI demands it. */
function pathParameters(components: Components, { operation, resource }: PublishedRoute): Node[] {
  const names = [...operation.http.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  return names.map((name) => {
    const whole = (description: string, schema: Node, example: unknown): Node => ({
      name,
      in: 'path',
      required: true,
      description,
      schema,
      example,
    })
    const described = operation.kind === 'read' ? operation.parameters[name] : undefined
    if (described !== undefined) return whole(described.doc, described.schema, described.example)
    if (resource === undefined) return whole('The id.', { type: 'string', maxLength: LONGEST_ID }, 'an-id')
    const { id, type } = resource
    const schema = components.value({ kind: id }, componentName(name))
    return components.put('parameters', `id.${type}`, whole(`The id of the ${type}.`, schema, id.example))
  })
}

/** Those that may be left out. */
const queryParameters = ({ parameters }: OperationOf<'read'>): Node[] =>
  Object.entries(parameters).flatMap(([name, { doc, schema, example, absent }]) =>
    absent === undefined ? [] : [{ name, in: 'query', description: `Is ${doc}.`, schema, example }],
  )

function pageParameters(components: Components, { page: { size, max, offset } }: PublishedResource): Node[] {
  const parameter = (name: string, schema: Node, description: string): Node =>
    components.put('parameters', `page.${name}`, { name: `page[${name}]`, in: 'query', description, schema })
  return [
    parameter(
      'limit',
      { type: 'integer', minimum: 1, default: size, ...clampedTo(max) },
      `Page size; more than ${max} counts as ${max}. \`limit\` alone, as earlier releases had it, is ignored.`,
    ),
    parameter('after', CURSOR, 'Cursor of `links.next`; good only with the sort it was made under.'),
    parameter('before', CURSOR, 'Cursor of `links.prev`; not together with `page[after]`.'),
    ...(offset
      ? [
          parameter(
            'offset',
            { type: 'integer', minimum: 0, ...clampedTo(Number.MAX_SAFE_INTEGER) },
            'Pages by position instead of by cursor.',
          ),
        ]
      : []),
    parameter('count', { type: 'boolean', default: false }, '`true` adds `meta.page.total`.'),
  ]
}

/** More is not refused, so it is no `maximum`: a client would keep back what the service takes. */
const clampedTo = (most: number): Node => ({ 'x-clamped-to': most })

const CURSOR: Node = { type: 'string', maxLength: QUERY_CEILINGS.cursor }

/** Words of a closed set, apart by commas. */
const wordsParameter = (name: string, description: string, words: readonly string[], bounds: Node): Node => ({
  name,
  in: 'query',
  description,
  style: 'form',
  explode: false,
  schema: { type: 'array', items: { type: 'string', enum: words }, ...bounds },
})

const sortParameter = (resource: PublishedResource): Node =>
  wordsParameter(
    'sort',
    'Most significant first, each field once; `-` means descending. The id decides ties, nulls stand last. Without it `-id`.',
    sortNames(resource).flatMap((name) => [name, `-${name}`]),
    { minItems: 1, maxItems: QUERY_CEILINGS.sort_keys, uniqueItems: true },
  )

/** `include`, and `fields[type]` for every type that the document can contain. */
function shapeParameters(components: Components, resource: PublishedResource): Node[] {
  const { catalog } = components
  const types = [resource.type, ...reachableFrom(catalog, resource).filter((type) => type !== resource.type)]
  return [
    ...includeParameter(components, resource),
    ...types.map((type) => fieldsParameter(components, catalog.related(type))),
  ]
}

function includeParameter(components: Components, { type, relationships }: PublishedResource): Node[] {
  const names = Object.keys(relationships)
  if (names.length === 0) return []
  const doc = `Related records to embed. Paths such as \`${names[0]}.…\` go on from there, at most ${QUERY_CEILINGS.include_steps} steps.`
  const parameter = wordsParameter('include', doc, names, { maxItems: QUERY_CEILINGS.includes })
  return [components.put('parameters', `include.${type}`, parameter)]
}

function fieldsParameter(components: Components, resource: PublishedResource): Node {
  const { type } = resource
  const names = fieldNames(resource)
  const doc = `Which fields of a ${type} to show; an empty list means none.`
  const parameter = wordsParameter(`fields[${type}]`, doc, names, { maxItems: names.length })
  return components.put('parameters', `fields.${type}`, parameter)
}

/** A header that many operations take. */
const headerParameter = (components: Components, name: string, description: string, schema: Node): Node =>
  components.put('parameters', name.toLowerCase(), { name, in: 'header', description, schema })

/**
 * Only the header is described as a parameter. Its text mentions the query parameter of the same name, because some
 * client generators fail on two parameters with one name.
 */
const tenantParameter = (components: Components): Node =>
  headerParameter(
    components,
    'tenant',
    'The team to work in, by its id. Without it the caller’s default team, or else the personal one. A query parameter `tenant` does the same; together they agree, or it is a 400.',
    components.put('schemas', 'Uuid7', uuid7().schema),
  )

const validatorParameter = (components: Components): Node =>
  headerParameter(
    components,
    'If-None-Match',
    'An `ETag` of before, several of them apart by commas, or `*`: 304 when the representation is still one of them; of `*`, whenever there is one.',
    { type: 'string', maxLength: QUERY_CEILINGS.validators },
  )

const idempotencyParameter = (components: Components): Node =>
  headerParameter(
    components,
    'Idempotency-Key',
    'Makes the request safe to repeat for 24 hours: the same key and body answer what came of the first; another body is a 409.',
    { type: 'string', minLength: 1, maxLength: MAX_IDEMPOTENCY_KEY },
  )
