// The query parameters of lists: pages, sorts and filters.
import type { Catalog, PublishedResource } from '../../catalog/catalog.ts'
import { QUERY_CEILINGS } from '../../contract/query_ceilings.ts'
import { queryFields } from '../../contract/resource_fields.ts'
import type { Components } from './components.ts'
import { filterParameters } from './filter_parameters.ts'
import type { Node } from './node.ts'

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
