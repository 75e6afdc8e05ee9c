// What a public chain must be able to do for us. Every chain passes the same conformance suite.

import type { ChainName, ChainWith } from '../../../../shared/proof/public_chains.ts'
import type { RequestFailed, RequestFailure } from '../../../kernel/bounded_request.ts'

/** A signed transaction that carries one root. Stored before it is sent; only these bytes are ever sent for it. */
export interface PreparedTransaction {
  /** 64 hex, as the chain shows it. */
  readonly transactionHash: string
  readonly bytes: Uint8Array
}

/** Where a transaction stands on its chain. */
export type Whereabouts =
  /** The chain does not know it: not sent yet, dropped, or replaced. */
  | { readonly state: 'unknown' }
  /** Known, and in no block. */
  | { readonly state: 'waiting' }
  /** In a block that is not buried deep enough yet. */
  | { readonly state: 'included' }
  /**
   * It can never be included any more: its input was spent elsewhere (and that is buried deep), or its sequence number
   * or time has passed. The next one is made without regard to it, so this must never be said while in doubt.
   */
  | { readonly state: 'dead'; readonly reason: string }
  /**
   * The chain does not know it and would not take it: what it spends is not there. Like `dead` when it was never taken,
   * for then nobody has it but us; in doubt when it was, for it may have been included without our being told.
   */
  | { readonly state: 'spent'; readonly reason: string }
  /** `settled`: buried so deep that nobody needs to look again; true at once on a chain that never reorganises. */
  | { readonly state: 'confirmed'; readonly settled: boolean; readonly evidence: Evidence }

/** What a bundle carries about a confirmed transaction. */
export type Evidence =
  | {
      readonly chain: ChainWith<'ledger'>
      readonly ledger: number
      /** The ledger's close time. */
      readonly timestamp: Date
    }
  | {
      readonly chain: ChainWith<'block'>
      readonly blockHeight: number
      /** Display order, 64 hex; a reorganisation shows as another one. */
      readonly blockHash: string
      /** The block header's time. */
      readonly timestamp: Date
      readonly rawTransaction: Uint8Array
      readonly txoutproof: Uint8Array
      /** Display order, 64 hex. */
      readonly blockMerkleRoot: string
    }

/** `refused`: the chain will not take these bytes now; the reason is for people. */
export type BroadcastOutcome =
  | { readonly outcome: 'accepted' }
  | { readonly outcome: 'refused'; readonly reason: string }

export interface Chain {
  readonly name: ChainName
  /** e.g. `mainnet`, `testnet`, `regtest`, `public`. Read from the node where it can be; then kept. */
  network(): Promise<string>
  /**
   * Makes and signs a transaction that carries the 32-byte root; nothing is sent. With `replaces` the new one competes
   * with that one (same input, or same sequence number), so that at most one of the two is ever included.
   * @throws ChainRefused when the chain answers that it cannot be made now (no funds, a locked wallet)
   */
  prepare(root: Uint8Array, replaces?: PreparedTransaction): Promise<PreparedTransaction>
  /** Sends exactly these bytes; sending them again is harmless. */
  broadcast(prepared: PreparedTransaction): Promise<BroadcastOutcome>
  locate(prepared: PreparedTransaction): Promise<Whereabouts>
  close(): Promise<void>
}

/** Why a chain cannot be used, in words that anybody may read: no address, no name and no credential is in them. */
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
 * The chain did not answer, or not as it should: try again later. Nothing is known about what became of the call. The
 * message is for the log and may name the host; `why` is for everybody.
 */
export class ChainUnreachable extends Error {
  readonly why: Unusable

  constructor(message: string, { why = 'unreachable', ...options }: ErrorOptions & { why?: Unusable } = {}) {
    super(message, options)
    this.name = 'ChainUnreachable'
    this.why = why
  }
}

/** Of a request that failed. */
export const unreachableFor = (error: RequestFailed): ChainUnreachable =>
  new ChainUnreachable(error.message, { cause: error, why: REQUEST_FAILURES[error.reason] })

const REQUEST_FAILURES = {
  timeout: 'timeout',
  too_large: 'strange',
  unreachable: 'unreachable',
} as const satisfies Record<RequestFailure, Unusable>

/** The system's own word for what went wrong below, such as `ECONNREFUSED`; undefined when there is none. */
export function systemCodeOf(error: unknown): string | undefined {
  let at = error
  for (let depth = 0; depth < DEEPEST_CAUSE && at instanceof Error; depth++) {
    const code: unknown = Reflect.get(at, 'code')
    if (typeof code === 'string') return code
    at = at.cause
  }
  return undefined
}

const DEEPEST_CAUSE = 8

/** The chain answered, and said no; the message is for people. Trying again helps once somebody has changed something. */
export class ChainRefused extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ChainRefused'
  }
}
