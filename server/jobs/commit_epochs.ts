// Visits the public chains repeatedly, each at its own interval. Every server runs this; a lease lets one at a time
// do the work.
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { ConfiguredChain } from '../domain/commitments/chains/configured_chains.ts'
import { commitEpochs, usable, type VisitOutcome } from '../domain/commitments/commit_epochs.ts'
import { repeat } from '../kernel/flow/repeat.ts'
import type { Log } from '../kernel/log.ts'

type CommittedChain = Pick<ConfiguredChain, 'chain' | 'intervalMs'>

interface CommittingParts {
  readonly em: () => EntityManager
  readonly chains: readonly CommittedChain[]
  readonly log: Log
  readonly announceFacts: () => void
}

/** Milliseconds. A visit with nothing to do makes two short queries. */
const BEAT = { shortest: 250, longest: 2_000, afterError: 5_000 } as const
/**
 * Milliseconds. On stop, a visit may finish within `graceMs`, because a chain whose calls are cut off looks
 * unreachable. Then its calls are cut off, and the rest of the visit gets `ceilingMs`.
 */
const STOP = { graceMs: 1_000, ceilingMs: 3_000 } as const

/**
 * Does not use the queue, because a visit is short and often finds nothing, and one job per second would cost more
 * than the visits. If several servers visit at once, the lease in `commitEpochs` decides.
 */
export function startCommitting({ chains, ...parts }: CommittingParts) {
  const visits = chains.map((each) => startVisits(parts, each))
  return Object.freeze({ close: () => Promise.all(visits.map((each) => each.close())) })
}

function startVisits(
  { em, log, announceFacts }: Omit<CommittingParts, 'chains'>,
  { chain, intervalMs }: CommittedChain,
) {
  const holder = randomUUID()
  const beat = Math.min(BEAT.longest, Math.max(BEAT.shortest, intervalMs / 4))
  let last: VisitOutcome | 'failed' | undefined
  const visits = repeat({
    firstMs: 0,
    everyMs: beat,
    retry: { firstMs: BEAT.afterError, mostMs: BEAT.afterError },
    onError: (err) => {
      last = 'failed'
      log.warn({ err, chain: chain.name }, 'commit_epochs.failed')
    },
    run: async (signal) => {
      const parts = { em, chain, log, announceFacts }
      const stopping = (): boolean => signal.aborted
      const outcome = await commitEpochs(parts, { intervalMs, holder, stopping })
      // Without a due commitment the visit does not record that the chain answered, so it is recorded here after a
      // failure.
      if (outcome !== 'unreachable' && (last === undefined || last === 'unreachable')) await usable(parts)
      last = outcome
      return outcome === 'unreachable' ? BEAT.longest : beat
    },
  })
  return Object.freeze({
    close: async () => {
      const ended = visits.stop()
      await Promise.race([ended, wait(STOP.graceMs, undefined, { ref: false })])
      await chain.close()
      await Promise.race([ended, wait(STOP.ceilingMs, undefined, { ref: false })])
    },
  })
}
