// What the ways in have in common: the store behind them, who is known, who may come in now, and the state of this
// server's shutdown.
import type { Admission } from '../../admission/turns.ts'
import type { AtOnce } from '../../kernel/flow/at_once.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { Store } from '../../store/open_store.ts'
import type { Authenticate } from './identify.ts'

export interface House {
  /** The public origin. It is available once the server listens. */
  readonly base: () => string
  readonly store: Store
  readonly authenticate: Authenticate
  readonly maxBodyBytes: number
  readonly drain: Drain
  readonly admission: Admission
}

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
    for (const giveUp of this.#underWay) giveUp()
  }

  /** Runs the work. @throws shutting_down when the server is closed, or gives up while the work runs */
  run<T>(work: () => AtOnce<T>): AtOnce<T> {
    if (this.#phase === 'closed') throw refuse('shutting_down')
    const answer = work()
    return answer instanceof Promise ? this.#untilGivenUp(answer) : answer
  }

  #untilGivenUp<T>(work: Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const giveUp = (): void => reject(refuse('shutting_down'))
      this.#underWay.add(giveUp)
      work.then(
        (value) => {
          this.#underWay.delete(giveUp)
          resolve(value)
        },
        (error: unknown) => {
          this.#underWay.delete(giveUp)
          reject(error)
        },
      )
    })
  }
}
