// What the list of tools says of one. A model reads all of it before its first question, so schemas are told briefly:
// looser than what is accepted and answered, never stricter. Descriptions say the rest.
import { isSchema, type JsonSchema } from '../../contract/kinds/kind.ts'
import type { Tool } from './tool.ts'

export const toldTool = ({ name, title, description, inputSchema, outputSchema, annotations }: Tool) => ({
  name,
  title,
  description,
  inputSchema: { ...toldInput(inputSchema), type: 'object' as const },
  outputSchema: { type: 'object' as const, properties: eachMember(outputSchema, toldType) },
  annotations,
})

/** A refusal tells the lengths and patterns that it is about. */
const TOLD = ['type', 'format', 'enum', 'minimum', 'maximum', 'description']

/** The members of an object that may be left out are told by its description. */
function toldInput(schema: JsonSchema, withMembers = true): JsonSchema {
  const { items, properties, required, additionalProperties } = schema
  const needed = Array.isArray(required) ? new Set<unknown>(required) : new Set<unknown>()
  return {
    ...Object.fromEntries(TOLD.flatMap((keyword) => (keyword in schema ? [[keyword, schema[keyword]]] : []))),
    ...(isSchema(items) ? { items: toldInput(items) } : {}),
    ...(withMembers && isSchema(properties)
      ? {
          properties: eachMember(schema, (member, name) => toldInput(member, needed.has(name))),
          ...(needed.size === 0 ? {} : { required }),
          ...(additionalProperties === undefined ? {} : { additionalProperties }),
        }
      : {}),
  }
}

/** e.g. `{ type: ['object', 'string'] }` for a bundle, or the text of one. A choice without a type may be anything. */
export function toldType({ type, anyOf }: JsonSchema): JsonSchema {
  const choices = Array.isArray(anyOf)
    ? anyOf.map((choice) => (isSchema(choice) ? choice.type : undefined))
    : []
  const told = type ?? (choices.length === 0 || choices.includes(undefined) ? undefined : choices.flat())
  return told === undefined ? {} : { type: Array.isArray(told) ? [...new Set(told)] : told }
}

const eachMember = (
  { properties }: JsonSchema,
  told: (member: JsonSchema, name: string) => JsonSchema,
): Readonly<Record<string, JsonSchema>> =>
  Object.fromEntries(
    Object.entries(isSchema(properties) ? properties : {}).map(([name, member]) => [
      name,
      isSchema(member) ? told(member, name) : {},
    ]),
  )
