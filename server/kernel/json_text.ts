// A value that is JSON text already: it leaves as it is, so that every digit of it is the one that was checked.

export class JsonText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  /** For whoever puts it into a larger value after all; integers that no double holds lose their last digits there. */
  toJSON(): unknown {
    const value: unknown = JSON.parse(this.text)
    return value
  }
}
