// Parses query parameters with brackets, `filter[or][0][state][in][]=a`, into a tree of plain objects.
import { QUERY_CEILINGS } from '../../kernel/ceilings.ts'
import { refuse } from '../../kernel/refusal.ts'

type QueryTree = { [name: string]: QueryTree | string | string[] }

/** Of a parameter that takes one value: taking either of two would leave the other out in silence. */
export const REPEATED = 'is given more than once'

/** Of `filter[a]=1&filter[a][gt]=2`, in either order. */
const MIXED =
  'one name is given a value of its own and, in brackets after it, operators or numbers: give one or the other'

/** No valid filter is deeper: the filter's own depth, plus an operator and a list. */
const MAX_DEPTH = QUERY_CEILINGS.filter_depth + 4

/**
 * Returns the tree of one parameter family. A name that ends in `[]` collects a list, and so does the operator
 * `in` when it is given several times. The objects have no prototype, so that a member name such as
 * `__proto__` has no special meaning.
 * @throws the family's code when a name is malformed or repeated, or is a value in one place and a tree in another
 */
export function bracketTree(query: URLSearchParams, family: 'filter'): QueryTree {
  const root: QueryTree = Object.create(null)
  let count = 0
  for (const [name, value] of query) {
    if (name !== family && !name.startsWith(`${family}[`)) continue
    count += 1
    if (count > QUERY_CEILINGS.filter_parameters)
      throw refuse('invalid_filter', {
        parameter: family,
        detail: `takes at most ${QUERY_CEILINGS.filter_parameters} parameters`,
        meta: { maximum: QUERY_CEILINGS.filter_parameters },
      })
    const path = pathOf(name.slice(family.length))
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

const isTree = (there: QueryTree[string] | undefined): there is QueryTree =>
  typeof there === 'object' && !Array.isArray(there)

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
  const there = at[last]
  const isList = named.length < path.length || (last === LIST_OPERATOR && there !== undefined)
  if (isList) {
    const begun = typeof there === 'string' && last === LIST_OPERATOR ? [there] : (there ?? [])
    if (!Array.isArray(begun)) throw clash(isTree(there) ? MIXED : REPEATED)
    begun.push(value)
    at[last] = begun
  } else {
    if (there !== undefined) throw clash(isTree(there) ? MIXED : REPEATED)
    at[last] = value
  }
}
