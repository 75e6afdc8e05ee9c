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
  /** What ends the wait for each work that runs. */
  readonly #underWay = new Set<(error: Error) => void>()

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
    for (const end of this.#underWay) end(refuse('shutting_down'))
  }

  /** Runs the work. @throws shutting_down when the server is closed, or gives up while the work runs */
  run<T>(work: () => AtOnce<T>): AtOnce<T> {
    if (this.#phase === 'closed') throw refuse('shutting_down')
    const answer = work()
    return answer instanceof Promise ? this.#untilGivenUp(answer) : answer
  }

  #untilGivenUp<T>(work: Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const forget = (): boolean => this.#underWay.delete(reject)
      this.#underWay.add(reject)
      work.then(forget, forget)
      work.then(resolve, reject)
    })
  }
}
