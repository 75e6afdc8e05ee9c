// Reads query parameters. Known families are read strictly and all their mistakes are reported;
// unknown names are ignored.
import { readOrUndefined } from '../../../shared/proof/bytes.ts'
import type { PublishedResource } from '../../catalog/catalog.ts'
import { type ListCollaborators, pageRequest } from '../../catalog/perform.ts'
import type { SortKey } from '../../contract/keyset.ts'
import { fieldNames, sortKeys, sortWords } from '../../contract/resource_fields.ts'
import type { Shows } from '../../contract/row_columns.ts'
import { QUERY_CEILINGS } from '../../kernel/ceilings.ts'
import { kept } from '../../kernel/lru.ts'
import type { Problems } from '../../kernel/problems.ts'
import { noMoreThan, type ProblemParts, problem, refuse } from '../../kernel/refusal.ts'

/** What a document shows beside the resource itself. */
export interface Shape {
  /** Relationship paths, each a list of names. */
  readonly includes: readonly (readonly string[])[]
  /** Field names by type. A type that is absent shows its default fields. */
  readonly fields: ReadonlyMap<string, ReadonlySet<string>>
}

/** Returns a predicate for the fields that a document of this shape shows. */
export const showsOf = ({ type, fields }: PublishedResource, shape: Shape): Shows => {
  const wanted = shape.fields.get(type)
  return (name) => (wanted === undefined ? fields[name]?.onRequest !== true : wanted.has(name))
}

/** Reads the parameters that shape the document of a `get` or a write. Every mistake is noted with its parameter. */
export const readShape = (query: URLSearchParams, shown: Shown, problems: Problems): Shape => ({
  includes: readIncludes(query, shown, problems),
  fields: readFields(query, shown, problems),
})

/** The resource that a document shows, and how to find those that it is related to. */
type Shown = Omit<ListCollaborators, 'context'>

/** Reads the parameters of a list. @throws Refusal with every noted problem, each with its parameter */
export function readList(query: URLSearchParams, collaborators: ListCollaborators, problems: Problems) {
  const { resource } = collaborators
  const shape = readShape(query, collaborators, problems)
  const asked = {
    position: () => readPosition(query, resource, problems),
    sort: () => readSort(query, resource),
    filter: () => filterTree(query),
  }
  return { shape, request: pageRequest(collaborators, asked, problems) }
}

