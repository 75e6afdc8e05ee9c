// Writes the data of an answer as JSON in parts, with pauses for other requests and a ceiling of bytes.
import type { YieldToEventLoop } from '../../../kernel/flow/in_pieces.ts'
import { JsonParts } from '../../../kernel/json_text.ts'

/**
 * Levels that are written member by member: the data, a field, its page, the list of results. Deeper
 * values are written at once.
 */
const LEVELS = 4

/** The number of characters after which a part ends. */
const PART = 32_768

/** A list or an object that is being written. */
interface Open {
  /** What stands before each member: `"name":`, or nothing in a list. */
  readonly names: readonly string[] | undefined
  readonly values: readonly unknown[]
  next: number
}

/** Text in parts, up to a ceiling of bytes. */
class Parts {
  private readonly ended: string[] = []
  private readonly maxBytes: number
  private part = ''
  private bytes = 0

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes
  }

  add(text: string): void {
    this.part += text
    if (this.part.length >= PART) this.endPart()
  }

  isOver(): boolean {
    return this.bytes > this.maxBytes
  }

  /** Undefined when there is too much. */
  end(): JsonParts | undefined {
    this.endPart()
    return this.isOver() ? undefined : new JsonParts(this.ended, this.bytes)
  }

  private endPart(): void {
    this.bytes += Buffer.byteLength(this.part)
    this.ended.push(this.part)
    this.part = ''
  }
}

/**
 * Returns the JSON of `data`, or undefined as soon as it exceeds `maxBytes`. One loop walks the levels, because a
 * promise for each value would cost more than writing it.
 * @param data the output of graphql-js: objects without toJSON; undefined members are left out
 */
export async function answerParts(
  data: unknown,
  maxBytes: number,
  yieldToEventLoop: YieldToEventLoop,
): Promise<JsonParts | undefined> {
  const parts = new Parts(maxBytes)
  const open: Open[] = []
  const write = (value: unknown): void => {
    if (open.length === LEVELS || typeof value !== 'object' || value === null || isFlat(value))
      parts.add(JSON.stringify(value) ?? 'null')
    else {
      parts.add(Array.isArray(value) ? '[' : '{')
      open.push(opened(value))
    }
  }
  write(data)
  for (let one = open.at(-1); one !== undefined; one = open.at(-1)) {
    if (one.next < one.values.length) {
      if (one.next > 0) parts.add(',')
      if (one.names !== undefined) parts.add(one.names[one.next] ?? '')
      const value = one.values[one.next]
      one.next += 1
      write(value)
      continue
    }
    parts.add(one.names === undefined ? ']' : '}')
    open.pop()
    if (parts.isOver()) return undefined
    const pause = yieldToEventLoop()
    if (pause !== undefined) await pause
  }
  return parts.end()
}

/** The same for data of one member, whose value is already JSON in pieces. */
export async function answerPieces(
  key: string,
  pieces: Iterable<string>,
  maxBytes: number,
  yieldToEventLoop: YieldToEventLoop,
): Promise<JsonParts | undefined> {
  const parts = new Parts(maxBytes)
  parts.add(`{"${key}":`)
  for (const piece of pieces) {
    parts.add(piece)
    if (parts.isOver()) return undefined
    const pause = yieldToEventLoop()
    if (pause !== undefined) await pause
  }
  parts.add('}')
  return parts.end()
}

/** An object without lists and objects in it, such as most rows. It is written at once, which takes a fifth of the time. */
const isFlat = (value: object): boolean => {
  if (Array.isArray(value)) return false
  for (const name in value) {
    const member: unknown = Reflect.get(value, name)
    if (typeof member === 'object' && member !== null) return false
  }
  return true
}

/** JSON escapes none of its characters. */
const USUAL_NAME = /^\w+$/

function opened(value: object): Open {
  if (Array.isArray(value)) return { names: undefined, values: value, next: 0 }
  const names: string[] = []
  const values: unknown[] = []
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue
    names.push(USUAL_NAME.test(name) ? `"${name}":` : `${JSON.stringify(name)}:`)
    values.push(member)
  }
  return { names, values, next: 0 }
}
