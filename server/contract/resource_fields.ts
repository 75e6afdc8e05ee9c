// The fields of a resource in queries: which can be filtered or sorted. Each has its column's name.
import { QUERY_CEILINGS } from '../kernel/ceilings.ts'
import { type ProblemParts, refuse } from '../kernel/refusal.ts'
import type { SortKey } from './keyset.ts'
import { type Field, ID_FIELD_DOC, type Resource } from './resource.ts'

/** What queries have to know of a resource. */
export type Queried = Pick<Resource<object, never>, 'id' | 'fields' | 'relationships' | 'page'>

/** The id counts as a field of every resource, although documents show it separately. */
export const queryFields = ({ id, fields }: Queried): Readonly<Record<string, Field>> => ({
  id: { kind: id, doc: ID_FIELD_DOC, nullable: false, filter: true, sort: true },
  ...fields,
})

/** The names that `fields[type]` may contain. Their number is also the most that one request may name. */
export const fieldNames = ({ fields, relationships }: Queried): readonly string[] => [
  ...Object.keys(fields),
  ...Object.keys(relationships),
]

/** The fields that a filter may compare, each with its name and with how its values are stored. */
export const filteredFields = (resource: Queried) =>
  Object.entries(queryFields(resource)).flatMap(([name, field]) => {
    const { stored } = field.kind
    return field.filter === true && stored !== undefined ? [{ ...field, name, stored }] : []
  })

/** Returns the field with this name, or undefined when it does not exist or cannot be filtered by. */
export const filterableField = (resource: Queried, name: string) =>
  filteredFields(resource).find((field) => field.name === name)

/** What a filter may name: fields and related resources. */
export const filterNames = (resource: Queried): string[] => [
  ...filteredFields(resource).map(({ name }) => name),
  ...Object.keys(resource.relationships),
]

/** The fields that a list may be sorted by. */
export const sortNames = (resource: Queried): string[] =>
  Object.keys(queryFields(resource)).filter((name) => sortKey(resource, name) !== undefined)

/** Returns the key of one `sort` word such as `-inserted_at`, or undefined when the field cannot be sorted by. */
export function sortKey(resource: Queried, word: string): SortKey | undefined {
  const descending = word.startsWith('-')
  const name = word.replace(/^[-+]/, '')
  const fields = queryFields(resource)
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined
  if (field?.sort !== true || field.kind.stored === undefined) return undefined
  return {
    name,
    column: `r.${name}`,
    stored: field.kind.stored,
    nullable: field.nullable,
    descending,
    nullsFirst: false,
  }
}

/** The words of a comma-separated `sort`, at most one more than there may be. */
export const sortWords = (text: string): string[] =>
  text.split(',', QUERY_CEILINGS.sort_keys + 1).map((word) => word.trim())

/**
 * The keys of the words of a `sort`. Nulls come last.
 * @param at where the client wrote them
 * @throws invalid_sort, with what there is
 */
export function sortKeys(
  resource: Queried,
  words: readonly string[],
  at: Pick<ProblemParts, 'parameter' | 'path'>,
): SortKey[] {
  const maximum = QUERY_CEILINGS.sort_keys
  if (words.length > maximum)
    throw refuse('invalid_sort', { ...at, detail: `names at most ${maximum}`, meta: { maximum } })
  const keys = words.flatMap((word) => sortKey(resource, word) ?? [])
  if (keys.length < words.length) {
    const valid = sortNames(resource)
    throw refuse('invalid_sort', {
      ...at,
      detail: `is not a sortable field; there are ${valid.join(', ')}`,
      meta: { valid },
    })
  }
  if (new Set(keys.map(({ name }) => name)).size < keys.length)
    throw refuse('invalid_sort', { ...at, detail: 'names a field twice' })
  return keys
}

/** Completes a sort with the id as its last key, in the direction of the key before it. */
export function withTiebreaker(resource: Queried, keys: readonly SortKey[]): readonly SortKey[] {
  if (keys.some(({ name }) => name === 'id'))
    return keys.slice(0, keys.findIndex(({ name }) => name === 'id') + 1)
  const last = keys.at(-1)
  const descending = last === undefined || last.descending
  const id = sortKey(resource, descending ? '-id' : 'id')
  return id === undefined ? keys : [...keys, id]
}
