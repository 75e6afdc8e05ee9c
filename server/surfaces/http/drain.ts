// The state of this server's shutdown, shared by everything that accepts requests.
import type { AtOnce } from '../../kernel/flow/at_once.ts'
import { refuse } from '../../kernel/refusal.ts'

export class Drain {
  #phase: 'open' | 'leaving' | 'closed' = 'open'
  readonly #underWay = new Set<() => void>()

  /** True once readiness fails. Requests are still answered. */
  leaving(): boolean {
    return this.#phase !== 'open'
  }

  leave(): void {
    if (this.#phase === 'open') this.#phase = 'leaving'
  }

  /** From now on, `run` refuses new work. */
  close(): void {
    this.#phase = 'closed'
  }

  /** Also refuses the work that is still running. */
  giveUp(): void {
    for (const tell of this.#underWay) tell()
  }

  /** Runs the work. @throws shutting_down when the server is closed, or gives up while the work runs */
  run<T>(work: () => AtOnce<T>): AtOnce<T> {
    if (this.#phase === 'closed') throw refuse('shutting_down')
    const answer = work()
    return answer instanceof Promise ? this.#untilGivenUp(answer) : answer
  }

  #untilGivenUp<T>(work: Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const tell = (): void => reject(refuse('shutting_down'))
      this.#underWay.add(tell)
      work.then(
        (value) => {
          this.#underWay.delete(tell)
          resolve(value)
        },
        (error: unknown) => {
          this.#underWay.delete(tell)
          reject(error)
        },
      )
    })
  }
}
