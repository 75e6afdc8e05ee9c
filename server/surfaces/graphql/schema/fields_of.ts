// Converts the place of a problem to the names that GraphQL clients use.
import type { Problem } from '../../../kernel/refusal.ts'
import { camelCase } from './names.ts'

/**
 * Names below the first stay unchanged: in `['claims', 'hash_type']`, `hash_type` is the client's own name.
 * `page[after]` becomes `after`.
 */
export function fieldsOf({ path, parameter }: Pick<Problem, 'path' | 'parameter'>): string[] {
  if (path !== undefined) return path.map((name, index) => (index === 0 ? camelCase(name) : name))
  if (parameter === undefined) return []
  const names = parameter.split(/[[\]]+/).filter((name) => name !== '')
  return (names[0] === 'page' ? names.slice(1) : names).map(camelCase)
}
