// Puts results into the messages that the protocol's library writes. It gets placeholders, so that a large result is
// neither copied nor parsed again, and every digit of it is sent as it was written.
import { randomUUID } from 'node:crypto'
import type { JsonParts } from '../../kernel/json_parts.ts'
import type { ToolResult } from './tool.ts'

/** Random, so that they occur nowhere else in a message. */
const TEXT = randomUUID()
const OBJECT = Object.freeze({ [randomUUID()]: 0 })

const TEXT_JSON = JSON.stringify(TEXT)
const OBJECT_JSON = JSON.stringify(OBJECT)
const PLACES = new RegExp(`(${TEXT_JSON}|${OBJECT_JSON.replace(/[{}]/g, '\\$&')})`)

/**
 * The members of a result that stand for its text and for the same as an object. A failure is text alone, because
 * clients hold every object against the output schema of the tool, and show nothing of one that does not fit.
 */
export const placeholders = ({ failed }: Pick<ToolResult, 'failed'>) => ({
  content: [{ type: 'text' as const, text: TEXT }],
  ...(failed ? { isError: true } : { structuredContent: { ...OBJECT } }),
})

/** @param message as the library wrote it */
export function withResult(message: string, result: JsonParts | undefined): string[] {
  if (result === undefined) return [message]
  return message.split(PLACES).flatMap((part) => {
    if (part === OBJECT_JSON) return result.parts
    return part === TEXT_JSON ? ['"', ...result.parts.map(inString), '"'] : [part]
  })
}

/** Part of a JSON text, as part of a JSON string. Parts end between characters, because each is a text of its own. */
const inString = (part: string): string => JSON.stringify(part).slice(1, -1)
