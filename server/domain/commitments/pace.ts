// How often each public chain is looked at, and how long we are patient with it. One table.
import type { ChainName } from '../../../shared/proof/public_chains.ts'

/** Milliseconds. */
export interface Pace {
  /** From look to look at a transaction that is not confirmed. */
  readonly look: number
  /** After a refusal, or while the chain cannot be reached. */
  readonly retry: number
  /** A transaction that its chain took and then no longer knows is sent again after so long. */
  readonly resend: number
  /**
   * The first transaction is replaced when it is not in a block after so long, the next one after twice as long, and so
   * on. One that its chain took so long ago, and whose input is not there any more, is given up.
   */
  readonly replace: number
  /** From look to look at a confirmed one that could still be reorganised out. */
  readonly watch: number
}

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

const PACES = {
  bitcoin: { look: 20 * SECOND, retry: MINUTE, resend: 5 * MINUTE, replace: 6 * HOUR, watch: 5 * MINUTE },
  stellar: { look: 3 * SECOND, retry: 15 * SECOND, resend: 30 * SECOND, replace: 5 * MINUTE, watch: MINUTE },
  /** Blocks come as fast as somebody likes. */
  regtest: { look: SECOND, retry: 2 * SECOND, resend: 5 * SECOND, replace: 5 * MINUTE, watch: MINUTE },
} as const satisfies Record<ChainName | 'regtest', Pace>

export const paceOf = (chain: ChainName, network: string): Pace =>
  PACES[network === 'regtest' ? 'regtest' : chain]

/** Nobody is ever told to look later than this; a time of a look beyond it was written by a clock that has gone back since. */
export const LONGEST_WAIT_MS = Math.max(
  ...Object.values(PACES).flatMap(({ look, retry, watch }) => [look, retry, watch]),
)
