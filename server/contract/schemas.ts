// The JSON Schemas that follow from what is published: of the members of a row or a body, and of the object around
// them. A tool has all of it in place; the OpenAPI document keeps the schemas of values elsewhere, under names.
import type { Accepts } from './attribute.ts'
import { type JsonSchema, type Kind, orNull } from './kind.ts'
import type { Fields } from './resource.ts'

/** What a field, an attribute or a value that is said once has in common. */
export interface TypedMember {
  readonly kind: Kind
  readonly nullable?: boolean
}

export const valueSchema = ({ kind: { schema }, nullable = false }: TypedMember): JsonSchema =>
  nullable ? orNull(schema) : schema

/**
 * The schemas of members, each with its description.
 * @param place returns the schema of a member's value, as the document has it
 */
export const memberSchemas = <One extends TypedMember & { readonly doc: string }>(
  members: Readonly<Record<string, One>>,
  place: (one: One, name: string) => JsonSchema = valueSchema,
): Readonly<Record<string, JsonSchema>> =>
  Object.fromEntries(
    Object.entries(members).map(([name, one]) => [name, { ...place(one, name), description: one.doc }]),
  )

/** The members of a row that every answer has. */
export const alwaysShown = (fields: Fields): readonly string[] => [
  'id',
  ...Object.entries(fields).flatMap(([name, { onRequest, withheld }]) =>
    onRequest === true || withheld === true ? [] : [name],
  ),
]

export const requiredAmong = (accepts: Accepts): readonly string[] =>
  Object.entries(accepts).flatMap(([name, { required }]) => (required ? [name] : []))

/** An object with all of these members. */
export const wholeObject = (
  properties: Readonly<Record<string, JsonSchema>>,
  description?: string,
): JsonSchema => ({
  type: 'object',
  ...(description === undefined ? {} : { description }),
  properties,
  required: Object.keys(properties),
})

/** An object without other members, so that a misspelled one is not taken for one that was left out. */
export const closedObject = (
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[],
): JsonSchema => ({
  type: 'object',
  properties,
  ...(required.length === 0 ? {} : { required }),
  additionalProperties: false,
})
