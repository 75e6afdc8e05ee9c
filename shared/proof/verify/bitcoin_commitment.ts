// Checks a Bitcoin entry. First: do the carried bytes agree with each other. Then: does the network have the
// block.
import { displayHash } from '../bitcoin/bitcoin_bytes.ts'
import {
  HEADER_BYTES,
  hasWorkOf,
  headerHash,
  isOfDevelopmentChain,
  readHeader,
} from '../bitcoin/block_header.ts'
import { opReturnOf, readTransaction, type Transaction, transactionId } from '../bitcoin/transaction.ts'
import { readTxoutproof, type Txoutproof } from '../bitcoin/txoutproof.ts'
import type { Carried, ReadEntry } from '../bundle/bundle_parts.ts'
import { readOrUndefined } from '../bytes.ts'
import { type Lookups, look } from '../lookups/lookup.ts'
import { bitcoinBlock } from '../lookups/public_services.ts'
import {
  hexBytes,
  hexOrBase64Url,
  integerOf,
  momentOf,
  sameBytes,
  sameSecond,
  shown,
  utcSeconds,
} from './carried_values.ts'
import {
  type ChainReader,
  type ChainVerdict,
  type Finding,
  fail,
  info,
  pass,
  skip,
  unconfirmed,
} from './report.ts'

export const readBitcoinEntry: ChainReader = (entry) => {
  const { question, ...evidence } = bitcoinEvidence(entry)
  return {
    ...evidence,
    asks: question !== undefined,
    confirm: (lookups) => confirmBitcoin(lookups, question),
  }
}

function bitcoinEvidence(entry: ReadEntry) {
  const { rawTransaction, txoutproof, blockMerkleRoot } = entry
  if (rawTransaction === undefined && txoutproof === undefined && blockMerkleRoot === undefined) {
    const nothing = skip(
      'The Bitcoin entry carries no transaction, txoutproof or block Merkle root to check.',
    )
    return { findings: [nothing], isBare: true, question: undefined }
  }
  const ofTransaction = transactionFindings(entry)
  const proof = decoded(txoutproof, readTxoutproof)
  const ofProof = proofFindings(entry, proof)
  const needed = [ofTransaction[0], ofTransaction[1], ofProof[0]]
  const agrees = needed.every((finding) => finding?.status === 'info')
  return {
    findings: [...ofTransaction, ...ofProof],
    isBare: false,
    /**
     * For the network. Present only when transaction, txid and tree agree, because a real header alone proves
     * nothing about the epoch.
     */
    question: agrees && proof !== undefined ? blockQuestion(entry, proof) : undefined,
  }
}

/** The report row about the network. */
async function confirmBitcoin(
  lookups: Lookups | undefined,
  question: ReturnType<typeof blockQuestion>,
): Promise<ChainVerdict> {
  if (lookups === undefined)
    return unconfirmed(skip('The Bitcoin block was not looked up: external checks are off.'))
  if (question === undefined)
    return unconfirmed(
      skip(
        'The Bitcoin block was not looked up: that takes a public network, a height and bytes that agree.',
      ),
    )
  const { network, hash, height, headerTime } = question
  const answer = await look(lookups, bitcoinBlock(network, hash))
  switch (answer.outcome) {
    case 'found': {
      const { id, height: found } = answer.value
      if (id !== hash)
        return unconfirmed(fail(`Asked for Bitcoin block ${hash}, ${network} answered about another one.`))
      if (found !== height)
        return unconfirmed(fail(`Bitcoin ${network} has block ${hash} at height ${found}, not ${height}.`))
      return {
        findings: [pass(`Bitcoin ${network} has block ${hash} at height ${height}.`)],
        isConfirmed: true,
        shownAt: headerTime,
      }
    }
    case 'absent':
      return unconfirmed(fail(`Bitcoin ${network} does not know block ${hash}.`))
    case 'unreachable':
      return unconfirmed(skip(`Bitcoin block ${hash} could not be looked up: ${answer.why}.`))
    default:
      return answer satisfies never
  }
}

/** The report rows a and b. */
function transactionFindings({ rawTransaction, transactionHash, epochMerkleRoot }: ReadEntry): Finding[] {
  if (rawTransaction === undefined) return [skip('No raw Bitcoin transaction is carried.')]
  const transaction = decoded(rawTransaction, readTransaction)
  const hasNoHash = skip('No transaction hash is carried to compare the raw Bitcoin transaction with.')
  if (transaction === undefined) {
    const undecodable = fail('The raw Bitcoin transaction cannot be decoded.')
    return [undecodable, transactionHash === undefined ? hasNoHash : undecodable]
  }
  return [
    opReturnFinding(transaction, epochMerkleRoot),
    transactionHash === undefined ? hasNoHash : idFinding(transaction, transactionHash),
  ]
}

