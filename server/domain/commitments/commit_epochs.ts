// One visit to a public chain: the epoch that is due is closed, and every commitment whose turn it is goes a step further.
import { type AtWork, advanceCommitment, type CommitParts } from './advance_commitment.ts'
import { endTrouble, noteTrouble } from './chain_trouble.ts'
import { ChainUnreachable, systemCodeOf } from './chains/chain.ts'
import { type ClosedEpoch, closeEpoch, epochDue } from './close_epoch.ts'
import { type DueCommitment, dueCommitments, followClockBack, isCommitmentDue } from './due_commitments.ts'
import { paceOf } from './pace.ts'
import { lookLater } from './record_try.ts'
import { leaveSeries, type Series, takeLease } from './series.ts'

export interface Visit {
  /** The length of an epoch's slot in milliseconds. */
  readonly intervalMs: number
  /** Who visits: one name per server and chain, for as long as it lives. */
  readonly holder: string
  /** True once the server stops: a chain that it hangs up on is not away. */
  readonly stopping?: () => boolean
}

/** `busy`: another server is at it. `unreachable`: the chain did not answer; what was begun is gone on with later. */
export type VisitOutcome = 'nothing_due' | 'busy' | 'visited' | 'unreachable'

const COMMITMENTS_PER_PAGE = 50

/**
 * Safe to call from anywhere, any number of times, by any number of servers. Commitments of one series are seen to one
 * after the other, so no two transactions are ever being made from one wallet or one sequence number. Inputs are not
 * locked in between: only one transaction at a time is signed and not yet taken by its chain, and a lock would outlive
 * a crash of ours.
 */
export async function commitEpochs(
  parts: CommitParts,
  { intervalMs, holder, stopping }: Visit,
): Promise<VisitOutcome> {
  const { em, chain } = parts
  let network: string
  try {
    network = await chain.network()
  } catch (error) {
    if (!(error instanceof ChainUnreachable)) throw error
    if (stopping?.() !== true) await away(parts, error)
    return 'unreachable'
  }
  const series: Series = { chain: chain.name, network }
  const order = { ...series, intervalMs }
  const due = (await isCommitmentDue({ em: em() }, series)) || (await epochDue({ em: em() }, order))
  if (!due) return 'nothing_due'
  if (!(await takeLease({ em: em() }, series, holder))) return 'busy'
  let unreachable: ChainUnreachable | undefined
  try {
    await followClockBack({ em: em() }, series)
    const closed = await closeEpoch({ em: em() }, order)
    if (closed !== undefined) logClosed(parts, series, closed)
    unreachable = await advanceAll({ ...parts, series, pace: paceOf(chain.name, network) }, holder)
  } finally {
    await leaveSeries({ em: em() }, series, { holder, answered: unreachable === undefined })
  }
  if (unreachable === undefined) await usable(parts)
  else if (stopping?.() !== true) await away(parts, unreachable)
  return unreachable === undefined ? 'visited' : 'unreachable'
}

/** The chain answered. */
export async function usable({ em, chain, log }: CommitParts): Promise<void> {
  if (await endTrouble({ em: em() }, chain.name)) log.info({ chain: chain.name }, 'chain.back')
}

async function away({ em, chain, log }: CommitParts, error: ChainUnreachable): Promise<void> {
  const isNews = await noteTrouble({ em: em() }, chain.name, error.why)
  const { why, message: reason } = error
  if (isNews) log.warn({ chain: chain.name, why, reason, cause: systemCodeOf(error) }, 'chain.away')
}

/** Answers how the chain could not be reached, when it could not: then the rest is left to the next visit. */
async function advanceAll(parts: AtWork, holder: string): Promise<ChainUnreachable | undefined> {
  const { em, series } = parts
  const seen = new Set<string>()
  for (;;) {
    const page = await dueCommitments({ em: em() }, series, COMMITMENTS_PER_PAGE)
    const fresh = page.filter(({ id, state }) => !seen.has(`${id} ${state}`))
    if (fresh.length === 0) return undefined
    for (const commitment of fresh) {
      seen.add(`${commitment.id} ${commitment.state}`)
      if (!(await takeLease({ em: em() }, series, holder))) return undefined
      try {
        await advanceCommitment(parts, commitment)
      } catch (error) {
        if (!(error instanceof ChainUnreachable)) throw error
        await notReached(parts, commitment, error.message)
        return error
      }
    }
  }
}

/** What anybody may read; where our nodes are and how they failed is for the log. */
const NOT_REACHED = 'the chain could not be reached'

/** Nothing is known about what became of the call, so nothing changes but the time of the next look. */
async function notReached(parts: AtWork, { id, epochId }: DueCommitment, reason: string): Promise<void> {
  await lookLater({ em: parts.em() }, id, { lookMs: parts.pace.retry, error: NOT_REACHED })
  parts.log.warn({ ...parts.series, commitment_id: id, epoch_id: epochId, reason }, 'chain.unreachable')
}

const logClosed = ({ log }: CommitParts, series: Series, { id, sequence, root, blocks }: ClosedEpoch): void =>
  log.info({ ...series, epoch_id: id, sequence, root: root.toString('hex'), blocks }, 'epoch.closed')
