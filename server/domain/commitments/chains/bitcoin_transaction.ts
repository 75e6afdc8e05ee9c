// The Bitcoin transaction that carries a root: made and signed by the wallet, which chooses the inputs and the change; and
// whether its inputs are still unspent, because without them it can never be included. Nothing is sent.
import { z } from 'zod'
import { displayHash } from '../../../../shared/proof/bitcoin/bitcoin_bytes.ts'
import {
  opReturnOf,
  readTransaction,
  type Transaction,
  transactionId,
  writeTransaction,
} from '../../../../shared/proof/bitcoin/transaction.ts'
import { bytesEqual, readOrUndefined, toHex } from '../../../../shared/proof/bytes.ts'
import { type BitcoinRpc, RpcError, undefinedWhenUnknown } from './bitcoin_rpc.ts'
import { ChainRefused, type PreparedTransaction } from './chain.ts'

/** Returns undefined when the bytes cannot be read. Then its inputs cannot be checked. */
export const readPrepared = ({ bytes }: Pick<PreparedTransaction, 'bytes'>): Transaction | undefined =>
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
    if ((await unspent(rpc, { ...output, withPool: true })) !== 'none') continue
    if (evenIfWaiting || (await unspent(rpc, { ...output, withPool: false })) === 'none')
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
    const found = await unspent(rpc, { txid, n, withPool: true })
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

const UNSPENT = z.object({ confirmations: z.number().int().min(0) })

/** Returns `none` when it is spent or was never made, undefined when the node refuses the call. */
async function unspent(
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

/** Marks the transaction as replaceable (BIP125). */
const REPLACEABLE_SEQUENCE = 0xffff_fffd
/**
 * A replacement pays at least the old fee times this factor, and at least the fees of everything that it removes from
 * the pool, which includes transactions that spend the old one's change. It also pays the node's relay fee (1
 * sat/vB).
 */
const FEE_FACTOR = 1.5
const RELAY_RATE = 1
const SATOSHIS = 100_000_000

const HEX = z.string().regex(/^(?:[0-9a-f]{2})+$/)
const FUNDED = z.object({ hex: HEX, fee: z.number().nonnegative() })
const SIGNED = z.object({ hex: HEX, complete: z.boolean() })

/** @throws ChainRefused when the wallet cannot or will not make the transaction */
export async function prepareBitcoin(
  { rpc }: { rpc: BitcoinRpc },
  root: Uint8Array,
  replaces: PreparedTransaction | undefined,
): Promise<PreparedTransaction> {
  const replaced = replaces === undefined ? undefined : readTransaction(replaces.bytes)
  try {
    const inputs = (replaced?.inputs ?? []).map(({ previousTransaction, previousOutput }) => ({
      txid: displayHash(previousTransaction),
      vout: previousOutput,
      sequence: REPLACEABLE_SEQUENCE,
    }))
    const bare = await rpc.call('createrawtransaction', [inputs, [{ data: toHex(root) }], 0, true], HEX)
    const funded = await fund(rpc, bare, replaced)
    const signed = await rpc.call('signrawtransactionwithwallet', [funded], SIGNED)
    if (!signed.complete) throw new ChainRefused('the wallet could not sign the transaction')
    return checked(Buffer.from(signed.hex, 'hex'), root, replaced)
  } catch (error) {
    if (error instanceof RpcError) throw new ChainRefused(error.message, { cause: error })
    throw error
  }
}

/**
 * Uses the wallet's own fee estimate. A replacement pays at least what nodes require to accept it in place of the old
 * transaction.
 */
async function fund(rpc: BitcoinRpc, bare: string, replaced: Transaction | undefined): Promise<string> {
  const options = { replaceable: true, changePosition: 1 }
  const funded = await rpc.call('fundrawtransaction', [bare, options], FUNDED)
  const paid = replaced === undefined ? undefined : await feeOf(rpc, replaced)
  if (replaced === undefined || paid === undefined) return funded.hex
  const size = virtualSize(replaced)
  const least = Math.max(paid * FEE_FACTOR, await drivenOut(rpc, replaced)) + RELAY_RATE * size
  if (funded.fee * SATOSHIS >= least) return funded.hex
  const feeRate = Math.ceil(least / size)
  return (await rpc.call('fundrawtransaction', [bare, { ...options, fee_rate: feeRate }], FUNDED)).hex
}

const WALLET_FEE = z.object({ fee: z.number().nonpositive() })

/** In satoshis. Undefined when the node does not have the transaction, so there is no fee to exceed. */
async function feeOf(rpc: BitcoinRpc, transaction: Transaction): Promise<number | undefined> {
  const found = await rpc
    .call('gettransaction', [transactionId(transaction)], WALLET_FEE)
    .catch(undefinedWhenUnknown)
  return found && Math.round(-found.fee * SATOSHIS)
}

const POOL_ENTRY = z.object({
  fees: z.object({ descendant: z.number().nonnegative().optional() }).optional(),
})

/**
 * The total fee in satoshis of the transaction and everything in the pool that spends from it. 0 when it is not in
 * the pool.
 */
async function drivenOut(rpc: BitcoinRpc, transaction: Transaction): Promise<number> {
  const found = await rpc
    .call('getmempoolentry', [transactionId(transaction)], POOL_ENTRY)
    .catch(undefinedWhenUnknown)
  return Math.round((found?.fees?.descendant ?? 0) * SATOSHIS)
}

/** BIP141: a byte of witness data counts as a quarter of a byte. */
function virtualSize(transaction: Transaction): number {
  const bare = { ...transaction, inputs: transaction.inputs.map((input) => ({ ...input, witness: [] })) }
  return Math.ceil((3 * writeTransaction(bare).length + writeTransaction(transaction).length) / 4)
}

/**
 * Checks the wallet's transaction, because a wrong one would cost a fee or lose the epoch.
 * @throws ChainRefused
 */
function checked(
  bytes: Uint8Array,
  root: Uint8Array,
  replaced: Transaction | undefined,
): PreparedTransaction {
  const transaction = readPrepared({ bytes })
  if (transaction === undefined) throw new ChainRefused('the wallet returned no transaction')
  const carried = opReturnOf(transaction)
  if (carried === undefined || !bytesEqual(carried, root))
    throw new ChainRefused('the wallet returned a transaction that does not carry the root')
  if (replaced !== undefined && !sharesInput(transaction, replaced))
    throw new ChainRefused('the wallet returned a replacement that does not spend the same input')
  return { transactionHash: transactionId(transaction), bytes }
}

const sharesInput = (one: Transaction, other: Transaction): boolean =>
  one.inputs.some((input) =>
    other.inputs.some(
      (known) =>
        known.previousOutput === input.previousOutput &&
        bytesEqual(known.previousTransaction, input.previousTransaction),
    ),
  )