function readPosition(query: URLSearchParams, { page }: PublishedResource, problems: Problems) {
  const given = (name: string): string | undefined => query.get(`page[${name}]`) ?? undefined
  const wrong = (name: string, detail: string, meta = {}) =>
    problems.note(problem('invalid_pagination', { parameter: `page[${name}]`, detail, meta }))
  for (const name of ['limit', 'offset', 'count', 'after', 'before'])
    if (query.getAll(`page[${name}]`).length > 1) wrong(name, REPEATED)
  const limit = readInteger(given('limit'))
  if (limit !== undefined && !(limit >= 1))
    wrong('limit', 'must be an integer of at least 1', { minimum: 1, ...shown(given('limit')) })
  const offset = readInteger(given('offset'))
  if (offset !== undefined && Number.isNaN(offset))
    wrong('offset', 'must be a non-negative integer', { minimum: 0, ...shown(given('offset')) })
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

/** The client's value, when it is short enough to repeat in a refusal. */
const shown = (text = ''): { readonly value?: string } =>
  text.length <= LONGEST_SHOWN ? { value: text } : {}
const LONGEST_SHOWN = 32

/** Joins a parameter that is repeated once per word, as some clients write it, into one comma-separated list. */
function together(query: URLSearchParams, name: string): string | undefined {
  const texts = query.getAll(name)
  return texts.length < 2 ? texts[0] : texts.filter((text) => text !== '').join(',')
}

/** Splits a list into words. It counts them before it looks at them. */
function listed(
  text: string,
  maximum: number,
  code: 'invalid_includes' | 'invalid_field',
  parameter: string,
): string[] {
  const words = text.split(',', maximum + 1)
  if (words.length > maximum)
    throw refuse(code, { parameter, detail: `names at most ${maximum}`, meta: { maximum } })
  return words.map((word) => word.trim())
}

function readSort(query: URLSearchParams, resource: PublishedResource): SortKey[] {
  const text = together(query, 'sort')
  return text === undefined ? [] : sortKeys(resource, sortWords(text), { parameter: 'sort' })
}

function readIncludes(query: URLSearchParams, { resource, related }: Shown, problems: Problems): string[][] {
  const text = together(query, 'include')
  if (text === undefined || text === '') return []
  const { includes, include_steps: maximum } = QUERY_CEILINGS
  const paths = problems.attempt(() => listed(text, includes, 'invalid_includes', 'include')) ?? []
  const steps = paths.map((path) => path.split('.', maximum + 1))
  const isKnown = (path: readonly string[]): boolean => {
    let at = resource
    for (const name of path) {
      const relationship = Object.hasOwn(at.relationships, name) ? at.relationships[name] : undefined
      if (relationship === undefined) return false
      at = related(relationship.target)
    }
    return true
  }
  const wrong = (parts: ProblemParts = {}) =>
    problems.note(problem('invalid_includes', { ...parts, parameter: 'include' }))
  if (!steps.every((path) => isKnown(path.slice(0, maximum)))) wrong()
  else if (steps.some((path) => path.length > maximum))
    wrong(noMoreThan('goes on for', maximum, 'relationships'))
  else if (relationshipsIn(steps) > QUERY_CEILINGS.include_relationships)
    wrong(noMoreThan('follows', QUERY_CEILINGS.include_relationships, 'relationships in all'))
  return steps
}

/** Counts each shared prefix once, because each relationship is read once. */
const relationshipsIn = (paths: readonly (readonly string[])[]): number =>
  new Set(paths.flatMap((path) => path.map((_, index) => path.slice(0, index + 1).join('.')))).size

function readFields(query: URLSearchParams, { related }: Shown, problems: Problems) {
  const fields = new Map<string, Set<string>>()
  for (const [parameter, value] of query) {
    if (parameter !== 'fields' && !parameter.startsWith('fields[')) continue
    const type = /^fields\[([^[\]]*)\]$/.exec(parameter)?.[1]
    // The type comes from a client, so it may be unknown.
    const resource = type === undefined ? undefined : readOrUndefined(() => related(type))
    if (type === undefined || resource === undefined) {
      problems.note(problem('invalid_field', { parameter }))
      continue
    }
    const known: ReadonlySet<string> = new Set(fieldNames(resource))
    const names =
      value === ''
        ? []
        : (problems.attempt(() => listed(value, known.size, 'invalid_field', parameter)) ?? [])
    if (!names.every((name) => known.has(name))) problems.note(problem('invalid_field', { parameter }))
    const named = kept(fields, type, () => new Set<string>())
    for (const name of names) named.add(name)
  }
  return fields
}

/** Parses digits of any magnitude; the caller clamps the number. NaN for anything else, undefined when absent. */
const readInteger = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : /^\d+$/.test(text) ? Number(text) : Number.NaN

type QueryTree = { [name: string]: QueryTree | string | string[] }

/** Of a parameter that takes one value: taking either of two would leave the other out in silence. */
export const REPEATED = 'is given more than once'

/** Of `filter[a]=1&filter[a][gt]=2`, in either order. */
const MIXED =
  'one name is given a value of its own and, in brackets after it, operators or numbers: give one or the other'

/** No valid filter is deeper: the filter's own depth, plus an operator and a list. */
const MAX_DEPTH = QUERY_CEILINGS.filter_depth + 4

/**
 * Parses the parameters with brackets, `filter[or][0][state][in][]=a`, into a tree of plain objects. A name that ends in `[]` collects a list, and so does the operator
 * `in` when it is given several times. The objects have no prototype, so that a member name such as
 * `__proto__` has no special meaning.
 * @throws invalid_filter when a name is malformed or repeated, or is a value in one place and a tree in another
 */
function filterTree(query: URLSearchParams): QueryTree {
  const root: QueryTree = Object.create(null)
  let count = 0
  for (const [name, value] of query) {
    if (name !== 'filter' && !name.startsWith('filter[')) continue
    count += 1
    if (count > QUERY_CEILINGS.filter_parameters)
      throw refuse(
        'invalid_filter',
        noMoreThan('takes', QUERY_CEILINGS.filter_parameters, 'parameters', { parameter: 'filter' }),
      )
    const path = pathOf(name.slice('filter'.length))
    if (path === undefined) throw refuse('invalid_filter', { parameter: name })
    put(root, path, value, name)
  }
  return root
}

/** `[a][b][]` → `['a', 'b', '']`; undefined when the brackets are malformed. */
function pathOf(brackets: string): string[] | undefined {
  if (!/^(\[[^[\]]*\])+$/.test(brackets)) return undefined
  const path = brackets.slice(1, -1).split('][')
  const isList = path.at(-1) === ''
  const named = isList ? path.slice(0, -1) : path
  return named.length === 0 || named.length > MAX_DEPTH || named.includes('') ? undefined : path
}

const LIST_OPERATOR = 'in'

const isTree = (value: QueryTree[string] | undefined): value is QueryTree =>
  typeof value === 'object' && !Array.isArray(value)

function put(root: QueryTree, path: readonly string[], value: string, name: string): void {
  const clash = (detail: string) => refuse('invalid_filter', { parameter: name, detail })
  const named = path.at(-1) === '' ? path.slice(0, -1) : path
  let at = root
  for (const step of named.slice(0, -1)) {
    const next: QueryTree[string] = at[step] ?? Object.create(null)
    if (!isTree(next)) throw clash(MIXED)
    at[step] = next
    at = next
  }
  const last = named.at(-1) ?? ''
  const known = at[last]
  const isList = named.length < path.length || (last === LIST_OPERATOR && known !== undefined)
  if (isList) {
    const list = typeof known === 'string' && last === LIST_OPERATOR ? [known] : (known ?? [])
    if (!Array.isArray(list)) throw clash(isTree(known) ? MIXED : REPEATED)
    list.push(value)
    at[last] = list
  } else {
    if (known !== undefined) throw clash(isTree(known) ? MIXED : REPEATED)
    at[last] = value
  }
}
