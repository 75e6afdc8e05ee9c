// Writes the data of an answer as JSON in parts, with pauses for other requests and a ceiling of bytes.
import type { Breathe } from '../../kernel/in_pieces.ts'
import { JsonParts } from '../../kernel/json_parts.ts'

/**
 * Levels that are written member by member: the data, a field, its page, the list of results. Deeper
 * values are written at once.
 */
const LEVELS = 4

/** The number of characters after which a part ends. */
const PART = 32_768

/**
 * Returns the JSON of `data`, or undefined as soon as it exceeds `maxBytes`.
 * @param data the output of graphql-js: objects without toJSON; undefined members are left out
 */
export async function answerParts(
  data: unknown,
  maxBytes: number,
  breathe: Breathe,
): Promise<JsonParts | undefined> {
  const parts: string[] = []
  let part = ''
  let bytes = 0
  const write = (text: string): void => {
    part += text
    if (part.length >= PART) endPart()
  }
  const endPart = (): void => {
    bytes += Buffer.byteLength(part)
    parts.push(part)
    part = ''
  }
  /** Returns false when the ceiling is exceeded. */
  const writeValue = async (value: unknown, levels: number): Promise<boolean> => {
    if (levels === 0 || typeof value !== 'object' || value === null) {
      write(JSON.stringify(value) ?? 'null')
      const breath = breathe()
      if (breath !== undefined) await breath
      return bytes <= maxBytes
    }
    if (Array.isArray(value)) {
      write('[')
      for (let at = 0; at < value.length; at += 1) {
        if (at > 0) write(',')
        if (!(await writeValue(value[at], levels - 1))) return false
      }
      write(']')
      return true
    }
    let separator = '{'
    for (const [name, member] of Object.entries(value)) {
      if (member === undefined) continue
      write(`${separator}${JSON.stringify(name)}:`)
      separator = ','
      if (!(await writeValue(member, levels - 1))) return false
    }
    write(separator === '{' ? '{}' : '}')
    return true
  }
  if (!(await writeValue(data, LEVELS))) return undefined
  endPart()
  return bytes > maxBytes ? undefined : new JsonParts(parts, bytes)
}
