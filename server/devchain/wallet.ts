// The wallet: one key, derived from the master key, that owns every coin of the development chain, the script that
// pays to it, and the digest that its signatures sign (BIP143, SIGHASH_ALL only).
import { createHash } from 'node:crypto'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { ripemd160 } from '@noble/hashes/legacy.js'
import {
  doubleSha256,
  sizedBytes,
  u32LittleEndian,
  u64LittleEndian,
} from '../../shared/proof/bitcoin/bitcoin_bytes.ts'
import type { Transaction, TransactionInput } from '../../shared/proof/bitcoin/transaction.ts'
import { bytesEqual, concatBytes } from '../../shared/proof/bytes.ts'
import type { MasterKey } from '../kernel/sealed.ts'

export const hash160 = (bytes: Uint8Array): Uint8Array =>
  ripemd160(createHash('sha256').update(bytes).digest())

/** The script that pays to the key with this HASH160 (BIP141, version 0). */
export const payToWitnessKey = (keyHash: Uint8Array): Uint8Array => concatBytes(Uint8Array.of(0, 20), keyHash)

/** Returns the HASH160 to which the script pays, undefined for another kind of script. */
const witnessKeyHash = (script: Uint8Array): Uint8Array | undefined =>
  script.length === 22 && script[0] === 0 && script[1] === 20 ? script.subarray(2) : undefined

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

const outpointBytes = ({ previousTransaction, previousOutput }: TransactionInput): Uint8Array =>
  concatBytes(previousTransaction, u32LittleEndian(previousOutput))

/** DUP HASH160 <hash> EQUALVERIFY CHECKSIG, which BIP143 uses for a witness key hash. */
const payToKeyHash = (keyHash: Uint8Array): Uint8Array =>
  concatBytes(Uint8Array.of(0x76, 0xa9, 20), keyHash, Uint8Array.of(0x88, 0xac))

export const WALLET_NAME = 'pharos'

export type Wallet = ReturnType<typeof openWallet>

/** Every server with the same master key has the same wallet. Nothing of it is stored. */
export function openWallet({ masterKey }: { masterKey: Pick<MasterKey, 'derive'> }) {
  const secret = masterKey.derive('development chain wallet')
  const publicKey = secp256k1.getPublicKey(secret)
  const keyHash = hash160(publicKey)
  return Object.freeze({
    /** The script that pays to the wallet. */
    script: payToWitnessKey(keyHash),
    /** Returns the witness of input `at`, which spends a coin of this wallet with `amount` satoshis. */
    witness: (transaction: Transaction, at: number, amount: number): readonly Uint8Array[] => {
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
