// The wallet: one key, derived from the master key, that owns every coin of the development chain.
import { secp256k1 } from '@noble/curves/secp256k1.js'
import type { Transaction } from '../../shared/proof/bitcoin/transaction.ts'
import { bytesEqual, concatBytes } from '../../shared/proof/bytes.ts'
import type { MasterKey } from '../kernel/sealed.ts'
import { hash160, payToWitnessKey, witnessKeyHash } from './script.ts'
import { SIGHASH_ALL, witnessDigest } from './sighash.ts'

export const WALLET_NAME = 'pharos'

/** The longest witness it makes: a count, then signature with its kind and compressed key, each with a length. */
export const WITNESS_BYTES = 1 + 1 + 72 + 1 + 33

export interface Wallet {
  /** What pays to it. */
  readonly script: Uint8Array
  /** The witness of input `at`, which spends a coin of this wallet that is worth `amount` satoshis. */
  readonly witness: (transaction: Transaction, at: number, amount: number) => readonly Uint8Array[]
}

/** Every server that shares the master key holds the same wallet; nothing of it is stored. */
export function openWallet({ masterKey }: { masterKey: Pick<MasterKey, 'derive'> }): Wallet {
  const secret = masterKey.derive('development chain wallet')
  const publicKey = secp256k1.getPublicKey(secret)
  const keyHash = hash160(publicKey)
  return Object.freeze({
    script: payToWitnessKey(keyHash),
    witness: (transaction: Transaction, at: number, amount: number) => {
      const digest = witnessDigest(transaction, at, { amount, keyHash })
      const signature = secp256k1.sign(digest, secret, { prehash: false, format: 'der' })
      return [concatBytes(signature, Uint8Array.of(SIGHASH_ALL)), publicKey]
    },
  })
}

/** Whether input `at` may spend this coin: a signature of the coin's own key over exactly this transaction. */
export function maySpend(
  transaction: Transaction,
  at: number,
  { amount, script }: { amount: number; script: Uint8Array },
): boolean {
  const keyHash = witnessKeyHash(script)
  const input = transaction.inputs[at]
  const [signature, publicKey, ...more] = input?.witness ?? []
  if (keyHash === undefined || signature === undefined || publicKey === undefined) return false
  if (more.length > 0 || input?.script.length !== 0 || publicKey.length !== 33) return false
  if (signature.at(-1) !== SIGHASH_ALL || !bytesEqual(hash160(publicKey), keyHash)) return false
  return verifies(signature.subarray(0, -1), witnessDigest(transaction, at, { amount, keyHash }), publicKey)
}

/** A signature or a key that cannot be read verifies nothing. */
function verifies(signature: Uint8Array, digest: Uint8Array, publicKey: Uint8Array): boolean {
  try {
    return secp256k1.verify(signature, digest, publicKey, { prehash: false, format: 'der' })
  } catch {
    return false
  }
}
