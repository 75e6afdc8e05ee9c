// How far the stop of this server has come, for everybody who lets requests in.
import { refuse } from '../../kernel/refusal.ts'

export interface Drain {
  /** True once readiness fails; requests are still answered. */
  readonly leaving: () => boolean
  readonly leave: () => void
  /** What comes from now on is refused. */
  readonly close: () => void
  /** What is still under way is refused, too. */
  readonly giveUp: () => void
  /** @throws shutting_down when there is no more time for this, or it runs out while it runs */
  readonly run: <T>(work: () => Promise<T>) => Promise<T>
}

export function createDrain(): Drain {
  let phase: 'open' | 'leaving' | 'closed' = 'open'
  const underWay = new Set<() => void>()
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
    run: async <T>(work: () => Promise<T>): Promise<T> => {
      if (phase === 'closed') throw refuse('shutting_down')
      const late = Promise.withResolvers<never>()
      const tell = () => late.reject(refuse('shutting_down'))
      underWay.add(tell)
      try {
        return await Promise.race([work(), late.promise])
      } finally {
        underWay.delete(tell)
      }
    },
  })
}
