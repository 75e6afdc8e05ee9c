// The interface of a public chain. Every chain passes the same conformance suite.
import type { ChainName, ChainWith } from '../../../../shared/proof/public_chains.ts'
import { RequestFailed, type RequestFailure } from '../../../outgoing/bounded_request.ts'

/**
 * A signed transaction that carries one root. It is stored before it is sent, and only these bytes are ever sent for
 * it.
 */
export interface PreparedTransaction {
  /** 64 hex digits, as the chain shows the hash. */
  readonly transactionHash: string
  readonly bytes: Uint8Array
}

/** The state of a transaction on its chain. */
export type Whereabouts =
  /** The chain does not have it. It was not sent yet, was dropped, or was replaced. */
  | { readonly state: 'unknown' }
  /** The chain has it, but no block contains it. */
  | { readonly state: 'waiting' }
  /** A block contains it, but the block is not deep enough yet. */
  | { readonly state: 'included' }
  /**
   * It can never be included: its input was spent by another transaction that is deep enough, or its sequence number
   * or time has passed. The next transaction does not compete with a dead one, so a chain must never return this in
   * doubt. Otherwise an epoch could be committed twice.
   */
  | { readonly state: 'dead'; readonly reason: string }
  /**
   * The chain does not have it and would refuse it, because its input is not there. If the chain never accepted it,
   * it counts as `dead`, because only we have it. If the chain accepted it once, it is in doubt, because a block that
   * we have not seen may contain it.
   */
  | { readonly state: 'spent'; readonly reason: string }
  /**
   * `settled` means that the block is deep enough to need no further check. On a chain that never reorganises it is
   * true at once.
   */
  | { readonly state: 'confirmed'; readonly settled: boolean; readonly evidence: Evidence }

/** The proof of a confirmed transaction that a bundle contains. */
export type Evidence =
  | {
      readonly chain: ChainWith<'ledger'>
      readonly ledger: number
      /** The close time of the ledger. */
      readonly timestamp: Date
    }
  | {
      readonly chain: ChainWith<'block'>
      readonly blockHeight: number
      /** 64 hex digits in display order. After a reorganisation the hash is different. */
      readonly blockHash: string
      /** The time in the block header. */
      readonly timestamp: Date
      readonly rawTransaction: Uint8Array
      readonly txoutproof: Uint8Array
      /** 64 hex digits in display order. */
      readonly blockMerkleRoot: string
    }

/** `refused` means that the chain does not accept these bytes now. The reason is text for people. */
export type BroadcastOutcome =
  | { readonly outcome: 'accepted' }
  | { readonly outcome: 'refused'; readonly reason: string }

export interface Chain {
  readonly name: ChainName
  /** For example `mainnet`, `testnet`, `regtest` or `public`. Read from the node if possible, then cached. */
  network(): Promise<string>
  /**
   * Makes and signs a transaction that carries the 32-byte root. Must not send anything. With `replaces`, the new
   * transaction must compete with that one (same input or same sequence number), so that at most one of the two is
   * ever included.
   * @throws ChainRefused when the chain answers that it cannot be made now (no funds, a locked wallet)
   * @throws ChainUnreachable
   */
  prepare(root: Uint8Array, replaces?: PreparedTransaction): Promise<PreparedTransaction>
  /**
   * Sends exactly these bytes. Sending them again must be harmless.
   * @throws ChainUnreachable
   */
  broadcast(prepared: PreparedTransaction): Promise<BroadcastOutcome>
  locate(prepared: PreparedTransaction): Promise<Whereabouts>
  close(): Promise<void>
}

/** The reasons why a chain cannot be used. The texts are public, so they contain no address, name or credential. */
export const UNUSABLE = {
  unreachable: 'nobody answers at its address',
  timeout: 'it does not answer in time',
  credentials: 'it does not accept our credentials',
  unknown_network: 'it is on a network that is not known here',
  not_ready: 'it is still starting or catching up',
  refusing: 'it refuses what it is asked',
  failing: 'it answers with errors',
  strange: 'it answers something else than it should',
} as const

export type Unusable = keyof typeof UNUSABLE

const isUnusable = (why: string): why is Unusable => Object.hasOwn(UNUSABLE, why)

export const UNUSABLE_NAMES: readonly Unusable[] = Object.keys(UNUSABLE).filter(isUnusable)

/**
 * The chain did not answer, or its answer was wrong. The effect of the call is unknown, so try again later. The
 * message may contain the host name and is for the log only. `why` is public.
 */
export class ChainUnreachable extends Error {
  readonly why: Unusable

  constructor(message: string, { why = 'unreachable', ...options }: ErrorOptions & { why?: Unusable } = {}) {
    super(message, options)
    this.name = 'ChainUnreachable'
    this.why = why
  }
}

/** For `catch`: after a failed HTTP request nobody knows what the chain did, and every other error is thrown on. */
export const unreachableWhenFailed = (error: unknown): never => {
  if (!(error instanceof RequestFailed)) throw error
  throw new ChainUnreachable(error.message, { cause: error, why: REQUEST_FAILURES[error.reason] })
}

const REQUEST_FAILURES = {
  timeout: 'timeout',
  too_large: 'strange',
  unreachable: 'unreachable',
} as const satisfies Record<RequestFailure, Unusable>

/** The chain answered and refused. The message is text for people. A retry helps only after the cause is removed. */
export class ChainRefused extends Error {
  override readonly name = 'ChainRefused'
}
