// The digest that a signature over a version 0 witness input signs (BIP143). Only SIGHASH_ALL is supported.
import { sizedBytes, u32LittleEndian, u64LittleEndian } from '../../shared/proof/bitcoin/bitcoin_cursor.ts'
import { doubleSha256 } from '../../shared/proof/bitcoin/double_sha256.ts'
import type { Transaction } from '../../shared/proof/bitcoin/transaction.ts'
import { concatBytes } from '../../shared/proof/bytes.ts'
import type { Outpoint } from './transaction_form.ts'

export const SIGHASH_ALL = 1

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
