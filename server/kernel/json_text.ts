// JSON as text: values written once, and long answers in parts that are sent as they are.

/** The value. Undefined for text that is not JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export class JsonText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  /** Parses the text, for use inside a larger value. Integers beyond the range of a double lose their last digits. */
  toJSON(): unknown {
    const value: unknown = JSON.parse(this.text)
    return value
  }
}

/** The JSON of an object. Members that are JSON text already are inserted unchanged. */
export function objectText(object: Readonly<Record<string, unknown>>): string {
  const members = Object.entries(object).map(
    ([name, value]) =>
      `${JSON.stringify(name)}:${value instanceof JsonText ? value.text : (JSON.stringify(value) ?? 'null')}`,
  )
  return `{${members.join(',')}}`
}

export class JsonParts {
  readonly parts: readonly string[]
  #bytes: number | undefined

  /** @param bytes total size of the parts, if it is known already */
  constructor(parts: readonly string[], bytes?: number) {
    this.parts = parts
    this.#bytes = bytes
  }

  /** Counted on first use, because not every answer needs its size before it is sent. */
  get bytes(): number {
    this.#bytes ??= bytesOf(this.parts)
    return this.#bytes
  }

  within(before: string, after: string): JsonParts {
    return new JsonParts([before, ...this.parts, after], this.bytes + bytesOf([before, after]))
  }
}

const bytesOf = (parts: readonly string[]): number =>
  parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0)

/** The parts of a list: `[`, the members separated by commas, `]`. */
export const listParts = (members: readonly string[]): string[] => [
  '[',
  ...members.map((member, index) => (index === 0 ? member : `,${member}`)),
  ']',
]
