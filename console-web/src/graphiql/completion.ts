// The words that can stand at the cursor, those that begin like the one being written first.
import {
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isEnumType,
  isInputType,
  isInterfaceType,
  isObjectType,
} from 'graphql'
import { type Place, placeAt } from './cursor_place.ts'

export type Completion = {
  readonly label: string
  /** What is written when it is chosen. */
  readonly insert: string
  /** Its type, in GraphQL's words. */
  readonly detail: string
  readonly doc: string
}

export type Completions = {
  /** Start of the word that a choice replaces. */
  readonly from: number
  readonly choices: readonly Completion[]
}

const MOST = 60
const WORDS = ['query', 'mutation', 'subscription', 'fragment']

export const completionsAt = (schema: GraphQLSchema, text: string, offset: number): Completions => {
  const word = /\w*$/.exec(text.slice(0, offset))?.[0] ?? ''
  const from = offset - word.length
  const sign = text.charAt(from - 1)
  if (sign === '$') return ranked(from, word, variablesOf(text))
  // `@` belongs to its name for the scanner, so the place is read as of before it.
  const place: Place = sign === '@' ? { kind: 'directive' } : placeAt(schema, text, from)
  return ranked(from, word, choicesFor(schema, place, text))
}

const ranked = (from: number, word: string, choices: readonly Completion[]): Completions => {
  const wanted = word.toLowerCase()
  const begins = choices.filter(({ label }) => label.toLowerCase().startsWith(wanted))
  const contains = choices.filter((one) => !begins.includes(one) && one.label.toLowerCase().includes(wanted))
  return { from, choices: [...begins, ...contains].slice(0, MOST) }
}

const choicesFor = (schema: GraphQLSchema, place: Place, text: string): Completion[] => {
  const types = (wanted: (type: GraphQLNamedType) => boolean): Completion[] =>
    Object.values(schema.getTypeMap())
      .filter((type) => !type.name.startsWith('__') && wanted(type))
      .map((type) => choice(type.name, '', type.description))
  switch (place.kind) {
    case 'document':
      return WORDS.map((word) => choice(word, ''))
    case 'fields':
      return fieldsOf(place.type)
    case 'spread':
      return [choice('on', ''), ...fragmentsOf(text)]
    case 'condition':
      return types(isCompositeType)
    case 'variable_type':
      return types(isInputType)
    case 'directive':
      return schema.getDirectives().map(({ name, description }) => choice(name, '', description))
    case 'inputs':
      return place.inputs.map(({ name, type, description }) => ({
        ...choice(name, String(type), description),
        insert: `${name}: `,
      }))
    case 'value':
      return valuesOf(place.type)
    case 'nothing':
      return []
    default:
      return place satisfies never
  }
}

const fieldsOf = (type: GraphQLNamedType | null): Completion[] => {
  if (!isCompositeType(type)) return []
  const fields = isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : []
  return [
    ...fields.map((field) => choice(field.name, String(field.type), field.description)),
    choice('__typename', 'String!', 'The name of this type.'),
  ]
}

const valuesOf = (type: GraphQLInputType | null): Completion[] => {
  const named = type === null ? null : getNamedType(type)
  if (isEnumType(named))
    return named.getValues().map((value) => choice(value.name, named.name, value.description))
  return named?.name === 'Boolean' ? [choice('true', 'Boolean'), choice('false', 'Boolean')] : []
}

const variablesOf = (text: string): Completion[] =>
  [
    ...new Map(
      [...text.matchAll(/\$(\w+)\s*:\s*([^\s,)=]+)/g)].map(([, name = '', type = '']) => [name, type]),
    ),
  ].map(([name, type]) => choice(name, type))

const fragmentsOf = (text: string): Completion[] =>
  [...text.matchAll(/\bfragment\s+(\w+)\s+on\s+(\w+)/g)].map(([, name = '', type = '']) => choice(name, type))

const choice = (label: string, detail: string, doc?: string | null): Completion => ({
  label,
  insert: label,
  detail,
  doc: doc ?? '',
})
