// The wallet: one key, derived from the master key, that owns every coin of the development chain, and the digest
// that its signatures sign (BIP143, SIGHASH_ALL only).
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sizedBytes, u32LittleEndian, u64LittleEndian } from '../../shared/proof/bitcoin/bitcoin_cursor.ts'
import { doubleSha256 } from '../../shared/proof/bitcoin/double_sha256.ts'
import type { Transaction } from '../../shared/proof/bitcoin/transaction.ts'
import { bytesEqual, concatBytes } from '../../shared/proof/bytes.ts'
import type { MasterKey } from '../kernel/sealed.ts'
import { hash160, type Outpoint, payToWitnessKey, witnessKeyHash } from './transaction_form.ts'

const SIGHASH_ALL = 1

/**
 * Returns the 32-byte digest to sign for input `at`, which spends `amount` satoshis of `keyHash`. The digest includes
 * the amount, so a signer with a wrong amount makes an invalid signature and not a transaction with a huge fee.
 */
export function witnessDigest(
  { version, inputs, outputs, lockTime }: Transaction,
  at: number,
  { amount, keyHash }: { amount: number; keyHash: Uint8Array },
): Uint8Array {
  const input = inputs[at]
  if (input === undefined) throw new RangeError(`no input ${at}`)
  return doubleSha256(
    concatBytes(
      u32LittleEndian(version),
      doubleSha256(concatBytes(...inputs.map(outpointBytes))),
      doubleSha256(concatBytes(...inputs.map(({ sequence }) => u32LittleEndian(sequence)))),
      outpointBytes(input),
      sizedBytes(payToKeyHash(keyHash)),
      u64LittleEndian(BigInt(amount)),
      u32LittleEndian(input.sequence),
      doubleSha256(
        concatBytes(...outputs.flatMap(({ value, script }) => [u64LittleEndian(value), sizedBytes(script)])),
      ),
      u32LittleEndian(lockTime),
      u32LittleEndian(SIGHASH_ALL),
    ),
  )
}

const outpointBytes = ({ previousTransaction, previousOutput }: Outpoint): Uint8Array =>
  concatBytes(previousTransaction, u32LittleEndian(previousOutput))

/** DUP HASH160 <hash> EQUALVERIFY CHECKSIG, which BIP143 uses for a witness key hash. */
const payToKeyHash = (keyHash: Uint8Array): Uint8Array =>
  concatBytes(Uint8Array.of(0x76, 0xa9, 20), keyHash, Uint8Array.of(0x88, 0xac))

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