function opReturnFinding(transaction: Transaction, epochMerkleRoot: Carried): Finding {
  const pushed = opReturnOf(transaction)
  if (pushed === undefined) return fail('The raw Bitcoin transaction has no OP_RETURN output.')
  return sameBytes(pushed, hexBytes(epochMerkleRoot, 32))
    ? info('The OP_RETURN of the raw Bitcoin transaction is the epoch root.')
    : fail(`The OP_RETURN of the raw Bitcoin transaction is ${shown(pushed)}, not the epoch root.`)
}

function idFinding(transaction: Transaction, transactionHash: Carried): Finding {
  const id = transactionId(transaction)
  return sameBytes(hexBytes(id, 32), hexBytes(transactionHash, 32))
    ? info(`The raw Bitcoin transaction is ${id}.`)
    : fail(`The raw Bitcoin transaction is ${id}, not ${shown(transactionHash)}.`)
}

/** The report rows c and d. */
function proofFindings(entry: ReadEntry, proof: Txoutproof | undefined): Finding[] {
  if (entry.txoutproof === undefined) return [skip('No txoutproof is carried.')]
  if (proof === undefined) return [fail('The txoutproof cannot be decoded.')]
  return [treeFinding(proof, entry), headerFinding(proof, entry)]
}

/**
 * The work comes first, so that it is checked without a transaction hash too. Whoever leaves the whole txoutproof out
 * leaves this check out: the row says `skip`, and the verdict warns (`lacksBlock`).
 */
function treeFinding(proof: Txoutproof, { transactionHash, network }: ReadEntry): Finding {
  if (!hasWorkOf(network, proof.header))
    return fail(
      'The header in the txoutproof took too little work for a block of the network that its commitment names.',
    )
  if (transactionHash === undefined) return skip('No transaction hash is carried to find in the txoutproof.')
  if (!proof.isValid)
    return fail('The tree of the txoutproof does not lead to the Merkle root of its header.')
  const wanted = hexBytes(transactionHash, 32)?.reverse()
  return proof.matched.some((leaf) => sameBytes(leaf, wanted))
    ? info(`The txoutproof holds transaction ${shown(transactionHash)}.`)
    : fail(`The txoutproof does not hold transaction ${shown(transactionHash)}.`)
}

/**
 * Compares the carried time with the header's. The signature does not cover the carried time, so a time that
 * the header does not show is not proved.
 */
function headerFinding({ fields }: Txoutproof, { blockMerkleRoot, timestamp }: ReadEntry): Finding {
  const wanted = hexBytes(blockMerkleRoot, 32)?.reverse()
  if (blockMerkleRoot !== undefined && !sameBytes(fields.merkleRoot, wanted))
    return fail(
      `The header in the txoutproof has Merkle root ${displayHash(fields.merkleRoot)}, not ${shown(blockMerkleRoot)}.`,
    )
  if (timestamp !== undefined && !sameSecond(momentOf(timestamp), fields.time * 1000))
    return fail(
      `The header in the txoutproof is of ${utcSeconds(fields.time * 1000)}, not of ${shown(timestamp)}.`,
    )
  if (blockMerkleRoot === undefined) return skip('No Bitcoin block Merkle root is carried.')
  return info(
    `The carried Bitcoin block Merkle root ${timestamp === undefined ? 'is that' : 'and time are those'} of the header in the txoutproof.`,
  )
}

/** The hash is in display order, and the time that of the header, in milliseconds since 1970. */
function blockQuestion({ network, blockHeight }: ReadEntry, { header, fields }: Txoutproof) {
  const height = integerOf(blockHeight)
  if ((network !== 'mainnet' && network !== 'testnet') || height === undefined) return undefined
  return { network, hash: headerHash(header), height, headerTime: fields.time * 1000 } as const
}

/** Whether a part is missing that ties the epoch to a block, so that nothing offline shows which chain it is on. */
export const lacksBlock = ({ rawTransaction, transactionHash, txoutproof }: ReadEntry): boolean =>
  rawTransaction === undefined || transactionHash === undefined || txoutproof === undefined

/** Whether the header that is carried is one of a development chain, whatever network the entry names. */
export function hasDevelopmentHeader({ txoutproof }: ReadEntry): boolean {
  const header = decoded(txoutproof, (bytes) => readHeader(bytes.subarray(0, HEADER_BYTES)))
  return header !== undefined && isOfDevelopmentChain(header)
}

/** Undefined when it is absent or cannot be parsed. */
const decoded = <T>(value: Carried, read: (bytes: Uint8Array) => T): T | undefined =>
  typeof value === 'string' ? readOrUndefined(() => read(hexOrBase64Url(value))) : undefined
