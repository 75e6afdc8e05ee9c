// The filters of a resource: each as a parameter, and all of them as a schema that refers to itself and to the filters
// of related resources.
import type { PublishedResource } from '../../catalog/catalog.ts'
import { filteredFields } from '../../contract/resource_fields.ts'
import type { OperatorName } from '../../contract/stored_form.ts'
import { QUERY_CEILINGS } from '../../kernel/ceilings.ts'
import { type Components, componentName, type Node, refTo } from './components.ts'
import { reachableFrom } from './resource_schemas.ts'

export const FILTER_PROSE = [
  'Filters are combined with and. `filter[f]=v` is `filter[f][eq]=v`; `lt`, `gt`, `lte` and `gte` are short for the comparisons.',
  'A list is written `filter[f][in][]=a&filter[f][in][]=b`.',
  'Groups hold whole filters: `filter[or][0][f]=v&filter[or][1][g][lt]=w`, nested as needed.',
].join(' ')

export function filterParameters(components: Components, resource: PublishedResource): Node[] {
  const { catalog } = components
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

const nameOf = (type: string): string => `${componentName(type)}Filter`

function putFilter(components: Components, resource: PublishedResource): void {
  const name = nameOf(resource.type)
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
  const name = nameOf(resource.type)
  const fields = filteredFields(resource).map((field) => {
    const owner = componentName(`${resource.type}_${field.name}`)
    return [field.name, { ...fieldFilter(components, field, owner), description: field.doc }] as const
  })
  const related = Object.entries(resource.relationships).map(([relation, { target, many }]) => {
    const description = `What ${many ? 'one of its' : 'its'} ${relation} fulfils.`
    return [relation, { ...refTo(nameOf(target)), description }] as const
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
  { kind, stored: { operators, longest } }: ReturnType<typeof filteredFields>[number],
  owner: string,
): Node {
  const value = kind.isList ? textOf(longest) : withinNumbers(components.value({ kind }, owner))
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
