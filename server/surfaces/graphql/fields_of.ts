// The place a problem names, as the names a client of GraphQL used.
import type { Problem } from '../../kernel/refusal.ts'
import { camelCase } from './names.ts'

/** e.g. `['claims', 'hash_type']` stays so below `claims`, which is the client's own; `page[after]` is `after` here. */
export function fieldsOf({ path, parameter }: Pick<Problem, 'path' | 'parameter'>): string[] {
  if (path !== undefined) return path.map((name, index) => (index === 0 ? camelCase(name) : name))
  if (parameter === undefined) return []
  const names = parameter.split(/[[\]]+/).filter((name) => name !== '')
  return (names[0] === 'page' ? names.slice(1) : names).map(camelCase)
}
