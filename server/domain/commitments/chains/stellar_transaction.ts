// The transaction that carries a root on Stellar: one stroop from the account to itself, the root as its hash memo.
import {
  Account,
  Asset,
  Keypair,
  Memo,
  Networks,
  Operation,
  type Transaction,
  TransactionBuilder,
} from '@stellar/stellar-sdk/base'

export const STELLAR_NETWORKS = { public: Networks.PUBLIC, testnet: Networks.TESTNET } as const
export type StellarNetwork = keyof typeof STELLAR_NETWORKS

/** What a stored envelope says, read back from its bytes. */
export interface RootTransaction {
  /** 64 hex: the network's name for it, over its content without the signatures. */
  readonly hash: string
  readonly sequence: bigint
  /** Stroops that are offered at most; the network takes less when it is not busy. */
  readonly fee: number
  /** Unix seconds of the last close time of a ledger that may hold it. */
  readonly validUntil: number
}

export interface RootTransactionOrder {
  /** 32 bytes. */
  readonly root: Uint8Array
  readonly sequence: bigint
  readonly fee: number
  readonly validUntil: number
}

/** @throws Error that does not repeat the text, when it is no secret seed */
export function stellarKey(secret: string): Keypair {
  try {
    return Keypair.fromSecret(secret)
  } catch {
    throw new Error('STELLAR_SECRET is no valid Stellar secret seed.')
  }
}

/** The signed envelope in XDR. The same order gives the same bytes: Ed25519 signatures are deterministic. */
export function signRoot(
  { key, network }: { key: Keypair; network: StellarNetwork },
  { root, sequence, fee, validUntil }: RootTransactionOrder,
): { hash: string; bytes: Uint8Array } {
  // The builder takes the next number after the account's.
  const account = new Account(key.publicKey(), String(sequence - 1n))
  const transaction = new TransactionBuilder(account, {
    fee: String(fee),
    networkPassphrase: STELLAR_NETWORKS[network],
    timebounds: { minTime: 0, maxTime: validUntil },
  })
    .addOperation(
      Operation.payment({ destination: key.publicKey(), asset: Asset.native(), amount: ONE_STROOP }),
    )
    .addMemo(Memo.hash(Buffer.from(root).toString('hex')))
    .build()
  transaction.sign(key)
  return { hash: hexHash(transaction), bytes: Buffer.from(transaction.toXDR(), 'base64') }
}

const ONE_STROOP = '0.0000001'

/** @throws when the bytes are no such transaction: they were stored by us, so that is a fault of ours */
export function readRootTransaction(bytes: Uint8Array, network: StellarNetwork): RootTransaction {
  const transaction = TransactionBuilder.fromXDR(
    Buffer.from(bytes).toString('base64'),
    STELLAR_NETWORKS[network],
  )
  if (!('sequence' in transaction)) throw new Error('A fee bump carries no root.')
  return {
    hash: hexHash(transaction),
    sequence: BigInt(transaction.sequence),
    fee: Number(transaction.fee),
    // 0 is the network's word for "without end".
    validUntil: Number(transaction.timeBounds?.maxTime ?? 0) || Number.POSITIVE_INFINITY,
  }
}

const hexHash = (transaction: Transaction): string => Buffer.from(transaction.hash()).toString('hex')
