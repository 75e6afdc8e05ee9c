// Takes one commitment one step further: looks up its transactions on the chain, decides the next step from the state of all
// of them, and takes it.
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Log } from '../../kernel/log.ts'
import {
  type Chain,
  ChainRefused,
  type Evidence,
  type PreparedTransaction,
  type Whereabouts,
} from './chains/chain.ts'
import {
  confirmCommitment,
  lookLater,
  recordRefused,
  recordSent,
  reopenCommitment,
  storeTransaction,
} from './record_try.ts'
import type { ChainPace, DueCommitment, Series, TriedTransaction } from './series.ts'

interface Sighting {
  readonly transaction: TriedTransaction
  readonly where: Whereabouts
}

type Move =
  /**
   * Make and sign a transaction. It competes with `replaces`. Without `replaces`, no earlier transaction can still be
   * included.
   */
  | { readonly do: 'prepare'; readonly replaces?: TriedTransaction }
  | { readonly do: 'send'; readonly transaction: TriedTransaction }
  | { readonly do: 'wait' }
  | {
      readonly do: 'confirm'
      readonly transaction: TriedTransaction
      readonly evidence: Evidence
      readonly settled: boolean
    }
  /** It is confirmed, and that is already recorded. */
  | { readonly do: 'keep'; readonly settled: boolean }
  /** It was confirmed, but a reorganisation removed it. */
  | { readonly do: 'reopen' }

/**
 * Guarantees that at most one transaction of a commitment is ever included: a new one spends the same input as an
 * earlier one, unless all earlier ones are gone.
 * @param sightings the newest transaction first, at least up to a confirmed one
 */
function nextMove(
  { state, confirmed }: Pick<DueCommitment, 'state' | 'confirmed'>,
  sightings: readonly Sighting[],
  pace: ChainPace,
): Move {
  for (const { transaction, where } of sightings) {
    if (where.state !== 'confirmed') continue
    const { evidence, settled } = where
    const sameBlock = evidence.chain !== 'bitcoin' || evidence.blockHash === confirmed?.blockHash
    return transaction.transactionHash === confirmed?.transactionHash && sameBlock
      ? { do: 'keep', settled }
      : { do: 'confirm', transaction, evidence, settled }
  }
  if (confirmed !== undefined) return { do: 'reopen' }
  const included = sightings.find(({ where }) => where.state === 'included')
  if (included !== undefined) return onItsWay(state, included)
  const open = sightings.filter((sighting) => !isGone(sighting, pace))
  const [current] = open
  if (current === undefined) return { do: 'prepare' }
  const waiting = open.find(({ where }) => where.state === 'waiting')
  // Prefer a waiting transaction, because its fee must be exceeded. A transaction whose input is not there has
  // nothing to compete for.
  const replaced = waiting ?? open.find(({ where }) => where.state !== 'spent')
  if (replaced !== undefined && outlasted(sightings, pace))
    return { do: 'prepare', replaces: replaced.transaction }
  if (waiting !== undefined) return onItsWay(state, waiting)
  const { sentMs } = current.transaction
  return sentMs !== null && sentMs < pace.resend
    ? { do: 'wait' }
    : { do: 'send', transaction: current.transaction }
}

/**
 * True when the next transaction need not compete with this one. If the input is not there and the chain never
 * accepted the transaction, it is gone at once. If the chain accepted it, it is gone only `pace.replace` after that,
 * because until then it may turn out to be included.
 */
function isGone({ transaction: { sentMs }, where }: Sighting, pace: ChainPace): boolean {
  return where.state === 'dead' || (where.state === 'spent' && (sentMs === null || sentMs >= pace.replace))
}

/** The chain has it, but the record of that was lost in a crash. Sending it again makes the record. */
const onItsWay = (state: DueCommitment['state'], { transaction }: Sighting): Move =>
  state === 'submitted' ? { do: 'wait' } : { do: 'send', transaction }

/**
 * Each transaction gets twice as much time as the one before, so that a chain that is stuck for months does not get
 * endless replacements.
 */
function outlasted(sightings: readonly Sighting[], pace: ChainPace): boolean {
  const newest = sightings[0]?.transaction
  return newest !== undefined && newest.ageMs >= pace.replace * 2 ** (newest.number - 1)
}

export interface CommitParts {
  readonly em: () => EntityManager
  readonly chain: Chain
  readonly log: Log
  /** Called after facts were written, so that their readers look at once. */
  readonly announceFacts: () => void
}

export interface AtWork extends CommitParts {
  readonly series: Series
  readonly pace: ChainPace
}

/**
 * Makes one step. If the server crashes anywhere, the next call takes the same step again: a transaction is stored
 * before it is sent, a stored one is found, and an included one is recognised. No database transaction is open while
 * the chain is called.
 * @throws ChainUnreachable
 */
