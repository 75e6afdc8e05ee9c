// How many of something each key has. A key that has none is forgotten.

export class Tally {
  readonly #counts = new Map<string, number>()

  of(key: string): number {
    return this.#counts.get(key) ?? 0
  }

  /** Returns how many the key has then. */
  add(key: string, by: number): number {
    const count = this.of(key) + by
    if (count === 0) this.#counts.delete(key)
    else this.#counts.set(key, count)
    return count
  }

  /** Those that have any. */
  keys(): string[] {
    return [...this.#counts.keys()]
  }
}
