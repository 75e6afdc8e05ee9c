// The transaction that carries a root on Stellar: the account pays one stroop to itself, and the root is the hash
// memo.
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

const STELLAR_NETWORKS = { public: Networks.PUBLIC, testnet: Networks.TESTNET } as const
export type StellarNetwork = keyof typeof STELLAR_NETWORKS

/** The contents of a stored envelope, read from its bytes. */
export interface RootTransaction {
  /** 64 hex digits. The network computes the hash over the content without the signatures. */
  readonly hash: string
  readonly sequence: bigint
  /** The most that is offered, in stroops. The network takes less when it is not busy. */
  readonly fee: number
  /** Unix seconds. A ledger that closes later cannot contain the transaction. */
  readonly validUntil: number
}

interface RootTransactionOrder {
  /** 32 bytes. */
  readonly root: Uint8Array
  readonly sequence: bigint
  readonly fee: number
  readonly validUntil: number
}

/** @throws Error when the text is not a secret seed; the message does not contain the text */
export function stellarKey(secret: string): Keypair {
  try {
    return Keypair.fromSecret(secret)
  } catch {
    throw new Error('STELLAR_SECRET is no valid Stellar secret seed.')
  }
}

/**
 * Returns the signed envelope in XDR. The same order gives the same bytes, because Ed25519 signatures are
 * deterministic.
 */
export function signRoot(
  { key, network }: { key: Keypair; network: StellarNetwork },
  { root, sequence, fee, validUntil }: RootTransactionOrder,
): { hash: string; bytes: Uint8Array } {
  // The builder uses the account's number plus one.
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

/** @throws Error when the bytes are not such a transaction, which would be our own fault because we stored them */
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
    // 0 means that the transaction has no end time.
    validUntil: Number(transaction.timeBounds?.maxTime ?? 0) || Number.POSITIVE_INFINITY,
  }
}

const hexHash = (transaction: Transaction): string => Buffer.from(transaction.hash()).toString('hex')
