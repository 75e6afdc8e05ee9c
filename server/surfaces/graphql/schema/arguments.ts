// The filter and sort inputs of every resource with paged lists. Reads the arguments of root fields into the form of the
// catalog: names, JSON texts, omitted values, filters and sorts. All mistakes are reported together, each with its
// argument.
import type { JsonValue } from '../../../../shared/proof/json_value.ts'
import { StrictJsonError } from '../../../../shared/proof/strict_json.ts'
import type { PublishedAction, PublishedResource } from '../../../catalog/catalog.ts'
import {
  judgeGiven,
  type ListCollaborators,
  type OperationOf,
  pageRequest,
  refuseNoted,
} from '../../../catalog/perform.ts'
import { type Accepts, type Attribute, InsteadOfRunning, type Passed } from '../../../contract/attribute.ts'
import type { FilterTree } from '../../../contract/filter.ts'
import { nullsFirst, type SortKey } from '../../../contract/keyset.ts'
import type { Kind } from '../../../contract/kind.ts'
import { filteredFields, sortKeys, sortNames } from '../../../contract/resource_fields.ts'
import { ORDER } from '../../../contract/stored_form.ts'
import { collectProblems, type Problems } from '../../../kernel/problems.ts'
import { problem, refuse } from '../../../kernel/refusal.ts'
import { type Arguments, addFields, enumType, inputType, type TypeClass } from './decorate.ts'
import type { GraphqlContext } from './graphql_context.ts'
import { camelCase, constantCase, pascalCase, reversible, snakeCase } from './names.ts'
import { type ReadText, SCALARS } from './scalars.ts'

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

const EQUALITY = ['eq', 'not_eq', 'in'] as const

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

const SORT_ORDERS = [
  'ASC',
  'ASC_NULLS_FIRST',
  'ASC_NULLS_LAST',
  'DESC',
  'DESC_NULLS_FIRST',
  'DESC_NULLS_LAST',
] as const

export type ListInputs = ReturnType<typeof listInputs>

export function listInputs(listed: readonly PublishedResource[]) {
  const byName = new Map(Object.entries(FILTERS).map(([name, of]) => [name, filterOf(name, of)]))
  const order = enumType('SortOrder', Object.fromEntries(SORT_ORDERS.map((name) => [name, name])))
  const inputs = new Map(
    listed.map((resource) => {
      const name = pascalCase(resource.type)
      const sortFields = sortNames(resource).map((field) => [constantCase(field), field])
      const filter = inputType(`${name}FilterInput`)
      const sort = inputType(`${name}SortInput`, {
        order: { type: order, nullable: true },
        field: { type: enumType(`${name}SortField`, Object.fromEntries(sortFields)) },
      })
      return [resource.type, { filter, sort }]
    }),
  )
  const inputsOf = (type: string) => {
    const found = inputs.get(type)
    if (found === undefined) throw new Error(`${type} is not listed in pages.`)
    return found
  }
  for (const resource of listed) {
    const { filter } = inputsOf(resource.type)
    const group = { type: filter, list: true, nullable: true }
    const fields = filteredFields(resource).map(({ name, kind }) => {
      const type = byName.get(filterNameOf(kind))
      if (type === undefined)
        throw new Error(`${resource.type}.${name} is filtered, and its kind has no operators.`)
      return [reversible(name), { type, nullable: true }] as const
    })
    const related = Object.entries(resource.relationships).flatMap(([name, { target }]) =>
      inputs.has(target)
        ? [[reversible(name), { type: inputsOf(target).filter, nullable: true }] as const]
        : [],
    )
    addFields(filter, { and: group, or: group, not: group, ...Object.fromEntries([...fields, ...related]) })
  }
  /** Returns the arguments of a list, in the order in which they are printed. */
  return ({ type }: PublishedResource) => ({
    sort: { type: inputsOf(type).sort, list: true, nullable: 'itemsAndList' as const },
    filter: { type: inputsOf(type).filter, nullable: true },
    first: { type: SCALARS.Int, nullable: true },
    after: { type: SCALARS.String, nullable: true },
    last: { type: SCALARS.Int, nullable: true },
    before: { type: SCALARS.String, nullable: true },
  })
}

/** The printed input keeps this order of operators. */
function filterOf(name: string, { scalar, operators }: (typeof FILTERS)[keyof typeof FILTERS]): TypeClass {
  const compared = operators.map((operator) => [
    camelCase(operator),
    { type: scalar, list: operator === 'in', nullable: true },
  ])
  return inputType(name, {
    isNil: { type: SCALARS.Boolean, nullable: true },
    ...Object.fromEntries(compared),
  })
}

