// The state of this server's shutdown, shared by everything that accepts requests.

import type { AtOnce } from '../../kernel/flow/at_once.ts'
import { refuse } from '../../kernel/refusal.ts'

export interface Drain {
  /** True once readiness fails. Requests are still answered. */
  readonly leaving: () => boolean
  readonly leave: () => void
  /** From now on, `run` refuses new work. */
  readonly close: () => void
  /** Also refuses the work that is still running. */
  readonly giveUp: () => void
  /** Runs the work. @throws shutting_down when the server is closed, or gives up while the work runs */
  readonly run: <T>(work: () => AtOnce<T>) => AtOnce<T>
}

export function createDrain(): Drain {
  let phase: 'open' | 'leaving' | 'closed' = 'open'
  const underWay = new Set<() => void>()
  const untilGivenUp = <T>(work: Promise<T>): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      const tell = (): void => reject(refuse('shutting_down'))
      underWay.add(tell)
      work.then(
        (value) => {
          underWay.delete(tell)
          resolve(value)
        },
        (error: unknown) => {
          underWay.delete(tell)
          reject(error)
        },
      )
    })
  return Object.freeze({
    leaving: () => phase !== 'open',
    leave: () => {
      if (phase === 'open') phase = 'leaving'
    },
    close: () => {
      phase = 'closed'
    },
    giveUp: () => {
      for (const tell of underWay) tell()
    },
    run: <T>(work: () => AtOnce<T>) => {
      if (phase === 'closed') throw refuse('shutting_down')
      const answer = work()
      return answer instanceof Promise ? untilGivenUp(answer) : answer
    },
  })
}
