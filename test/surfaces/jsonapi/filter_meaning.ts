// What filters mean, said once more in JavaScript: the tests hold the SQL against it.
import type { Resource } from './documents.ts'

export type Tree = { readonly [name: string]: Tree | string | readonly string[] }

const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

type Meaning = (value: unknown, given: string) => boolean

/** Published values in the order of their kind: numbers as numbers, all else by its text (ASCII here). */
const compare = (value: unknown, given: string): number =>
  typeof value === 'number'
    ? value - Number(given)
    : String(value) < given
      ? -1
      : String(value) > given
        ? 1
        : 0

const present =
  (holds: Meaning): Meaning =>
  (value, given) =>
    value !== null && value !== undefined && holds(value, given)

const MEANINGS: Readonly<Record<string, Meaning>> = {
  eq: present((value, given) => compare(value, given) === 0),
  not_eq: (value, given) => value === null || compare(value, given) !== 0,
  less_than: present((value, given) => compare(value, given) < 0),
  greater_than: present((value, given) => compare(value, given) > 0),
  less_than_or_equal: present((value, given) => compare(value, given) <= 0),
  greater_than_or_equal: present((value, given) => compare(value, given) >= 0),
  is_nil: (value, given) => (value === null) === (given === 'true'),
  contains: present((value, given) => String(value).includes(given)),
  string_starts_with: present((value, given) => String(value).startsWith(given)),
  has: present((value, given) => Array.isArray(value) && value.includes(given)),
}

export const ALIASES: Readonly<Record<string, string>> = {
  lt: 'less_than',
  gt: 'greater_than',
  lte: 'less_than_or_equal',
  gte: 'greater_than_or_equal',
}

/** @param related the rows at the other end of a relationship, undefined for a name that is none */
export function matches(
  row: Resource,
  tree: Tree,
  related: (row: Resource, name: string) => readonly Resource[] | undefined,
): boolean {
  return Object.entries(tree).every(([name, value]) => {
    if (name === 'and' || name === 'or' || name === 'not') {
      const members = Object.values(value).map((member) => isTree(member) && matches(row, member, related))
      if (name === 'or') return members.some(Boolean)
      return members.every(Boolean) === (name === 'and')
    }
    const others = related(row, name)
    if (others !== undefined) return isTree(value) && others.some((other) => matches(other, value, related))
    return holds(name === 'id' ? row.id : row.attributes[name], value)
  })
}

function holds(actual: unknown, asked: Tree | string | readonly string[]): boolean {
  if (typeof asked === 'string') return MEANINGS.eq?.(actual, asked) === true
  return Object.entries(asked).every(([operator, given]: [string, unknown]) =>
    Array.isArray(given)
      ? given.some((one) => MEANINGS.eq?.(actual, String(one)) === true)
      : MEANINGS[ALIASES[operator] ?? operator]?.(actual, String(given)) === true,
  )
}

/** `filter[or][0][state]=created&…`, percent-encoded. */
export const filterQuery = (tree: Tree, at = 'filter'): string =>
  Object.entries(tree)
    .map(([name, value]) => {
      const here = `${at}[${name}]`
      if (typeof value === 'string') return `${encodeURIComponent(here)}=${encodeURIComponent(value)}`
      if (Array.isArray(value))
        return value
          .map((one) => `${encodeURIComponent(`${here}[]`)}=${encodeURIComponent(String(one))}`)
          .join('&')
      return isTree(value) ? filterQuery(value, here) : ''
    })
    .join('&')
