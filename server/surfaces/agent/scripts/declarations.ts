// The tools as TypeScript declarations, for those who write scripts. Generated from the tools' JSON Schemas.
import { isSchema, type JsonSchema } from '../../../contract/kind.ts'
import { kept } from '../../../kernel/lru.ts'
import type { TextResource } from '../texts.ts'
import { SCOPE_OF, type Tool } from '../tool.ts'
import { SCRIPT_LIMITS } from './script_limits.ts'

interface TypeOptions {
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

export const DECLARATIONS_URI = 'pharos://scripts/declarations'

export const declarationsResource = (tools: readonly Tool[]): TextResource => ({
  uri: DECLARATIONS_URI,
  name: 'script-declarations',
  title: 'Declarations for scripts',
  description: 'TypeScript declarations of every tool that a program given to run_script can call.',
  mimeType: 'text/x-typescript',
  text: declarations(tools),
})

/** The text of a `.d.ts` file: the globals of a script. */
export function declarations(tools: readonly Tool[]): string {
  const names = resultNames(tools)
  const named = (schema: JsonSchema): string | undefined => names.get(JSON.stringify(schema))
  const results = tools.flatMap(({ name, outputSchema }) =>
    named(outputSchema) === resultName(name)
      ? [`type ${resultName(name)} = ${typeOf(outputSchema, { named, without: outputSchema })}\n`]
      : [],
  )
  const methods = tools.map((tool) => {
    const { title, description, access, inputSchema, outputSchema } = tool
    const optional = isRequired(inputSchema) ? '' : '?'
    const told = `${title}. ${description} Scope: ${SCOPE_OF[access]}.`
    const args = typeOf(inputSchema, { named, depth: 1 })
    return `${comment(told, 1)}  ${tool.name}(args${optional}: ${args}): Promise<${named(outputSchema) ?? 'unknown'}>\n`
  })
  return [HEAD, ...results, `declare const tools: {\n${methods.join('\n')}}\n`].join('\n')
}

/** Tools with the same result share its name, and lists name the rows that they have. */
function resultNames(tools: readonly Tool[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const { name, outputSchema } of tools)
    kept(names, JSON.stringify(outputSchema), () => resultName(name))
  return names
}

/** e.g. `get_item` → `GetItemResult` */
const resultName = (tool: string): string =>
  `${tool.replace(/(^|_)([a-z0-9])/g, (_, __, letter: string) => letter.toUpperCase())}Result`

const isRequired = ({ required }: JsonSchema): boolean => Array.isArray(required) && required.length > 0

const HEAD = `// A script is the body of an async function. Whatever it returns is the result, as JSON.
// At most ${SCRIPT_LIMITS.calls} calls (${SCRIPT_LIMITS.calls_at_once} at once), ${SCRIPT_LIMITS.wall_ms / 1_000} s, ${SCRIPT_LIMITS.cpu_ms / 1_000} s of processor time, ${SCRIPT_LIMITS.memory_bytes / 1_048_576} MiB, ${SCRIPT_LIMITS.output_bytes / 1_024} KiB of output.

/** Prints a line into the answer. All five are the same. */
declare const console: Record<'log' | 'info' | 'warn' | 'error' | 'debug', (...values: unknown[]) => void>

/** Waits. A script has no other timer. */
declare function sleep(ms: number): Promise<void>

/** What a failed call throws. */
interface ToolError extends Error {
  name: 'ToolError'
  /** The code of the first error, such as \`not_found\`, \`rate_limited\` or \`insufficient_scope\`. */
  code: string
  errors: { code: string; detail: string; source?: { pointer: string }; meta: Record<string, unknown> }[]
}
`
