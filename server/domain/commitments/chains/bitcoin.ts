// Bitcoin through a node with a wallet. The root is in an OP_RETURN output, and a Merkle proof shows that a block
// contains it.
import { z } from 'zod'
import { displayHash } from '../../../../shared/proof/bitcoin/bitcoin_bytes.ts'
import { headerHash } from '../../../../shared/proof/bitcoin/block_header.ts'
import { readTransaction, transactionHash } from '../../../../shared/proof/bitcoin/transaction.ts'
import { readTxoutproof } from '../../../../shared/proof/bitcoin/txoutproof.ts'
import { bytesEqual, readOrUndefined, toHex } from '../../../../shared/proof/bytes.ts'
import { BITCOIN_CODES, type BitcoinRpc, RpcError, undefinedWhenUnknown } from './bitcoin_rpc.ts'
import { depthByOutputs, lostInput, prepareBitcoin, readPrepared } from './bitcoin_transaction.ts'
import {
  type BroadcastOutcome,
  type Chain,
  ChainUnreachable,
  type Evidence,
  type PreparedTransaction,
  type Whereabouts,
} from './chain.ts'

interface BitcoinOptions {
  readonly rpc: BitcoinRpc
  /** A transaction is confirmed when it has this many confirmations. Its own block counts as the first. */
  readonly confirmations: number
}

const CHAIN_INFO = z.object({ chain: z.string() })

/** The keys are the names that `getblockchaininfo` returns. */
const NETWORKS: Readonly<Record<string, string>> = {
  main: 'mainnet',
  test: 'testnet',
  testnet4: 'testnet',
  signet: 'testnet',
  regtest: 'regtest',
}

/**
 * Depth in blocks after which a transaction is not checked again. Regtest has no attackers, so its depth is smaller.
 */
const SETTLED_DEPTH = { regtest: 10, others: 100 } as const
/** Depth in blocks. A transaction is given up when another one that spends its input is this deep. */
const DEAD_DEPTH = 6

export function bitcoinChain({ rpc, confirmations }: BitcoinOptions): Chain {
  let known: string | undefined
  const network = async (): Promise<string> => {
    if (known !== undefined) return known
    const { chain } = await rpc.call('getblockchaininfo', [], CHAIN_INFO).catch(unreachableWhenRefused)
    const name = Object.hasOwn(NETWORKS, chain) ? NETWORKS[chain] : undefined
    if (name === undefined)
      throw new ChainUnreachable('the node is on a network that is not known here', {
        why: 'unknown_network',
      })
    known = name
    return name
  }
  return Object.freeze({
    name: 'bitcoin',
    network,
    prepare: (root: Uint8Array, replaces?: PreparedTransaction) => prepareBitcoin({ rpc }, root, replaces),
    broadcast: (prepared: PreparedTransaction) => broadcast(rpc, prepared),
    locate: async (prepared: PreparedTransaction) => {
      const settledDepth = (await network()) === 'regtest' ? SETTLED_DEPTH.regtest : SETTLED_DEPTH.others
      return locate(rpc, prepared, { confirmations, settledDepth: Math.max(settledDepth, confirmations) })
    },
    close: rpc.close,
  } satisfies Chain)
}

async function broadcast(rpc: BitcoinRpc, { bytes }: PreparedTransaction): Promise<BroadcastOutcome> {
  try {
    await rpc.call('sendrawtransaction', [toHex(bytes)], z.string())
    return { outcome: 'accepted' }
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
    const isThere =
      error.code === BITCOIN_CODES.alreadyInChain ||
      (error.code === BITCOIN_CODES.refusedByRules && /txn-already-(in-mempool|known)/.test(error.message))
    return isThere ? { outcome: 'accepted' } : { outcome: 'refused', reason: error.message }
  }
}

const WALLET_TRANSACTION = z.object({
  /** Negative when a transaction that spends the same input is in a block, at this depth. */
  confirmations: z.number().int(),
  blockhash: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
})

interface Depths {
  readonly confirmations: number
  readonly settledDepth: number
}

async function locate(rpc: BitcoinRpc, prepared: PreparedTransaction, depths: Depths): Promise<Whereabouts> {
  const { transactionHash: txid } = prepared
  const found = await askIfThere(rpc, 'gettransaction', [txid], WALLET_TRANSACTION)
  if (found === undefined) return locateStranger(rpc, prepared, depths)
  const { confirmations, blockhash } = found
  if (confirmations <= -DEAD_DEPTH)
    return { state: 'dead', reason: `its input was spent elsewhere, ${-confirmations} blocks deep` }
  if (confirmations < 0) return { state: 'waiting' }
  if (confirmations === 0 || blockhash === undefined) {
    // The wallet keeps its old transactions. Only the pool shows whether this one can still be included.
    const pooled = await askIfThere(rpc, 'getmempoolentry', [txid], z.object({}))
    return pooled === undefined ? takenOut(rpc, prepared, { evenIfWaiting: false }) : { state: 'waiting' }
  }
  if (confirmations < depths.confirmations) return { state: 'included' }
  return (await readEvidence(rpc, { prepared, blockHash: blockhash, depths })) ?? { state: 'waiting' }
}

