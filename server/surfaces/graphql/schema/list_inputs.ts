// The filter and sort inputs of every resource with paged lists.
import type { PublishedResource } from '../../../catalog/catalog.ts'
import type { Kind } from '../../../contract/kind.ts'
import { filteredFields, sortNames } from '../../../contract/resource_fields.ts'
import { refuse } from '../../../kernel/refusal.ts'
import { addField, enumType, inputType, lazy, type Slot, type TypeClass } from './decorate.ts'
import { camelCase, constantCase, pascalCase, reversible } from './names.ts'
import { SCALARS } from './scalars.ts'

/** Returns the default when no number was sent, and at most `max`. @throws invalid_pagination below 1 */
export function readSize(
  asked: unknown,
  argument: string,
  { size, max }: { readonly size: number; readonly max: number },
): number {
  if (typeof asked !== 'number') return size
  if (asked < 1)
    throw refuse('invalid_pagination', {
      parameter: argument,
      detail: 'must be at least 1',
      meta: { minimum: 1, value: asked },
    })
  return Math.min(asked, max)
}

export interface ListInputs {
  /** Returns the arguments of a list, in the order in which they are printed. */
  readonly of: (resource: PublishedResource) => Readonly<Record<string, Slot>>
}

const EQUALITY = ['eq', 'not_eq', 'in'] as const
const ORDER = ['less_than', 'greater_than', 'less_than_or_equal', 'greater_than_or_equal'] as const

/** One input per set of operators that a kind of value supports. */
const FILTERS = {
  FilterId: { scalar: SCALARS.ID, operators: [...EQUALITY, ...ORDER] },
  FilterString: {
    scalar: SCALARS.String,
    operators: [...EQUALITY, 'contains', 'string_starts_with', ...ORDER],
  },
  FilterBoolean: { scalar: SCALARS.Boolean, operators: EQUALITY },
  FilterInt: { scalar: SCALARS.Int, operators: [...EQUALITY, ...ORDER] },
  FilterDateTime: { scalar: SCALARS.DateTime, operators: [...EQUALITY, ...ORDER] },
  FilterStringList: { scalar: SCALARS.String, operators: ['has'] },
} as const satisfies Record<string, { scalar: object; operators: readonly string[] }>

type FilterName = keyof typeof FILTERS

const SORT_ORDERS = [
  'ASC',
  'ASC_NULLS_FIRST',
  'ASC_NULLS_LAST',
  'DESC',
  'DESC_NULLS_FIRST',
  'DESC_NULLS_LAST',
] as const

export function listInputs(listed: readonly PublishedResource[]): ListInputs {
  const byName = new Map(Object.keys(FILTERS).map((name) => [name, filterOf(name as FilterName)]))
  const order = enumType('SortOrder', Object.fromEntries(SORT_ORDERS.map((name) => [name, name])))
  const inputs = new Map(
    listed.map(({ type }) => [
      type,
      {
        filter: inputType(`${pascalCase(type)}FilterInput`),
        sort: inputType(`${pascalCase(type)}SortInput`),
      },
    ]),
  )
  const inputsOf = (type: string) => {
    const found = inputs.get(type)
    if (found === undefined) throw new Error(`${type} is not listed in pages.`)
    return found
  }
  for (const resource of listed) {
    const { filter, sort } = inputsOf(resource.type)
    for (const group of ['and', 'or', 'not'])
      addField(filter, group, lazy({ type: filter, list: true, nullable: true }))
    for (const { name, kind } of filteredFields(resource))
      addField(filter, reversible(name), {
        type: () => byName.get(filterNameOf(kind)) ?? SCALARS.String,
        nullable: true,
      })
    for (const [name, { target }] of Object.entries(resource.relationships))
      if (inputs.has(target))
        addField(filter, reversible(name), { type: () => inputsOf(target).filter, nullable: true })
    addField(sort, 'order', lazy({ type: order, nullable: true }))
    const sortFields = Object.fromEntries(sortNames(resource).map((name) => [constantCase(name), name]))
    addField(sort, 'field', lazy({ type: enumType(`${pascalCase(resource.type)}SortField`, sortFields) }))
  }
  return Object.freeze({
    of: ({ type }: PublishedResource) => ({
      sort: { type: inputsOf(type).sort, list: true, nullable: 'itemsAndList' as const },
      filter: { type: inputsOf(type).filter, nullable: true },
      first: { type: SCALARS.Int, nullable: true },
      after: { type: SCALARS.String, nullable: true },
      last: { type: SCALARS.Int, nullable: true },
      before: { type: SCALARS.String, nullable: true },
    }),
  })
}

/** The printed input keeps this order of operators. */
function filterOf(name: FilterName): TypeClass {
  const { scalar, operators } = FILTERS[name]
  const Type = inputType(name)
  addField(Type, 'isNil', lazy({ type: SCALARS.Boolean, nullable: true }))
  for (const operator of operators)
    addField(Type, camelCase(operator), lazy({ type: scalar, list: operator === 'in', nullable: true }))
  return Type
}

function filterNameOf(kind: Kind): FilterName {
  if (kind.isList) return 'FilterStringList'
  switch (kind.graphql) {
    case 'ID':
      return 'FilterId'
    case 'Boolean':
      return 'FilterBoolean'
    case 'Int':
      return 'FilterInt'
    case 'DateTime':
      return 'FilterDateTime'
    default:
      return 'FilterString'
  }
}