const filterNameOf = ({ isList, graphql }: Kind): string =>
  isList ? 'FilterStringList' : graphql === 'ID' ? 'FilterId' : `Filter${graphql}`

/** @throws Refusal with every problem found; InsteadOfRunning */
export async function readInput(
  operation: OperationOf<'create' | 'update' | 'mutate'> | PublishedAction,
  given: Arguments,
  context: GraphqlContext,
): Promise<Passed<Accepts>> {
  const { accepts } = operation
  const problems = collectProblems(context.services.ceilings.problems)
  const read: Record<string, JsonValue> = {}
  const unreadable = new Set<string>()
  for (const [name, attribute] of Object.entries(accepts)) {
    const { kind, nullable } = attribute
    const value = given[camelCase(name)]
    // Generated clients send null for values that are not set. Null has a meaning only for nullable attributes.
    if (value === undefined || (value === null && !nullable)) continue
    const text = kind.graphql === 'JsonString' && typeof value === 'string'
    const json = text ? jsonOf(value, name, attribute, problems, context.readText) : (value as JsonValue)
    if (json === undefined) unreadable.add(name)
    else read[name] = json
  }
  const readable = Object.fromEntries(Object.entries(accepts).filter(([name]) => !unreadable.has(name)))
  const judging = { operation, context, problems }
  const attributes = await judgeGiven(judging, read, readable)
  await refuseNoted(judging, attributes)
  return attributes
}

function jsonOf(text: string, name: string, { outcome }: Attribute, problems: Problems, readText: ReadText) {
  try {
    return readText(text)
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error
    if (outcome !== undefined) throw new InsteadOfRunning(outcome(`is refused: ${error.message}`))
    const detail = error.message
    problems.note(problem('invalid_json', { path: [name], detail, meta: { reason: error.reason } }))
    return undefined
  }
}

/** @throws Refusal with every problem found */
export function readListArguments(given: Arguments, collaborators: ListCollaborators, count: boolean) {
  const { resource, context } = collaborators
  const asked = {
    position: () => ({ ...readPosition(given, resource), count }),
    sort: () => readSort(given.sort, resource),
    filter: () => (isObject(given.filter) ? asTree(given.filter) : {}),
  }
  return pageRequest(collaborators, asked, collectProblems(context.services.ceilings.problems))
}

/** `first` and `after` walk forwards, `last` and `before` backwards. A mix of both is refused. */
function readPosition({ first, after, last, before }: Arguments, { page }: PublishedResource) {
  const given = Object.entries({ first, after, last, before }).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [name],
  )
  for (const [one, other] of MIXED)
    if (given.includes(one) && given.includes(other))
      throw refuse('invalid_pagination', { parameter: other, detail: `cannot be combined with ${one}` })
  const backwards = given.includes('last')
  const limit = backwards ? readSize(last, 'last', page) : readSize(first, 'first', page)
  return {
    limit,
    ...(typeof after === 'string' ? { after } : {}),
    ...(typeof before === 'string' ? { before } : {}),
    ...(backwards && !given.includes('before') ? { fromEnd: true } : {}),
  }
}

const MIXED = [
  ['first', 'last'],
  ['first', 'before'],
  ['last', 'after'],
  ['after', 'before'],
] as const

/** Nulls come last in either direction, unless the client requests them first. */
function readSort(given: unknown, resource: PublishedResource): SortKey[] {
  const wanted = (Array.isArray(given) ? given : [])
    .filter(isObject)
    .map(({ field, order }) => ({ field: String(field), order: String(order ?? 'ASC') }))
  const words = wanted.map(({ field, order }) => `${order.startsWith('DESC') ? '-' : ''}${field}`)
  return sortKeys(resource, words, { parameter: 'sort' }).map((key, index) =>
    wanted[index]?.order.endsWith('NULLS_FIRST') === true ? nullsFirst(key) : key,
  )
}

/** Renames the input to the catalog's names. Operators and fields use the same spelling rule. */
function asTree(given: Arguments): FilterTree {
  const tree: Record<string, FilterTree[string]> = {}
  for (const [name, value] of Object.entries(given)) {
    // An omitted member may arrive as undefined.
    if (value === undefined) continue
    tree[snakeCase(name)] = Array.isArray(value)
      ? (value.map((one: unknown) => (isObject(one) ? asTree(one) : one)) as readonly FilterTree[])
      : isObject(value)
        ? asTree(value)
        : (value as string | number | boolean | null)
  }
  return tree
}

const isObject = (value: unknown): value is Arguments =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
