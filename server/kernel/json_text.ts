// A value that is already JSON text. It is sent unchanged, so every digit is one that was checked.

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
