// What to do about a commitment, from what its chain says about every transaction that was tried for it.
import type { Evidence, Whereabouts } from './chains/chain.ts'
import type { DueCommitment, TriedTransaction } from './due_commitments.ts'
import type { Pace } from './pace.ts'

export interface Sighting {
  readonly transaction: TriedTransaction
  readonly where: Whereabouts
}

export type Move =
  /** Make and sign a transaction; it competes with `replaces`, or with nothing that could still be included. */
  | { readonly do: 'prepare'; readonly replaces?: TriedTransaction }
  | { readonly do: 'send'; readonly transaction: TriedTransaction }
  | { readonly do: 'wait' }
  | {
      readonly do: 'confirm'
      readonly transaction: TriedTransaction
      readonly evidence: Evidence
      readonly settled: boolean
    }
  /** It is confirmed, as is known. */
  | { readonly do: 'keep'; readonly settled: boolean }
  /** It was confirmed, and a reorganisation took it out again. */
  | { readonly do: 'reopen' }

/**
 * `sightings`: the newest transaction first, at least up to a confirmed one. That no two of them are ever included is
 * seen to here: a new one spends what an earlier one spends, unless every earlier one is gone.
 */
export function nextMove(
  { state, confirmed }: Pick<DueCommitment, 'state' | 'confirmed'>,
  sightings: readonly Sighting[],
  pace: Pace,
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
  // One that waits says what fee the next one has to beat; one whose input is not there leaves nothing to compete for.
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
 * The next one need not compete with it. One whose input is not there is gone at once when its chain never took it, and
 * otherwise only after as long as it takes to give up on one: till then it may turn out to have been included.
 */
function isGone({ transaction: { sentMs }, where }: Sighting, pace: Pace): boolean {
  return where.state === 'dead' || (where.state === 'spent' && (sentMs === null || sentMs >= pace.replace))
}

/** Taken, and the news of it lost with whoever sent it: sending it once more says so again. */
const onItsWay = (state: DueCommitment['state'], { transaction }: Sighting): Move =>
  state === 'submitted' ? { do: 'wait' } : { do: 'send', transaction }

/** Each one is given twice the time of the one before: a chain that is stuck for months is not buried in replacements. */
function outlasted(sightings: readonly Sighting[], pace: Pace): boolean {
  const newest = sightings[0]?.transaction
  return newest !== undefined && newest.ageMs >= pace.replace * 2 ** (newest.number - 1)
}
