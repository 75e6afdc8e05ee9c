// Reads the arguments of root fields into the form of the catalog: names, JSON texts, omitted values, filters and sorts.
// All mistakes are reported together, each with its argument.
import type { JsonValue } from '../../../../shared/proof/json_value.ts'
import { StrictJsonError } from '../../../../shared/proof/strict_json_error.ts'
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
import type { PageRequest } from '../../../contract/page.ts'
import { sortKeys } from '../../../contract/resource_fields.ts'
import { collectProblems, type Problems } from '../../../kernel/problems.ts'
import { problem, refuse } from '../../../kernel/refusal.ts'
import type { Arguments } from './decorate.ts'
import type { GraphqlContext } from './graphql_context.ts'
import { readSize } from './list_inputs.ts'
import { camelCase, snakeCase } from './names.ts'
import type { ReadText } from './scalars.ts'

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

function jsonOf(
  text: string,
  name: string,
  { outcome }: Attribute,
  problems: Problems,
  readText: ReadText,
): JsonValue | undefined {
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
export function readListArguments(
  given: Arguments,
  collaborators: ListCollaborators,
  count: boolean,
): PageRequest {
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
