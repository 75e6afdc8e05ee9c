// The wallet: one key, derived from the master key, that owns every coin of the development chain.
import { secp256k1 } from '@noble/curves/secp256k1.js'
import type { Transaction } from '../../shared/proof/bitcoin/transaction.ts'
import { bytesEqual, concatBytes } from '../../shared/proof/bytes.ts'
import type { MasterKey } from '../kernel/sealed.ts'
import { hash160, payToWitnessKey, witnessKeyHash } from './script.ts'
import { SIGHASH_ALL, witnessDigest } from './sighash.ts'

export const WALLET_NAME = 'pharos'

/** Size of the longest witness: a count, the signature with its kind, and the compressed key, each with a length. */
export const WITNESS_BYTES = 1 + 1 + 72 + 1 + 33

export interface Wallet {
  /** The script that pays to the wallet. */
  readonly script: Uint8Array
  /** Returns the witness of input `at`, which spends a coin of this wallet with `amount` satoshis. */
  readonly witness: (transaction: Transaction, at: number, amount: number) => readonly Uint8Array[]
}

/** Every server with the same master key has the same wallet. Nothing of it is stored. */
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

/**
 * Returns whether input `at` may spend this coin: it needs a signature by the coin's key over exactly this
 * transaction.
 */
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

/** A signature or a key that cannot be read is not valid. */
function verifies(signature: Uint8Array, digest: Uint8Array, publicKey: Uint8Array): boolean {
  try {
    return secp256k1.verify(signature, digest, publicKey, { prehash: false, format: 'der' })
  } catch {
    return false
  }
}