/**
 * Finds a transaction that the wallet does not have. The wallet has every transaction that its node accepted, so
 * either the node never accepted this one, or the wallet was recreated later. In the second case the chain shows the
 * transaction through its unspent change output.
 */
async function locateStranger(
  rpc: BitcoinRpc,
  prepared: PreparedTransaction,
  depths: Depths,
): Promise<Whereabouts> {
  const transaction = readPrepared(prepared)
  const { transactionHash: txid } = prepared
  const depth = transaction === undefined ? undefined : await depthByOutputs(rpc, txid, transaction)
  if (depth === undefined) return takenOut(rpc, prepared, { evenIfWaiting: true })
  if (depth === 0) return { state: 'waiting' }
  if (depth < depths.confirmations) return { state: 'included' }
  const proof = await askIfThere(rpc, 'gettxoutproof', [[txid]], HEX)
  const block = proof === undefined ? undefined : readProof(proof)
  if (block === undefined) return { state: 'waiting' }
  const blockHash = headerHash(block.header)
  return (await readEvidence(rpc, { prepared, blockHash, depths })) ?? { state: 'waiting' }
}

/** For a transaction that is in no block and not in the pool. */
async function takenOut(
  rpc: BitcoinRpc,
  prepared: PreparedTransaction,
  rule: { readonly evenIfWaiting: boolean },
): Promise<Whereabouts> {
  const transaction = readPrepared(prepared)
  const lost = transaction === undefined ? undefined : await lostInput(rpc, transaction, rule)
  return lost === undefined
    ? { state: 'unknown' }
    : { state: 'spent', reason: `its input ${lost} is not there any more` }
}

const HEADER = z.object({ height: z.number().int().min(0), confirmations: z.number().int() })
const HEX = z
  .string()
  .regex(/^(?:[0-9a-f]{2})+$/)
  .transform((text): Uint8Array => Buffer.from(text, 'hex'))

/**
 * Returns undefined when the block has left the chain since the wallet was asked. The node's proof is checked as a
 * verifier checks it, because a bundle that does not verify must never be made.
 * @throws ChainUnreachable when the proof does not hold
 */
async function readEvidence(
  rpc: BitcoinRpc,
  { prepared, blockHash, depths }: { prepared: PreparedTransaction; blockHash: string; depths: Depths },
): Promise<Whereabouts | undefined> {
  const proof = await askIfThere(rpc, 'gettxoutproof', [[prepared.transactionHash], blockHash], HEX)
  const header = await askIfThere(rpc, 'getblockheader', [blockHash], HEADER)
  if (proof === undefined || header === undefined || header.confirmations < 1) return undefined
  if (header.confirmations < depths.confirmations) return { state: 'included' }
  return {
    state: 'confirmed',
    settled: header.confirmations >= depths.settledDepth,
    evidence: evidenceOf(prepared, { blockHash, height: header.height, txoutproof: proof }),
  }
}

function evidenceOf(
  { bytes }: PreparedTransaction,
  { blockHash, height, txoutproof }: { blockHash: string; height: number; txoutproof: Uint8Array },
): Evidence {
  const wanted = transactionHash(readTransaction(bytes))
  const proof = readProof(txoutproof)
  const holds =
    proof?.isValid === true &&
    headerHash(proof.header) === blockHash &&
    proof.matched.some((hash) => bytesEqual(hash, wanted))
  if (!holds) throw new ChainUnreachable('gettxoutproof: the node’s proof does not hold', { why: 'strange' })
  return {
    chain: 'bitcoin',
    blockHeight: height,
    blockHash,
    timestamp: new Date(proof.fields.time * 1_000),
    rawTransaction: bytes,
    txoutproof,
    blockMerkleRoot: displayHash(proof.fields.merkleRoot),
  }
}

const readProof = (bytes: Uint8Array): ReturnType<typeof readTxoutproof> | undefined =>
  readOrUndefined(() => readTxoutproof(bytes))

/**
 * Returns undefined when the node does not have the requested object.
 * @throws ChainUnreachable when the node refuses
 */
const askIfThere = <T>(
  rpc: BitcoinRpc,
  method: string,
  parameters: readonly unknown[],
  result: z.ZodType<T>,
): Promise<T | undefined> =>
  rpc.call(method, parameters, result).catch(undefinedWhenUnknown).catch(unreachableWhenRefused)

/**
 * The node refused a call that a working node answers: the wallet is not loaded, or other software answers at the
 * address.
 */
const unreachableWhenRefused = (error: unknown): never => {
  if (error instanceof RpcError) throw new ChainUnreachable(error.message, { cause: error, why: 'refusing' })
  throw error
}
