// A JSON text in parts: a large answer is neither put together nor sent as one string.

export class JsonParts {
  readonly parts: readonly string[]
  readonly bytes: number

  constructor(parts: readonly string[]) {
    this.parts = parts
    this.bytes = parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0)
  }
}

/** The parts of a list: `[`, its members apart by commas, `]`. */
export const listParts = (members: readonly string[]): string[] => [
  '[',
  ...members.map((member, index) => (index === 0 ? member : `,${member}`)),
  ']',
]
