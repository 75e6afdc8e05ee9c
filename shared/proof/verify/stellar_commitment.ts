// A Stellar entry: whether the network has the transaction, with the epoch root as its memo, in the ledger claimed.
import type { ReadEntry } from '../bundle/bundle_parts.ts'
import type { Lookups, StellarTransaction } from '../lookups.ts'
import { base64Bytes, hexBytes, sameBytes, shown, textOf } from './carried_values.ts'
import { type Finding, fail, pass, skip, unconfirmed, type Verdict } from './finding.ts'

/** The transaction to ask for; undefined when none is named as it should be. */
export function stellarQuestion(entry: ReadEntry): string | undefined {
  return hexBytes(entry.transactionHash, 32) === undefined ? undefined : textOf(entry.transactionHash)
}

export async function confirmStellar(lookups: Lookups | undefined, entry: ReadEntry): Promise<Verdict> {
  if (lookups === undefined)
    return unconfirmed(skip('The Stellar transaction was not looked up: external checks are off.'))
  if (entry.transactionHash === undefined)
    return unconfirmed(skip('The Stellar entry names no transaction to look up.'))
  const hash = stellarQuestion(entry)
  if (hash === undefined)
    return unconfirmed(fail(`${shown(entry.transactionHash)} is not the hash of a Stellar transaction.`))
  const network = textOf(entry.network) ?? ''
  const answer = await lookups.stellarTransaction(network, hash)
  switch (answer.outcome) {
    case 'found':
      return compared(entry, answer.value)
    case 'absent':
      return network === 'public' || network === 'testnet'
        ? unconfirmed(fail(`Stellar ${network} does not know transaction ${hash}.`))
        : unconfirmed(skip(`Stellar transaction ${hash} was not found, on a network we do not know by name.`))
    case 'unreachable':
      return unconfirmed(skip(`Stellar transaction ${hash} could not be looked up: ${answer.why}.`))
    default:
      return answer satisfies never
  }
}

/** The first disagreement ends it. */
function compared(entry: ReadEntry, transaction: StellarTransaction): Verdict {
  const memo = transaction.memo_type === 'hash' ? base64Bytes(transaction.memo, 32) : undefined
  if (!sameBytes(memo, hexBytes(entry.epochMerkleRoot, 32)))
    return unconfirmed(fail('The memo of the Stellar transaction is not the epoch root.'))
  const findings: Finding[] = [pass('The memo of the Stellar transaction is the epoch root.')]
  if (entry.ledger !== undefined && entry.ledger !== transaction.ledger)
    return unconfirmed(
      ...findings,
      fail(`The Stellar transaction is in ledger ${transaction.ledger}, not the one carried.`),
    )
  findings.push(pass(`The Stellar transaction is in ledger ${transaction.ledger}.`))
  return { findings, isConfirmed: true }
}
