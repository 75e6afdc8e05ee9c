// Converts the catalog's names to GraphQL's spelling.
import { parameterPath } from '../../../contract/error_object.ts'
import { kept } from '../../../kernel/lru.ts'
import type { Problem } from '../../../kernel/refusal.ts'

/** e.g. `previous_hash` → `previousHash` */
export const camelCase = (name: string): string =>
  name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

/** e.g. `entropy_observation` → `EntropyObservation`, `createItem` → `CreateItem` */
export const pascalCase = (name: string): string => {
  const camel = camelCase(name)
  return `${camel.charAt(0).toUpperCase()}${camel.slice(1)}`
}

/** e.g. `previousHash` → `previous_hash` */
export const snakeCase = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** e.g. `inserted_at` → `INSERTED_AT` */
export const constantCase = (name: string): string => name.toUpperCase()

/** Renames the members of an object for GraphQL. */
export function inCamelCase(shown: object): Record<string, unknown> {
  const named: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(shown)) named[spelling(name)] = value
  return named
}

/** The same as `camelCase` for a name of the catalog. Such names are cached, and there are only so many. */
export const spelling = (name: string): string => kept(spellings, name, camelCase)

const spellings = new Map<string, string>()

/**
 * Returns the GraphQL name and checks that it converts back, because inputs would otherwise reach the wrong field.
 * @throws Error at startup, naming the field
 */
export function reversible(name: string): string {
  if (snakeCase(camelCase(name)) !== name) throw new Error(`${name} has no spelling of its own on GraphQL.`)
  return camelCase(name)
}

/**
 * Names below the first stay unchanged: in `['claims', 'hash_type']`, `hash_type` is the client's own name.
 */
export function fieldsOf({ path, parameter }: Pick<Problem, 'path' | 'parameter'>): string[] {
  if (path !== undefined) return path.map((name, index) => (index === 0 ? camelCase(name) : name))
  return parameter === undefined ? [] : parameterPath(parameter).map(camelCase)
}
