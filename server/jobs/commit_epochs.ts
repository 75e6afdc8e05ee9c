// Visits the public chains, again and again, each at its own beat; on every server, one of which at a time does the work.
import { randomUUID } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Chain } from '../domain/commitments/chains/chain.ts'
import { commitEpochs, usable, type VisitOutcome } from '../domain/commitments/commit_epochs.ts'
import type { Log } from '../kernel/log.ts'
import { repeat } from '../kernel/repeat.ts'

export interface CommittedChain {
  readonly chain: Chain
  /** The length of an epoch's slot in milliseconds. */
  readonly intervalMs: number
}

export interface CommittingParts {
  readonly em: () => EntityManager
  readonly chains: readonly CommittedChain[]
  readonly log: Log
  readonly announceFacts: () => void
}

/** Milliseconds. A visit with nothing to do is two short queries. */
const BEAT = { shortest: 250, longest: 2_000, afterFault: 5_000 } as const
/**
 * When the server stops, a visit may end in peace for so long: a chain that is cut off looks to everybody as if it were
 * away. Then calls under way are cut off, and what is left of the visit has so long.
 */
const STOP = { graceMs: 1_000, ceilingMs: 3_000 } as const

/**
 * Not by the queue: a visit is short and often finds nothing, and one job a second for ever would be more work than the
 * visits. Nothing hangs on who comes first; see `commitEpochs`.
 */
export function startCommitting({ chains, ...parts }: CommittingParts): {
  readonly close: () => Promise<void>
} {
  const visits = chains.map((each) => startVisits(parts, each))
  return Object.freeze({
    close: async () => {
      await Promise.all(visits.map((each) => each.close()))
    },
  })
}

function startVisits(
  { em, log, announceFacts }: Omit<CommittingParts, 'chains'>,
  { chain, intervalMs }: CommittedChain,
): { readonly close: () => Promise<void> } {
  const holder = randomUUID()
  const beat = Math.min(BEAT.longest, Math.max(BEAT.shortest, intervalMs / 4))
  let last: VisitOutcome | 'failed' | undefined
  const visits = repeat({
    firstMs: 0,
    everyMs: beat,
    retry: { firstMs: BEAT.afterFault, mostMs: BEAT.afterFault },
    onError: (err) => {
      last = 'failed'
      log.warn({ err, chain: chain.name }, 'commit_epochs.failed')
    },
    run: async (signal) => {
      const parts = { em, chain, log, announceFacts }
      const stopping = (): boolean => signal.aborted
      const outcome = await commitEpochs(parts, { intervalMs, holder, stopping })
      // With nothing due nobody has looked since: that the chain told its network again is news enough.
      if (outcome !== 'unreachable' && (last === undefined || last === 'unreachable')) await usable(parts)
      last = outcome
      return outcome === 'unreachable' ? BEAT.longest : beat
    },
  })
  return Object.freeze({
    close: async () => {
      const ended = visits.stop()
      await Promise.race([ended, passed(STOP.graceMs)])
      await chain.close()
      await Promise.race([ended, passed(STOP.ceilingMs)])
    },
  })
}

const passed = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms).unref())
