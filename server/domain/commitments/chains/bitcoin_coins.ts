// Checks whether the inputs of a transaction are still unspent. Without them a stored transaction can never be
// included.
import { z } from 'zod'
import { displayHash } from '../../../../shared/proof/bitcoin/bitcoin_bytes.ts'
import { readTransaction, type Transaction } from '../../../../shared/proof/bitcoin/transaction.ts'
import { readOrUndefined } from '../../../../shared/proof/bytes.ts'
import { type BitcoinRpc, RpcError } from './bitcoin_rpc.ts'
import type { PreparedTransaction } from './chain.ts'

/** Returns undefined when the bytes cannot be read. Then its inputs cannot be checked. */
export const readPrepared = ({ bytes }: PreparedTransaction): Transaction | undefined =>
  readOrUndefined(() => readTransaction(bytes))

/**
 * Returns the first lost input as `txid:n`, or undefined when all inputs are there or the node refuses the question.
 * An input is lost when it is neither unspent in the chain nor made by a transaction in the pool: another transaction
 * spent it, or the transaction that made it was replaced. With `evenIfWaiting`, an input that a transaction in the
 * pool spends is lost too.
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
 * Returns the depth of a transaction that the wallet does not have, found through one of its unspent outputs. 0 means
 * that it waits in the pool. Undefined means that no unspent output was found, which proves nothing.
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
  /** Whether transactions in the pool count, both those that make the output and those that spend it. */
  readonly withPool: boolean
}

const isUnspent = async (rpc: BitcoinRpc, wanted: Output): Promise<boolean | undefined> => {
  const found = await output(rpc, wanted)
  return found === undefined ? undefined : found !== 'none'
}

const UNSPENT = z.object({ confirmations: z.number().int().min(0) })

/** Returns undefined when the node refuses the call. */
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
