// The query parameters of reads: known families are read strictly and all mistakes told at once, unknown names are ignored.
import type { PublishedResource } from '../../catalog/catalog.ts'
import type { Context } from '../../catalog/context.ts'
import { compileFilter, isLookup } from '../../contract/filter.ts'
import type { SortKey } from '../../contract/keyset.ts'
import type { Related } from '../../contract/load_related.ts'
import type { PageRequest } from '../../contract/page.ts'
import { sortKey, withTiebreaker } from '../../contract/resource_fields.ts'
import type { Shows } from '../../contract/row_columns.ts'
import { type Problem, problem, Refusal, refuseAny } from '../../kernel/refusal.ts'
import { literal } from '../../store/sql_text.ts'
import { bracketTree } from './bracket_keys.ts'

/** What a document is to show besides the resource itself. */
export interface Shape {
  /** Relationship paths, each a list of names. */
  readonly includes: readonly (readonly string[])[]
  /** Fields by type; a type that is not there shows its default fields. */
  readonly fields: ReadonlyMap<string, ReadonlySet<string>>
}

/** The fields of a resource that a document of this shape shows. */
export const showsOf = ({ type, fields }: PublishedResource, shape: Shape): Shows => {
  const wanted = shape.fields.get(type)
  return (name) => (wanted === undefined ? fields[name]?.onRequest !== true : wanted.has(name))
}

export interface QueryCollaborators {
  readonly resource: PublishedResource
  readonly context: Context
  readonly related: Related<Context>
}

/** What `get` and the answers of writes read. @throws every problem found, each naming its parameter */
export function readShape(query: URLSearchParams, collaborators: QueryCollaborators): Shape {
  const problems: Problem[] = []
  const shape = collectShape(query, collaborators, problems)
  refuseAny(problems)
  return shape
}

/** What lists read. @throws every problem found, each naming its parameter */
export function readList(
  query: URLSearchParams,
  collaborators: QueryCollaborators,
): { readonly shape: Shape; readonly request: PageRequest } {
  const { resource } = collaborators
  const problems: Problem[] = []
  const shape = collectShape(query, collaborators, problems)
  const position = readPosition(query, resource, problems)
  const sort = withTiebreaker(resource, readSort(query, resource, problems))
  const filter = collectFilter(query, collaborators, problems)
  refuseAny(problems)
  return { shape, request: { ...position, sort, ...filter } }
}

const collectShape = (
  query: URLSearchParams,
  { resource, related }: QueryCollaborators,
  problems: Problem[],
): Shape => ({
  includes: readIncludes(query, resource, related, problems),
  fields: readFields(query, related, problems),
})

function collectFilter(
  query: URLSearchParams,
  collaborators: QueryCollaborators,
  problems: Problem[],
): Pick<PageRequest, 'filter' | 'isLookup'> {
  try {
    const { resource } = collaborators
    const tree = bracketTree(query, 'filter')
    return { filter: compileFilter(resource, collaborators, tree), isLookup: isLookup(resource, tree) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    problems.push(...error.problems)
    return { filter: literal('false'), isLookup: false }
  }
}

/** So many sort keys, include paths and steps in one: more is a mistake, or no friend. */
const MOST = { sorts: 8, includes: 16, steps: 4 } as const

function readPosition(query: URLSearchParams, { page }: PublishedResource, problems: Problem[]) {
  const given = (name: string): string | undefined => query.getAll(`page[${name}]`).at(-1)
  const wrong = (name: string, detail: string) =>
    problems.push(problem('invalid_pagination', { parameter: `page[${name}]`, detail }))
  const limit = readInteger(given('limit'))
  if (limit !== undefined && !(limit >= 1)) wrong('limit', 'must be an integer of at least 1')
  const offset = readInteger(given('offset'))
  if (offset !== undefined && Number.isNaN(offset)) wrong('offset', 'must be a non-negative integer')
  else if (offset !== undefined && !page.offset)
    wrong('offset', 'is not supported on this list; follow links.next')
  const count = given('count')
  if (count !== undefined && count !== 'true' && count !== 'false') wrong('count', 'must be true or false')
  const after = given('after')
  const before = given('before')
  if (after !== undefined && before !== undefined) wrong('before', 'cannot be combined with page[after]')
  if (offset !== undefined && page.offset && (after ?? before) !== undefined)
    wrong('offset', 'cannot be combined with a cursor')
  return {
    limit: Math.min(limit ?? page.size, page.max),
    count: count === 'true',
    ...(after === undefined ? {} : { after }),
    ...(before === undefined ? {} : { before }),
    ...(offset === undefined ? {} : { offset: Math.min(offset, Number.MAX_SAFE_INTEGER) }),
  }
}

function readSort(query: URLSearchParams, resource: PublishedResource, problems: Problem[]): SortKey[] {
  const text = query.getAll('sort').at(-1)
  if (text === undefined) return []
  const words = text.split(',')
  const keys = words.map((word) => sortKey(resource, word.trim()))
  const known = keys.filter((key) => key !== undefined)
  const repeated = new Set(known.map(({ name }) => name)).size < known.length
  if (known.length < words.length || repeated || words.length > MOST.sorts)
    problems.push(problem('invalid_sort', { parameter: 'sort' }))
  return known
}

function readIncludes(
  query: URLSearchParams,
  resource: PublishedResource,
  related: Related<Context>,
  problems: Problem[],
): string[][] {
  const text = query.getAll('include').at(-1)
  if (text === undefined || text === '') return []
  const paths = text.split(',').map((path) => path.trim().split('.'))
  const wrong = (path: readonly string[]): boolean => {
    let at = resource
    for (const name of path) {
      const relationship = Object.hasOwn(at.relationships, name) ? at.relationships[name] : undefined
      if (relationship === undefined) return true
      at = related(relationship.target)
    }
    return path.length > MOST.steps
  }
  if (paths.length > MOST.includes || paths.some(wrong))
    problems.push(problem('invalid_includes', { parameter: 'include' }))
  return paths
}

function readFields(
  query: URLSearchParams,
  related: Related<Context>,
  problems: Problem[],
): Map<string, Set<string>> {
  const fields = new Map<string, Set<string>>()
  for (const [parameter, value] of query) {
    const type = /^fields\[([^[\]]*)\]$/.exec(parameter)?.[1]
    if (type === undefined) {
      if (parameter.startsWith('fields[') || parameter === 'fields')
        problems.push(problem('invalid_field', { parameter }))
      continue
    }
    const resource = publishedAs(type, related)
    const names = value === '' ? [] : value.split(',').map((name) => name.trim())
    const known = (name: string): boolean =>
      resource !== undefined &&
      (Object.hasOwn(resource.fields, name) || Object.hasOwn(resource.relationships, name))
    if (!names.every(known) || resource === undefined) problems.push(problem('invalid_field', { parameter }))
    fields.set(type, new Set(names))
  }
  return fields
}

/** `related` knows only types of our own making; this one comes from a client. */
function publishedAs(type: string, related: Related<Context>): PublishedResource | undefined {
  try {
    return related(type)
  } catch {
    return undefined
  }
}

/** Digits of any magnitude, clamped by whoever uses it; NaN for anything else, undefined when absent. */
const readInteger = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : /^\d+$/.test(text) ? Number(text) : Number.NaN
