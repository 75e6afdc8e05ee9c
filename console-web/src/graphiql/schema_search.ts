// Finds types, fields, arguments and enum values by part of their name.
import {
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from 'graphql'

/** A place in the documentation: a type, or one field of it. */
export type DocPlace = { readonly type: string; readonly field: string | null }

const MOST = 80

/** Names that begin with the word come first. */
export const searchSchema = (schema: GraphQLSchema, word: string): DocPlace[] => {
  const wanted = word.trim().toLowerCase()
  if (wanted === '') return []
  const found = documentedTypes(schema).flatMap((type): DocPlace[] => [
    ...(type.name.toLowerCase().includes(wanted) ? [{ type: type.name, field: null }] : []),
    ...memberNames(type)
      .filter((name) => name.toLowerCase().includes(wanted))
      .map((field) => ({ type: type.name, field })),
  ])
  const begins = ({ type, field }: DocPlace): number =>
    (field ?? type).toLowerCase().startsWith(wanted) ? 0 : 1
  return found.sort((a, b) => begins(a) - begins(b)).slice(0, MOST)
}

/** Every type except those by which GraphQL describes itself. */
export const documentedTypes = (schema: GraphQLSchema): GraphQLNamedType[] =>
  Object.values(schema.getTypeMap())
    .filter(({ name }) => !name.startsWith('__'))
    .sort((a, b) => a.name.localeCompare(b.name))

const memberNames = (type: GraphQLNamedType): string[] => {
  if (isObjectType(type) || isInterfaceType(type) || isInputObjectType(type))
    return Object.keys(type.getFields())
  return isEnumType(type) ? type.getValues().map(({ name }) => name) : []
}
