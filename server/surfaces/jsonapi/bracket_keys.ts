// Query parameters with brackets, `filter[or][0][state][in][]=a`, as a tree of plain objects.
import { refuse } from '../../kernel/refusal.ts'

export type QueryTree = { [name: string]: QueryTree | string | string[] }

/** So many parameters of one family; deeper or longer names are nobody's filter. */
const MAX_PARAMETERS = 400
const MAX_DEPTH = 12

/**
 * The tree under one family. A name that ends in `[]` collects a list. Objects have no prototype, so that no member
 * name means anything. @throws the family's code when a name is malformed, or is a value in one place and a tree in another
 */
export function bracketTree(query: URLSearchParams, family: 'filter'): QueryTree {
  const root: QueryTree = Object.create(null)
  let count = 0
  for (const [name, value] of query) {
    if (name !== family && !name.startsWith(`${family}[`)) continue
    const path = pathOf(name.slice(family.length))
    count += 1
    if (path === undefined || count > MAX_PARAMETERS)
      throw refuse('invalid_filter', { parameter: name.slice(0, 200) })
    put(root, path, value, name)
  }
  return root
}

/** `[a][b][]` → `['a', 'b', '']`; undefined when the brackets do not add up. */
function pathOf(brackets: string): string[] | undefined {
  if (!/^(\[[^[\]]*\])+$/.test(brackets)) return undefined
  const path = brackets.slice(1, -1).split('][')
  const isList = path.at(-1) === ''
  const named = isList ? path.slice(0, -1) : path
  return named.length === 0 || named.length > MAX_DEPTH || named.includes('') ? undefined : path
}

function put(root: QueryTree, path: readonly string[], value: string, name: string): void {
  const clash = () =>
    refuse('invalid_filter', { parameter: name.slice(0, 200), detail: 'is given twice in different forms' })
  const isList = path.at(-1) === ''
  const named = isList ? path.slice(0, -1) : path
  let at = root
  for (const step of named.slice(0, -1)) {
    const next: QueryTree[string] = at[step] ?? Object.create(null)
    if (typeof next === 'string' || Array.isArray(next)) throw clash()
    at[step] = next
    at = next
  }
  const last = named.at(-1) ?? ''
  const there = at[last]
  if (isList) {
    if (there !== undefined && !Array.isArray(there)) throw clash()
    at[last] = [...(there ?? []), value]
  } else {
    if (there !== undefined && typeof there !== 'string') throw clash()
    at[last] = value
  }
}
