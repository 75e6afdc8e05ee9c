// Schemas of what actions answer: objects with named members.
import type { JsonSchema } from './kinds/kind.ts'

/**
 * The schema of an object with exactly these members; a name that ends in `?` may be absent.
 * @param title what the document calls it; needed where it is one of several alternatives
 */
export function resultOf(members: Readonly<Record<string, JsonSchema>>, title?: string): JsonSchema {
  const properties = Object.entries(members).map(([name, schema]) => [name.replace(/\?$/, ''), schema])
  const required = Object.keys(members).filter((name) => !name.endsWith('?'))
  return Object.freeze({
    ...(title === undefined ? {} : { title }),
    type: 'object',
    properties: Object.fromEntries(properties),
    required,
  })
}

export const textMember = (description: string): JsonSchema => ({ type: 'string', description })

export const wholeMember = (description: string): JsonSchema => ({ type: 'integer', description })
