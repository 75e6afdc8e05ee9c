// One visit to a public chain: it closes the epoch that is due, takes every due commitment one step further, and
// notes for monitoring why a chain cannot be used now.
import type { EntityManager } from '@mikro-orm/postgresql'
import type { ChainName } from '../../../shared/proof/public_chains.ts'
import { step } from '../../kernel/step.ts'
import { db } from '../../store/run.ts'
import { type AtWork, advanceCommitment, type CommitParts } from './advance_commitment.ts'
import { ChainUnreachable, systemCodeOf, type Unusable } from './chains/chain.ts'
import { type ClosedEpoch, closeEpoch, epochDue } from './close_epoch.ts'
import {
  type DueCommitment,
  dueCommitments,
  isCommitmentDue,
  moveCommitmentsBack,
} from './due_commitments.ts'
import { lookLater } from './record_try.ts'
import { leaveSeries, paceOf, type Series, takeLease } from './series.ts'

/** Returns true when the trouble is new: the chain worked before, or failed for another reason. */
export async function noteTrouble(em: EntityManager, chain: ChainName, why: Unusable): Promise<boolean> {
  const written = await db(em)
    .insertInto('chain_troubles')
    .values({ chain, why })
    .onConflict((known) => known.column('chain').doUpdateSet({ why }).where('chain_troubles.why', '<>', why))
    .executeTakeFirst()
  return (written.numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** Returns true when the chain was in trouble. */
async function endTrouble(em: EntityManager, chain: ChainName): Promise<boolean> {
  const ended = await db(em).deleteFrom('chain_troubles').where('chain', '=', chain).executeTakeFirst()
  return ended.numDeletedRows > 0n
}

interface Visit {
  /** The length of an epoch's slot in milliseconds. */
  readonly intervalMs: number
  /** The holder of the lease. One name per server and chain, constant while the server runs. */
  readonly holder: string
  /**
   * True while the server stops. Errors are then not recorded as trouble of the chain, because the server closed the
   * connections itself.
   */
  readonly stopping?: () => boolean
}

/**
 * `busy` means that another server is visiting the chain. `unreachable` means that the chain did not answer; the next
 * visit continues.
 */
export type VisitOutcome = 'nothing_due' | 'busy' | 'visited' | 'unreachable'

const COMMITMENTS_PER_PAGE = 50

/**
 * May be called at any time, any number of times, by any number of servers. Commitments of one series are handled one
 * after the other, so two transactions are never made at once from one wallet or one sequence number. Inputs are not
 * locked in between, because only one signed transaction at a time is not yet accepted by its chain, and because a
 * lock would remain after a crash of the server.
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
  const due = (await isCommitmentDue(em(), series)) || (await epochDue(em(), order))
  if (!due) return 'nothing_due'
  if (!(await takeLease(em(), series, holder))) return 'busy'
  let unreachable: ChainUnreachable | undefined
  try {
    await moveCommitmentsBack(em(), series)
    const closed = await closeEpoch(em(), order)
    if (closed !== undefined) logClosed(parts, series, closed)
    unreachable = await advanceAll({ ...parts, series, pace: paceOf(chain.name, network) }, holder)
  } finally {
    await leaveSeries(em(), series, { holder, answered: unreachable === undefined })
  }
  if (unreachable === undefined) await usable(parts)
  else if (stopping?.() !== true) await away(parts, unreachable)
  return unreachable === undefined ? 'visited' : 'unreachable'
}

/** Records that the chain answered. */
export async function usable({ em, chain, log }: CommitParts): Promise<void> {
  if (await endTrouble(em(), chain.name)) log.info({ chain: chain.name }, 'chain.back')
}

async function away({ em, chain, log }: CommitParts, error: ChainUnreachable): Promise<void> {
  const isNews = await noteTrouble(em(), chain.name, error.why)
  const { why, message: reason } = error
  if (isNews) log.warn({ chain: chain.name, why, reason, cause: systemCodeOf(error) }, 'chain.away')
}

/** Returns the error when the chain could not be reached. The next visit handles the remaining commitments. */
async function advanceAll(parts: AtWork, holder: string): Promise<ChainUnreachable | undefined> {
  const { em, series } = parts
  const seen = new Set<string>()
  for (;;) {
    const page = await dueCommitments(em(), series, COMMITMENTS_PER_PAGE)
    const fresh = page.filter(({ id, state }) => !seen.has(`${id} ${state}`))
    if (fresh.length === 0) return undefined
    for (const commitment of fresh) {
      seen.add(`${commitment.id} ${commitment.state}`)
      if (!(await takeLease(em(), series, holder))) return undefined
      try {
        await step('commit', () => advanceCommitment(parts, commitment), {
          describe: () => ({ facts: { 'pharos.chain': parts.chain.name } }),
        })
      } catch (error) {
        if (!(error instanceof ChainUnreachable)) throw error
        await notReached(parts, commitment, error.message)
        return error
      }
    }
  }
}

/** The public text. The address of the node and the details of the failure are only logged. */
const NOT_REACHED = 'the chain could not be reached'

/** The effect of the failed call is unknown, so only the time of the next look and the error text change. */
async function notReached(parts: AtWork, { id, epochId }: DueCommitment, reason: string): Promise<void> {
  await lookLater(parts.em(), id, { lookMs: parts.pace.retry, error: NOT_REACHED })
  parts.log.warn({ ...parts.series, commitment_id: id, epoch_id: epochId, reason }, 'chain.unreachable')
}

const logClosed = ({ log }: CommitParts, series: Series, { id, sequence, root, blocks }: ClosedEpoch): void =>
  log.info({ ...series, epoch_id: id, sequence, root: root.toString('hex'), blocks }, 'epoch.closed')
