// Checks a Stellar entry: the network must have the transaction, with the epoch root as its memo, in the
// claimed ledger and at the claimed time.
import type { ReadEntry } from '../bundle/bundle_parts.ts'
import { type Lookups, look } from '../lookups/lookup.ts'
import { type StellarTransaction, stellarTransaction } from '../lookups/public_services.ts'
import {
  base64Bytes,
  hexBytes,
  momentOf,
  sameBytes,
  sameSecond,
  shown,
  textOf,
  utcSeconds,
} from './carried_values.ts'
import { type ChainReader, type ChainVerdict, fail, pass, skip, unconfirmed } from './report.ts'

/** An entry carries no bytes, so everything is asked from the network. */
export const readStellarEntry: ChainReader = (entry) => ({
  findings: [],
  isBare: false,
  asks: stellarQuestion(entry) !== undefined,
  confirm: (lookups) => confirmStellar(lookups, entry),
})

/** The hash of the transaction to ask for. Undefined when the entry has no well-formed one. */
function stellarQuestion(entry: ReadEntry): string | undefined {
  return hexBytes(entry.transactionHash, 32) === undefined ? undefined : textOf(entry.transactionHash)
}

async function confirmStellar(lookups: Lookups | undefined, entry: ReadEntry): Promise<ChainVerdict> {
  if (lookups === undefined)
    return unconfirmed(skip('The Stellar transaction was not looked up: external checks are off.'))
  if (entry.transactionHash === undefined)
    return unconfirmed(skip('The Stellar entry names no transaction to look up.'))
  const hash = stellarQuestion(entry)
  if (hash === undefined)
    return unconfirmed(fail(`${shown(entry.transactionHash)} is not the hash of a Stellar transaction.`))
  const network = textOf(entry.network) ?? ''
  const answer = await look(lookups, stellarTransaction(network, hash))
  switch (answer.outcome) {
    case 'found':
      return compared(entry, hash, answer.value)
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

/** Stops at the first disagreement. */
function compared(entry: ReadEntry, hash: string, transaction: StellarTransaction): ChainVerdict {
  if (transaction.hash !== hash)
    return unconfirmed(fail(`Asked for Stellar transaction ${hash}, the network answered about another one.`))
  if (transaction.successful !== true)
    return unconfirmed(fail('The Stellar transaction was not successful, so it has no memo that counts.'))
  const memo = transaction.memo_type === 'hash' ? base64Bytes(transaction.memo, 32) : undefined
  if (!sameBytes(memo, hexBytes(entry.epochMerkleRoot, 32)))
    return unconfirmed(fail('The memo of the Stellar transaction is not the epoch root.'))
  const ofMemo = pass('The memo of the Stellar transaction is the epoch root.')
  const shownAt = momentOf(transaction.created_at)
  const disagreement = ledgerDisagreement(entry, transaction, shownAt)
  if (disagreement !== undefined) return unconfirmed(ofMemo, fail(disagreement))
  const closed = utcSeconds(shownAt)
  const when = closed === undefined ? '' : `, closed at ${closed}`
  const ofLedger = pass(`The Stellar transaction is in ledger ${transaction.ledger}${when}.`)
  return { findings: [ofMemo, ofLedger], isConfirmed: true, shownAt }
}

function ledgerDisagreement(
  { ledger, timestamp }: ReadEntry,
  transaction: StellarTransaction,
  closedAt: number | undefined,
): string | undefined {
  if (ledger !== undefined && ledger !== transaction.ledger)
    return `The Stellar transaction is in ledger ${transaction.ledger}, not the one carried.`
  if (timestamp !== undefined && !sameSecond(momentOf(timestamp), closedAt))
    return `The ledger of the Stellar transaction closed at ${utcSeconds(closedAt) ?? 'a time it does not tell'}, not at the time carried.`
  return undefined
}
