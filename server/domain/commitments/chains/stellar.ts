// Stellar as a public chain. The root of an epoch is the hash memo of a minimal payment from our account to itself.
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
import {
  type Chain,
  ChainRefused,
  ChainUnreachable,
  type PreparedTransaction,
  type Whereabouts,
} from './chain.ts'
import { type Horizon, openHorizon } from './stellar_horizon.ts'

export interface StellarOptions {
  readonly network: StellarNetwork
  /** Base address without a slash at the end. */
  readonly horizonUrl: string
  /** Secret seed of the account that pays and signs. Never log it. */
  readonly secret: string
  /** Timeout of each request in milliseconds, instead of the defaults. */
  readonly timeoutMs?: number
}

/**
 * The SDK builds, signs and reads transactions. Horizon is called through our own bounded request, because the SDK's
 * client has no limit for the size of an answer.
 *
 * An account's transactions are accepted in the order of their sequence numbers, and each number is used once.
 * Therefore an epoch is committed at most once: a replacement has the same number as the old transaction, until the
 * chain shows that another transaction used the number. Two epochs that wait at the same time may get the same
 * number. One of them is then dead and is prepared again.
 *
 * Our own clock is not used. Times are compared with the close times of ledgers, as the network does.
 */
export function createStellarChain({ network, horizonUrl, secret, timeoutMs }: StellarOptions): Chain {
  const key = stellarKey(secret)
  const address = key.publicKey()
  const horizon = openHorizon(horizonUrl, timeoutMs === undefined ? {} : { timeoutMs })

  const locate = async (prepared: PreparedTransaction): Promise<Whereabouts> => {
    const transaction = readRootTransaction(prepared.bytes, network)
    // The chain's progress must be read before the transaction. In the other order, a ledger that closes between the
    // two reads could contain the transaction and also make it look expired.
    const passed = await whyPassed(horizon, address, transaction)
    const found = await horizon.transaction(transaction.hash)
    if (found === undefined) return passed === undefined ? UNKNOWN : { state: 'dead', reason: passed }
    if (!found.successful) return { state: 'dead', reason: `ledger ${found.ledger} took it as failed` }
    // A closed ledger is final, so there is no depth to wait for.
    return {
      state: 'confirmed',
      settled: true,
      evidence: { chain: 'stellar', ledger: found.ledger, timestamp: found.closedAt },
    }
  }

  /** Returns the sequence number and the fee for a replacement of a transaction that may still be included. */
  const inPlaceOf = async (replaced: PreparedTransaction, next: bigint) => {
    const { state } = await locate(replaced)
    if (state === 'confirmed') throw new ChainRefused('The transaction to be replaced is included.')
    const { sequence, fee } = readRootTransaction(replaced.bytes, network)
    if (sequence >= next) return { sequence, fee: Math.min(fee * FEE_STEP, MAX_FEE) }
    if (state === 'dead') return { sequence: next, fee: FIRST_FEE }
    throw new ChainUnreachable('It is not certain yet what used the sequence number.', { why: 'not_ready' })
  }

  return Object.freeze({
    name: 'stellar',
    network: async () => network,
    prepare: async (root: Uint8Array, replaces?: PreparedTransaction): Promise<PreparedTransaction> => {
      const [account, { closedAt }] = await Promise.all([horizon.account(address), horizon.head()])
      if (account === undefined)
        throw new ChainRefused(`The account ${address} does not exist on the ${network} network: fund it.`)
      const next = account.sequence + 1n
      const place =
        replaces === undefined ? { sequence: next, fee: FIRST_FEE } : await inPlaceOf(replaces, next)
      const validUntil = Math.floor(closedAt.getTime() / 1_000) + VALID_SECONDS
      const { hash, bytes } = signRoot({ key, network }, { root, ...place, validUntil })
      return { transactionHash: hash, bytes }
    },
    broadcast: ({ bytes, transactionHash }: PreparedTransaction) =>
      horizon.submit(Buffer.from(bytes).toString('base64'), transactionHash),
    locate,
    close: async () => horizon.close(),
  } satisfies Chain)
}

const UNKNOWN: Whereabouts = { state: 'unknown' }

/**
 * Long enough for several retries while the network is busy, and short enough that an expired transaction is detected
 * soon.
 */
const VALID_SECONDS = 600

/**
 * In stroops (10,000,000 are one lumen). The fee is the most that is offered, not the amount that is paid. Each
 * replacement offers ten times as much as the one before, because nodes require that to drop a transaction that they
 * hold.
 */
const FIRST_FEE = 10_000
const FEE_STEP = 10
const MAX_FEE = 10_000_000

/**
 * Several Horizon servers may answer at one address, and some may be behind. A fact counts only after this many
 * ledgers or seconds, so that all servers have seen it. If these numbers are too small, an epoch could be committed
 * twice.
 */
const SETTLED = { ledgers: 12, seconds: 60 } as const

/** Returns why no later ledger can contain the transaction. It may already be in an earlier ledger. */
async function whyPassed(
  horizon: Horizon,
  address: string,
  { sequence, validUntil }: RootTransaction,
): Promise<string | undefined> {
  const [head, account] = await Promise.all([horizon.head(), horizon.account(address)])
  if (head.closedAt.getTime() / 1_000 > validUntil + SETTLED.seconds) return 'its time has passed'
  const usedFor = head.ledger - (account?.sequenceLedger ?? head.ledger)
  if (account !== undefined && account.sequence >= sequence && usedFor >= SETTLED.ledgers)
    return 'another transaction used its sequence number'
  return undefined
}

const STELLAR_NETWORKS = { public: Networks.PUBLIC, testnet: Networks.TESTNET } as const
type StellarNetwork = keyof typeof STELLAR_NETWORKS

/** The contents of a stored envelope, read from its bytes. */
interface RootTransaction {
  /** 64 hex digits. The network computes the hash over the content without the signatures. */
  readonly hash: string
  readonly sequence: bigint
  /** The most that is offered, in stroops. The network takes less when it is not busy. */
  readonly fee: number
  /** Unix seconds. A ledger that closes later cannot contain the transaction. */
  readonly validUntil: number
}

/** @throws Error when the text is not a secret seed; the message does not contain the text */
function stellarKey(secret: string): Keypair {
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
function signRoot(
  { key, network }: { key: Keypair; network: StellarNetwork },
  { root, ...wanted }: Omit<RootTransaction, 'hash'> & { readonly root: Uint8Array },
): { hash: string; bytes: Uint8Array } {
  // The builder uses the account's number plus one.
  const account = new Account(key.publicKey(), String(wanted.sequence - 1n))
  const transaction = new TransactionBuilder(account, {
    fee: String(wanted.fee),
    networkPassphrase: STELLAR_NETWORKS[network],
    timebounds: { minTime: 0, maxTime: wanted.validUntil },
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
function readRootTransaction(bytes: Uint8Array, network: StellarNetwork): RootTransaction {
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
