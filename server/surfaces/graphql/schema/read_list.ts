// Reads the arguments of a list strictly. All mistakes are reported together, each with its argument.
import type { PublishedResource } from '../../../catalog/catalog.ts'
import type { Context } from '../../../catalog/context.ts'
import { compileFilter, type FilterTree } from '../../../contract/filter.ts'
import { nullsFirst, type SortKey } from '../../../contract/keyset.ts'
import type { Related } from '../../../contract/load_related.ts'
import type { PageRequest } from '../../../contract/page.ts'
import { QUERY_CEILINGS } from '../../../contract/query_ceilings.ts'
import { sortKey, withTiebreaker } from '../../../contract/resource_fields.ts'
import { collectProblems } from '../../../kernel/problems.ts'
import { problem, Refusal } from '../../../kernel/refusal.ts'
import type { Arguments } from './decorate.ts'
import { readSize, type SORT_ORDERS } from './list_inputs.ts'
import { snakeCase } from './names.ts'

interface ListCollaborators {
  readonly resource: PublishedResource
  readonly context: Context
  readonly related: Related<Context>
}

/** @throws Refusal with every problem found */
export function readListArguments(
  given: Arguments,
  collaborators: ListCollaborators,
  count: boolean,
): PageRequest {
  const { resource, context } = collaborators
  const problems = collectProblems(context.services.ceilings.problems)
  const position = problems.attempt(() => readPosition(given, resource))
  const sort = problems.attempt(() => readSort(given.sort, resource))
  const tree = isObject(given.filter) ? asTree(given.filter) : {}
  const filter = problems.attempt(() => compileFilter(resource, collaborators, tree))
  problems.refuse()
  if (position === undefined || sort === undefined || filter === undefined) throw new Refusal(problems.all())
  return {
    ...position,
    sort: withTiebreaker(resource, sort),
    filter,
    count,
  }
}

/** `first` and `after` walk forwards, `last` and `before` backwards. A mix of both is refused. */
function readPosition({ first, after, last, before }: Arguments, { page }: PublishedResource) {
  const given = Object.entries({ first, after, last, before }).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [name],
  )
  for (const [one, other] of MIXED)
    if (given.includes(one) && given.includes(other))
      throw new Refusal([
        problem('invalid_pagination', { parameter: other, detail: `cannot be combined with ${one}` }),
      ])
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

function readSort(given: unknown, resource: PublishedResource): SortKey[] {
  const wanted: readonly unknown[] = Array.isArray(given) ? given : []
  const maximum = QUERY_CEILINGS.sort_keys
  if (wanted.length > maximum) throw wrongSort(`names at most ${maximum}`, { maximum })
  const keys = wanted.filter(isObject).map(({ field, order }) => keyOf(resource, field, order))
  if (new Set(keys.map(({ name }) => name)).size < keys.length) throw wrongSort('names a field twice')
  return keys
}

/** Nulls come last in either direction, unless the client requests them first. */
function keyOf(resource: PublishedResource, field: unknown, order: unknown): SortKey {
  const given = (order ?? 'ASC') as (typeof SORT_ORDERS)[number]
  const key = sortKey(resource, `${given.startsWith('DESC') ? '-' : ''}${String(field)}`)
  if (key === undefined) throw wrongSort('is not a sortable field')
  return given.endsWith('NULLS_FIRST') ? nullsFirst(key) : key
}

const wrongSort = (detail: string, meta = {}): Refusal =>
  new Refusal([problem('invalid_sort', { parameter: 'sort', detail, meta })])

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
