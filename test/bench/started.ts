// What a measure has started: its database, processes, sockets. All of it is ended after the measure, whatever happened.
import { within } from './within.ts'

interface Running {
  readonly what: string
  readonly end: () => unknown
}

/** Milliseconds that the end of one of them may take. */
const PATIENCE_MS = 30_000

export class Started {
  readonly #say: (line: string) => void
  readonly #running: Running[] = []
  #isOver = false

  /** @param say gets a line for what did not end */
  constructor(say: (line: string) => void) {
    this.#say = say
  }

  /**
   * To be called as soon as there is something to end, before anything else is awaited. `end` may be called although that
   * has ended.
   * @throws an Error when the measure is over, and ends what came too late
   */
  add(what: string, end: () => unknown): void {
    this.#running.push({ what, end })
    if (!this.#isOver) return
    void this.end()
    throw new Error(`The measure is over, so there is no need for ${what} any more.`)
  }

  /** The last one first. What does not end is only told, because the result of the measure matters more. */
  async end(): Promise<void> {
    this.#isOver = true
    for (let last = this.#running.pop(); last !== undefined; last = this.#running.pop()) {
      const { what, end } = last
      await within(PATIENCE_MS, 'That', (async () => end())()).catch((error: unknown) =>
        this.#say(`  ${what} did not end: ${error instanceof Error ? error.message : String(error)}`),
      )
    }
  }
}