export async function advanceCommitment(parts: AtWork, due: DueCommitment): Promise<void> {
  const sightings = await sight(parts.chain, due.tried)
  const move = nextMove(due, sightings, parts.pace)
  switch (move.do) {
    case 'prepare': {
      if (move.replaces === undefined) tellAnew(parts, due, sightings)
      const prepared = await prepareAndStore(parts, due, { replaces: move.replaces, sightings })
      return prepared && send(parts, due, { transaction: prepared, sightings })
    }
    case 'send':
      return send(parts, due, { transaction: move.transaction, sightings })
    case 'wait':
      await lookLater(parts.em(), due.id, { lookMs: parts.pace.look, error: null })
      return
    case 'confirm':
      return confirm(parts, due, move)
    case 'keep':
      return keep(parts, due, move.settled)
    case 'reopen':
      return reopen(parts, due)
    default:
      move satisfies never
  }
}

/**
 * Logs that the commitment starts again with another input. The earlier transactions are kept and are still looked
 * up.
 */
function tellAnew(parts: AtWork, due: DueCommitment, sightings: readonly Sighting[]): void {
  const gone = sightings.flatMap(({ transaction: { transactionHash: transaction }, where }) =>
    'reason' in where ? [{ transaction, state: where.state, reason: where.reason }] : [],
  )
  if (gone.length > 0) parts.log.warn({ ...named(parts, due), gone }, 'commitment.begun_anew')
}

async function sight(chain: Chain, tried: readonly TriedTransaction[]): Promise<Sighting[]> {
  const sightings: Sighting[] = []
  for (const transaction of tried) {
    const where = await chain.locate(transaction)
    sightings.push({ transaction, where })
    if (where.state === 'confirmed') break
  }
  return sightings
}

/**
 * Returns undefined when there is nothing to send, because the chain refused or another server stored a transaction
 * first. In the second case the new transaction is discarded.
 */
async function prepareAndStore(
  parts: AtWork,
  due: DueCommitment,
  { replaces, sightings }: { replaces: TriedTransaction | undefined; sightings: readonly Sighting[] },
): Promise<PreparedTransaction | undefined> {
  try {
    const prepared = await parts.chain.prepare(due.epochRoot, replaces)
    const stored = await storeTransaction(parts.em(), due.id, due.tried.length + 1, prepared)
    return stored ? prepared : undefined
  } catch (error) {
    if (!(error instanceof ChainRefused)) throw error
    await refused(parts, due, { reason: error.message, broadcast: false, sightings })
    return undefined
  }
}

/** Must be called only with a stored transaction. */
async function send(
  parts: AtWork,
  due: DueCommitment,
  { transaction, sightings }: { transaction: PreparedTransaction; sightings: readonly Sighting[] },
): Promise<void> {
  const answer = await parts.chain.broadcast(transaction)
  if (answer.outcome === 'refused')
    return refused(parts, due, { reason: answer.reason, broadcast: true, sightings })
  const { transactionHash } = transaction
  await recordSent(parts.em(), due.id, { transactionHash, lookMs: parts.pace.look })
  parts.announceFacts()
  parts.log.info(
    { ...named(parts, due), transaction: transactionHash, attempts: due.attempts + 1 },
    'commitment.submitted',
  )
}

async function refused(
  parts: AtWork,
  due: DueCommitment,
  { reason, broadcast, sightings }: { reason: string; broadcast: boolean; sightings: readonly Sighting[] },
): Promise<void> {
  const onItsWay = sightings.some(({ where }) => where.state === 'waiting' || where.state === 'included')
  await recordRefused(parts.em(), due.id, { reason, broadcast, onItsWay, lookMs: parts.pace.retry })
  parts.announceFacts()
  parts.log.warn({ ...named(parts, due), reason, on_its_way: onItsWay }, 'commitment.refused')
}

async function confirm(
  parts: AtWork,
  due: DueCommitment,
  { transaction, evidence, settled }: Extract<Move, { do: 'confirm' }>,
): Promise<void> {
  const { transactionHash } = transaction
  const { blocks } = await confirmCommitment(
    parts.em(),
    // A short delay, because `keep` below may not run. It sets the final delay.
    { commitmentId: due.id, transactionHash, evidence, lookMs: parts.pace.look },
  )
  parts.announceFacts()
  parts.log.info(
    { ...named(parts, due), transaction: transactionHash, tried: due.tried.length, blocks },
    'commitment.confirmed',
  )
  await keep(parts, due, settled)
}

/** A confirmed commitment is checked again until it is settled. */
async function keep(parts: AtWork, due: DueCommitment, settled: boolean): Promise<void> {
  const lookMs = settled ? null : parts.pace.watch
  await lookLater(parts.em(), due.id, { lookMs, error: null })
}

async function reopen(parts: AtWork, due: DueCommitment): Promise<void> {
  const { transactionHash } = due.confirmed ?? {}
  if (transactionHash === undefined) return
  if (!(await reopenCommitment(parts.em(), due.id, transactionHash))) return
  parts.announceFacts()
  parts.log.warn({ ...named(parts, due), transaction: transactionHash }, 'commitment.reorganised')
}

const named = ({ series }: AtWork, { id, epochId }: DueCommitment) => ({
  ...series,
  commitment_id: id,
  epoch_id: epochId,
})
