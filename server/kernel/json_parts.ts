// A JSON text in parts, so that a large answer is neither built nor sent as one string.

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
