// The arguments of a list, read strictly: every mistake is told at once, each naming its argument.
import type { PublishedResource } from '../../catalog/catalog.ts'
import type { Context } from '../../catalog/context.ts'
import { compileFilter, type FilterTree, isLookup } from '../../contract/filter.ts'
import type { SortKey } from '../../contract/keyset.ts'
import type { Related } from '../../contract/load_related.ts'
import type { PageRequest } from '../../contract/page.ts'
import { sortKey, withTiebreaker } from '../../contract/resource_fields.ts'
import { type Problem, problem, Refusal, refuseAny } from '../../kernel/refusal.ts'
import type { Arguments } from './decorate.ts'
import type { SORT_ORDERS } from './list_inputs.ts'
import { snakeCase } from './names.ts'
import { readSize } from './page_size.ts'

export interface ListCollaborators {
  readonly resource: PublishedResource
  readonly context: Context
  readonly related: Related<Context>
}

/** So many sort keys: more is a mistake, or no friend. */
const MOST_SORTS = 8

/** @throws every problem found */
export function readList(given: Arguments, collaborators: ListCollaborators, count: boolean): PageRequest {
  const { resource } = collaborators
  const problems: Problem[] = []
  const position = collect(problems, () => readPosition(given, resource))
  const sort = collect(problems, () => readSort(given.sort, resource))
  const tree = isObject(given.filter) ? asTree(given.filter) : {}
  const filter = collect(problems, () => compileFilter(resource, collaborators, tree))
  refuseAny(problems)
  if (position === undefined || sort === undefined || filter === undefined) throw new Refusal(problems)
  return {
    ...position,
    sort: withTiebreaker(resource, sort),
    filter,
    isLookup: isLookup(resource, tree),
    count,
  }
}

/** `first` and `after` walk forwards, `last` and `before` backwards; what mixes the two ways is refused. */
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
  const wanted = (Array.isArray(given) ? given : []).filter(isObject)
  const keys = wanted.map(({ field, order }) => keyOf(resource, field, order))
  const repeated = new Set(keys.map(({ name }) => name)).size < keys.length
  if (repeated || keys.length > MOST_SORTS) throw wrongSort('names a field twice, or too many')
  return keys
}

/** Nulls stand last, whichever way a list is sorted; another place for them can be had only where there are none. */
function keyOf(resource: PublishedResource, field: unknown, order: unknown): SortKey {
  const given = (order ?? 'ASC') as (typeof SORT_ORDERS)[number]
  const key = sortKey(resource, `${given.startsWith('DESC') ? '-' : ''}${String(field)}`)
  if (key === undefined) throw wrongSort('is not a sortable field')
  if (key.nullable && given.endsWith('NULLS_FIRST')) throw wrongSort('nulls stand last')
  return key
}

const wrongSort = (detail: string): Refusal =>
  new Refusal([problem('invalid_sort', { parameter: 'sort', detail })])

/** The input under the names of the catalog; operators and fields are spelled the same way. */
function asTree(given: Arguments): FilterTree {
  const tree: Record<string, FilterTree[string]> = {}
  for (const [name, value] of Object.entries(given)) {
    // What a client leaves out may arrive as undefined.
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

function collect<T>(problems: Problem[], work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    problems.push(...error.problems)
    return undefined
  }
}
