// The query parameters of lists: pages, sorts, and one filter per field and operator.
import type { PublishedResource } from '../../catalog/catalog.ts'
import { queryFields } from '../../contract/resource_fields.ts'
import type { OperatorName } from '../../contract/stored_form.ts'
import { type Components, type Node, pascalCase } from './components.ts'
import { kindSchema } from './kind_schema.ts'

export function listParameters(components: Components, resource: PublishedResource): Node[] {
  return [
    ...pageParameters(components, resource),
    ...sortParameters(resource),
    ...filterParameters(components, resource),
  ]
}

/** What a list's description says about filters, since no parameter list can: groups and related resources. */
export function filterProse({ relationships }: PublishedResource): string {
  const related = Object.keys(relationships)
  return [
    'Filters are combined with and. `filter[f]=v` is `filter[f][eq]=v`; `lt`, `gt`, `lte` and `gte` are short for the comparisons.',
    'Groups: `filter[or][0][…]&filter[or][1][…]`, `filter[and][0][…]`, `filter[not][…]`, nested as needed.',
    ...(related.length === 0
      ? []
      : [
          `Fields of related resources: \`filter[${related[0]}][field]\` and its operators, for ${related.map((name) => `\`${name}\``).join(', ')}.`,
        ]),
  ].join(' ')
}

function pageParameters(components: Components, { page: { size, max, offset } }: PublishedResource): Node[] {
  const usual = size === 25 && max === 250
  const parameter = (name: string, schema: Node, description: string): Node => {
    const whole = { name: `page[${name}]`, in: 'query', description, schema }
    return name === 'limit' && !usual ? whole : components.put('parameters', `page.${name}`, whole)
  }
  return [
    parameter(
      'limit',
      { type: 'integer', minimum: 1, default: size },
      `Page size; more than ${max} counts as ${max}.`,
    ),
    parameter(
      'after',
      { type: 'string' },
      'Cursor of `links.next`; good only with the sort it was made under.',
    ),
    parameter('before', { type: 'string' }, 'Cursor of `links.prev`; not together with `page[after]`.'),
    ...(offset
      ? [parameter('offset', { type: 'integer', minimum: 0 }, 'Pages by position instead of by cursor.')]
      : []),
    parameter('count', { type: 'boolean', default: false }, '`true` adds `meta.page.total`.'),
  ]
}

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
        maxItems: 8,
        uniqueItems: true,
      },
    },
  ]
}

const MEANING: Readonly<Record<OperatorName, string>> = {
  eq: 'Equal.',
  not_eq: 'Not equal; null counts as different.',
  in: 'One of these, at most 250.',
  is_nil: 'Whether it is null.',
  less_than: 'Before.',
  greater_than: 'Beyond.',
  less_than_or_equal: 'Before or equal.',
  greater_than_or_equal: 'Beyond or equal.',
  contains: 'Has this text somewhere.',
  string_starts_with: 'Begins with this text.',
  has: 'Has this member.',
}

function filterParameters(components: Components, resource: PublishedResource): Node[] {
  return Object.entries(queryFields(resource)).flatMap(([name, { kind, filter, doc }]) => {
    if (filter !== true || kind.stored === undefined) return []
    const owner = `${pascalCase(resource.type)}${pascalCase(name)}`
    const value = kind.isList ? { type: 'string' } : kindSchema(components, kind, { owner })
    const { operators } = kind.stored
    return [
      ...(operators.includes('eq')
        ? [{ name: `filter[${name}]`, in: 'query', description: doc, schema: value }]
        : []),
      ...operators.map((operator) => ({
        name: `filter[${name}][${operator}]${operator === 'in' ? '[]' : ''}`,
        in: 'query',
        description: MEANING[operator],
        schema: operandSchema(operator, value),
      })),
    ]
  })
}

function operandSchema(operator: OperatorName, value: Node): Node {
  switch (operator) {
    case 'in':
      return { type: 'array', items: value, maxItems: 250 }
    case 'is_nil':
      return { type: 'boolean' }
    case 'contains':
    case 'string_starts_with':
      return { type: 'string' }
    default:
      return value
  }
}
