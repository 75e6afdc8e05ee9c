// Stellar as a public chain: an epoch's root is the hash memo of a minimal payment of our account to itself.
import {
  type Chain,
  ChainRefused,
  ChainUnreachable,
  type PreparedTransaction,
  type Whereabouts,
} from './chain.ts'
import { type Horizon, openHorizon } from './stellar_horizon.ts'
import {
  type RootTransaction,
  readRootTransaction,
  type StellarNetwork,
  signRoot,
  stellarKey,
} from './stellar_transaction.ts'

export interface StellarOptions {
  readonly network: StellarNetwork
  /** Base address without a slash at its end. */
  readonly horizonUrl: string
  /** Secret seed of the account that pays and signs. */
  readonly secret: string
  /** Milliseconds for each request, instead of the usual ones. */
  readonly timeoutMs?: number
}

/**
 * The SDK builds, signs and reads transactions; Horizon is asked through our own bounded request, because the SDK's
 * client has no ceiling for the size of an answer.
 *
 * An account's transactions are taken in the order of their sequence numbers, each number once. That is what makes an
 * epoch committed at most once: whatever replaces a transaction has its number, until the chain shows that the number
 * is gone and that this transaction did not use it. Two epochs that wait at the same time may get the same number; one
 * of them is then dead and is prepared anew.
 *
 * No clock of ours is used: times are compared with the close times of ledgers, as the network does.
 */
export function createStellarChain({ network, horizonUrl, secret, timeoutMs }: StellarOptions): Chain {
  const key = stellarKey(secret)
  const address = key.publicKey()
  const horizon = openHorizon(horizonUrl, timeoutMs === undefined ? {} : { timeoutMs })

  const locate = async (prepared: PreparedTransaction): Promise<Whereabouts> => {
    const transaction = readRootTransaction(prepared.bytes, network)
    // First how far the chain is, then whether it has the transaction: asked the other way round, a ledger that closes
    // in between could both take it and make it look too late.
    const passed = await whyPassed(horizon, address, transaction)
    const found = await horizon.transaction(transaction.hash)
    if (found === undefined) return passed === undefined ? UNKNOWN : { state: 'dead', reason: passed }
    if (!found.successful) return { state: 'dead', reason: `ledger ${found.ledger} took it as failed` }
    // A closed ledger is final: there is no depth to wait for.
    return {
      state: 'confirmed',
      settled: true,
      evidence: { chain: 'stellar', ledger: found.ledger, timestamp: found.closedAt },
    }
  }

  /** The number and the fee of what is to take the place of a transaction that may still be included. */
  const inPlaceOf = async (
    replaced: PreparedTransaction,
    next: bigint,
  ): Promise<{ sequence: bigint; fee: number }> => {
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

/** Long enough to be sent again and again while the network is busy, short enough that a dead one is soon known to be. */
const VALID_SECONDS = 600

/**
 * Stroops (10,000,000 are one lumen). What is offered at most, not what is paid; each replacement offers ten times as
 * much as the one before, which is what nodes ask for before they let go of a transaction that they hold.
 */
const FIRST_FEE = 10_000
const FEE_STEP = 10
const MAX_FEE = 10_000_000

/**
 * Ledgers, and seconds. Behind one address there may be several Horizons, one a little behind another: only what has
 * been so for a while counts as seen by all of them. Too small, and an epoch could be committed twice.
 */
const SETTLED = { ledgers: 12, seconds: 60 } as const

/** Why no ledger can hold it any more, unless one does already. */
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
