// How the words of the catalog are spelled on GraphQL.

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

/** The members of an object under their GraphQL names. Only the catalog's own names come here, so they are remembered. */
export function inCamelCase(shown: object): Record<string, unknown> {
  const named: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(shown)) {
    let spelled = spellings.get(name)
    if (spelled === undefined) {
      spelled = camelCase(name)
      spellings.set(name, spelled)
    }
    named[spelled] = value
  }
  return named
}

const spellings = new Map<string, string>()

/** The same name there and back, or inputs would reach the wrong field. @throws at start, naming the field */
export function reversible(name: string): string {
  if (snakeCase(camelCase(name)) !== name) throw new Error(`${name} has no spelling of its own on GraphQL.`)
  return camelCase(name)
}
