// The parameters of a list: filters, sorts, pages, sparse fields and included resources.
import type { Catalog, PublishedResource } from '../../catalog/catalog.ts'
import { QUERY_CEILINGS } from '../../contract/query_ceilings.ts'
import type { Field } from '../../contract/resource.ts'
import { queryFields } from '../../contract/resource_fields.ts'
import type { OperatorName, StoredForm } from '../../contract/stored_form.ts'
import type { Components } from './components.ts'
import { kindSchema } from './components.ts'
import { componentName, type Node, type Reference } from './node.ts'
import { reachableFrom } from './resource_schemas.ts'

export const FILTER_PROSE = [
  'Filters are combined with and. `filter[f]=v` is `filter[f][eq]=v`; `lt`, `gt`, `lte` and `gte` are short for the comparisons.',
  'A list is written `filter[f][in][]=a&filter[f][in][]=b`.',
  'Groups hold whole filters: `filter[or][0][f]=v&filter[or][1][g][lt]=w`, nested as needed.',
].join(' ')

function filterParameters(components: Components, catalog: Catalog, resource: PublishedResource): Node[] {
  for (const type of [resource.type, ...reachableFrom(catalog, resource)])
    putFilter(components, catalog.related(type))
  return Object.entries(filtersOf(components, resource)).map(([name, schema]) => {
    const { description, ...rest } = schema
    return {
      name: `filter[${name}]`,
      in: 'query',
      description,
      style: 'deepObject',
      explode: true,
      schema: rest,
    }
  })
}

const nameOf = ({ type }: PublishedResource): string => `${componentName(type)}Filter`
const refTo = (name: string): Reference => ({ $ref: `#/components/schemas/${name}` })

/** The whole filter of a resource. Its schema refers to itself and to the filters of related resources. */
function putFilter(components: Components, resource: PublishedResource): void {
  const name = nameOf(resource)
  components.put('schemas', name, {
    type: 'object',
    description: `Of every ${resource.type} that all members hold for.`,
    properties: filtersOf(components, resource),
    maxProperties: QUERY_CEILINGS.filter_conditions,
  })
  components.put('schemas', `${name}Group`, {
    type: 'object',
    description: 'Whole filters, numbered from 0.',
    additionalProperties: refTo(name),
    maxProperties: QUERY_CEILINGS.filter_conditions,
  })
}

/** The filters of a resource by name, each with its description. */
function filtersOf(components: Components, resource: PublishedResource): Record<string, Node> {
  const name = nameOf(resource)
  const fields = Object.entries(queryFields(resource)).flatMap(([field, one]) => {
    const { stored } = one.kind
    if (one.filter !== true || stored === undefined) return []
    const owner = `${componentName(resource.type)}${componentName(field)}`
    return [[field, { ...fieldFilter(components, one, stored, owner), description: one.doc }] as const]
  })
  const related = Object.entries(resource.relationships).map(([relation, { target, many }]) => {
    const description = `What ${many ? 'one of its' : 'its'} ${relation} fulfils.`
    return [relation, { ...refTo(`${componentName(target)}Filter`), description }] as const
  })
  return {
    ...Object.fromEntries([...fields, ...related]),
    and: { ...refTo(`${name}Group`), description: 'All of these hold.' },
    or: { ...refTo(`${name}Group`), description: 'One of these holds, or more.' },
    not: { ...refTo(name), description: 'This does not hold.' },
  }
}

/** Either the value itself, or operators with their values. */
function fieldFilter(
  components: Components,
  { kind }: Field,
  { operators, longest }: StoredForm,
  owner: string,
): Node {
  const value = kind.isList ? textOf(longest) : withinNumbers(kindSchema(components, kind, { owner }))
  const name = kind.named.filter ?? owner
  const filter = components.put('schemas', `${name}Operators`, {
    type: 'object',
    properties: Object.fromEntries(
      operators.map((operator) => [
        operator,
        { ...operandSchema(operator, value, longest), description: MEANING[operator] },
      ]),
    ),
    minProperties: 1,
  })
  return operators.includes('eq')
    ? components.put('schemas', `${name}Filter`, {
        description: 'The value, or how to compare with it.',
        anyOf: [value, filter],
      })
    : filter
}

const MEANING: Readonly<Record<OperatorName, string>> = {
  eq: 'Equal.',
  not_eq: 'Not equal; null counts as different.',
  in: 'One of these.',
  is_nil: 'Whether it is null.',
  less_than: 'Before.',
  greater_than: 'Beyond.',
  less_than_or_equal: 'Before or equal.',
  greater_than_or_equal: 'Beyond or equal.',
  contains: 'Has this text somewhere.',
  string_starts_with: 'Begins with this text.',
  has: 'Has this member.',
}

/** The bounds of any number that a client can send, for fields without bounds of their own. */
const withinNumbers = (value: Node): Node =>
  value.type === 'integer'
    ? { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER, ...value }
    : value

const textOf = (longest: number): Node => ({ type: 'string', maxLength: longest })

function operandSchema(operator: OperatorName, value: Node, longest: number): Node {
  switch (operator) {
    case 'in':
      return { type: 'array', items: value, maxItems: QUERY_CEILINGS.in_values }
    case 'is_nil':
      return { type: 'boolean' }
    case 'contains':
    case 'string_starts_with':
      return textOf(longest)
    default:
      return value
  }
}

export const listParameters = (
  components: Components,
  catalog: Catalog,
  resource: PublishedResource,
): Node[] => [
  ...pageParameters(components, resource),
  ...sortParameters(resource),
  ...filterParameters(components, catalog, resource),
]

function pageParameters(components: Components, { page: { size, max, offset } }: PublishedResource): Node[] {
  const usual = size === 25 && max === 250
  const parameter = (name: string, schema: Node, description: string): Node => {
    const whole = { name: `page[${name}]`, in: 'query', description, schema }
    return name === 'limit' && !usual ? whole : components.put('parameters', `page.${name}`, whole)
  }
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

function sortParameters(resource: PublishedResource): Node[] {
  const names = Object.entries(queryFields(resource)).flatMap(([name, { sort }]) =>
    sort === true ? [name] : [],
  )
  return [
    {
      name: 'sort',
      in: 'query',
      description: `Most significant first, each field once; \`-\` means descending. The id decides ties, nulls stand last. Without it \`${resource.page.newestFirst ? '-id' : 'id'}\`.`,
      style: 'form',
      explode: false,
      schema: {
        type: 'array',
        items: { type: 'string', enum: names.flatMap((name) => [name, `-${name}`]) },
        minItems: 1,
        maxItems: QUERY_CEILINGS.sort_keys,
        uniqueItems: true,
      },
    },
  ]
}
