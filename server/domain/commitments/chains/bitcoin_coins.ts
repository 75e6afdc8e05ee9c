// Whether what a transaction spends is still there: the one thing that can make a stored transaction worthless.
import { z } from 'zod'
import { displayHash } from '../../../../shared/proof/bitcoin/double_sha256.ts'
import { readTransaction, type Transaction } from '../../../../shared/proof/bitcoin/transaction.ts'
import { type BitcoinRpc, RpcError } from './bitcoin_rpc.ts'
import type { PreparedTransaction } from './chain.ts'

/** Undefined when the bytes cannot be read: then nothing can be said about its coins. */
export function readPrepared({ bytes }: PreparedTransaction): Transaction | undefined {
  try {
    return readTransaction(bytes)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/**
 * The first input that is neither in the chain nor made by anything that waits: spent by somebody else, or its own
 * transaction was replaced. As `txid:n`; undefined while all are there, and in doubt. `evenIfWaiting`: a spender that
 * only waits for a block counts too.
 */
export async function lostInput(
  rpc: BitcoinRpc,
  { inputs }: Transaction,
  { evenIfWaiting }: { readonly evenIfWaiting: boolean },
): Promise<string | undefined> {
  for (const { previousTransaction, previousOutput } of inputs) {
    const output = { txid: displayHash(previousTransaction), n: previousOutput }
    const isFree = await isUnspent(rpc, { ...output, withPool: true })
    if (isFree !== false) continue
    if (evenIfWaiting || (await isUnspent(rpc, { ...output, withPool: false })) === false)
      return `${output.txid}:${output.n}`
  }
  return undefined
}

/**
 * The depth of a transaction that the wallet does not know, seen by an output of its own that nobody has spent yet: 0
 * while it waits. Undefined when there is none, which says nothing.
 */
export async function depthByOutputs(
  rpc: BitcoinRpc,
  txid: string,
  { outputs }: Transaction,
): Promise<number | undefined> {
  for (const [n, { script }] of outputs.entries()) {
    if (script[0] === OP_RETURN) continue
    const found = await output(rpc, { txid, n, withPool: true })
    if (typeof found === 'object') return found.confirmations
  }
  return undefined
}

const OP_RETURN = 0x6a

interface Output {
  readonly txid: string
  readonly n: number
  /** Whether what waits in the pool counts: as made, and as spent. */
  readonly withPool: boolean
}

const isUnspent = async (rpc: BitcoinRpc, wanted: Output): Promise<boolean | undefined> => {
  const found = await output(rpc, wanted)
  return found === undefined ? undefined : found !== 'none'
}

const UNSPENT = z.object({ confirmations: z.number().int().min(0) })

/** Undefined when the node will not say. */
async function output(
  rpc: BitcoinRpc,
  { txid, n, withPool }: Output,
): Promise<z.infer<typeof UNSPENT> | 'none' | undefined> {
  try {
    return (await rpc.call('gettxout', [txid, n, withPool], UNSPENT.nullable())) ?? 'none'
  } catch (error) {
    if (error instanceof RpcError) return undefined
    throw error
  }
}
