// The data of an answer as JSON text in parts, written in pieces and under a ceiling of bytes.
import type { Breathe } from '../../kernel/in_pieces.ts'
import { JsonParts } from '../../kernel/json_parts.ts'

/** Levels that are taken apart: the data, a field, its page, the list of results. What lies in a row is written as one. */
const LEVELS = 4

/** Characters of a part. */
const PART = 32_768

/**
 * What graphql-js made: objects without toJSON, without undefined members but where JSON.stringify leaves them out.
 * Undefined when it has more bytes than so many; stops as soon as that is known.
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
  /** False when there is no room left. */
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
