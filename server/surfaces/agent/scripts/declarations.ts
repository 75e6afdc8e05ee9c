// The tools as TypeScript declarations, for those who write scripts. Generated from the tools' JSON Schemas.
import type { JsonSchema } from '../../../contract/kinds/kind.ts'
import type { TextResource } from '../text_resource.ts'
import { SCOPE_OF, type Tool } from '../tool.ts'
import { comment, typeOf } from './schema_type.ts'
import { SCRIPT_LIMITS } from './script_limits.ts'

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
  for (const { name, outputSchema } of tools) {
    const text = JSON.stringify(outputSchema)
    if (!names.has(text)) names.set(text, resultName(name))
  }
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
