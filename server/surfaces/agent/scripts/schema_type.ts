// A JSON Schema as a TypeScript type. Knows the keywords that our schemas use; what it does not know is `unknown`.
import { isSchema, type JsonSchema } from '../../../contract/kinds/kind.ts'

export interface TypeOptions {
  /** The name of a type that is declared for this schema. */
  readonly named?: (schema: JsonSchema) => string | undefined
  /** A schema that is written out although it has a name, because this is its declaration. */
  readonly without?: JsonSchema
  /** How far the text is indented. */
  readonly depth?: number
}

/** e.g. `{ type: ['integer', 'null'] }` → `number | null` */
export function typeOf(schema: unknown, options: TypeOptions = {}): string {
  if (!isSchema(schema)) return schema === false ? 'never' : 'unknown'
  const name = schema === options.without ? undefined : options.named?.(schema)
  if (name !== undefined) return name
  const { const: constant, enum: members, anyOf, oneOf, type } = schema
  if (constant !== undefined) return JSON.stringify(constant)
  if (Array.isArray(members)) return union(members.map((member) => JSON.stringify(member)))
  const choices = Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : undefined
  if (choices !== undefined) return union(choices.map((choice) => typeOf(choice, options)))
  if (Array.isArray(type)) return union(type.map((one) => ofOneType(one, schema, options)))
  return ofOneType(type, schema, options)
}

function ofOneType(type: unknown, schema: JsonSchema, options: TypeOptions): string {
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
      return type
    case 'integer':
    case 'number':
      return 'number'
    case 'array':
      return arrayOf(typeOf(schema.items ?? true, options))
    case 'object':
      return ofObject(schema, options)
    default:
      return 'unknown'
  }
}

function ofObject({ properties, required, additionalProperties }: JsonSchema, options: TypeOptions): string {
  const members = isSchema(properties) ? Object.entries(properties) : []
  if (members.length === 0) {
    if (additionalProperties === false) return 'Record<string, never>'
    return `Record<string, ${typeOf(additionalProperties ?? true, options)}>`
  }
  const depth = (options.depth ?? 0) + 1
  const needed = Array.isArray(required) ? new Set<unknown>(required) : new Set<unknown>()
  const lines = members.map(([name, member]) => {
    const told = isSchema(member) && typeof member.description === 'string' ? member.description : ''
    return `${comment(told, depth)}${indent(depth)}${keyOf(name)}${needed.has(name) ? '' : '?'}: ${typeOf(member, { ...options, depth })}\n`
  })
  return `{\n${lines.join('')}${indent(depth - 1)}}`
}

/** A documentation comment, or nothing. The text cannot end it. */
export const comment = (text: string, depth: number): string =>
  text === '' ? '' : `${indent(depth)}/** ${text.replaceAll('*/', '*\u2044').replace(/\s+/g, ' ')} */\n`

const indent = (depth: number): string => '  '.repeat(depth)

const keyOf = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name))

const arrayOf = (item: string): string => (/^\w+$/.test(item) ? `${item}[]` : `Array<${item}>`)

/** The same type is told once. */
const union = (types: readonly string[]): string => [...new Set(types)].join(' | ')
