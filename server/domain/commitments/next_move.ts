// Decides the next step of a commitment from the state of all its transactions on the chain.
import type { Evidence, Whereabouts } from './chains/chain.ts'
import type { DueCommitment, TriedTransaction } from './due_commitments.ts'
import type { ChainPace } from './series.ts'

export interface Sighting {
  readonly transaction: TriedTransaction
  readonly where: Whereabouts
}

export type Move =
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
export function nextMove(
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
