// The time limits and intervals for each public chain, in one table.
import type { ChainName } from '../../../shared/proof/public_chains.ts'

/** All values are milliseconds. */
export interface ChainPace {
  /** Time between two looks at a transaction that is not confirmed. */
  readonly look: number
  /** Delay after a refusal, or while the chain cannot be reached. */
  readonly retry: number
  /** A transaction that the chain accepted and no longer has is sent again after this time. */
  readonly resend: number
  /**
   * The first transaction is replaced when no block contains it after this time, the next one after twice this time,
   * and so on. A transaction that the chain accepted this long ago and whose input is gone is given up.
   */
  readonly replace: number
  /** How long a chain usually takes from the closing of an epoch to one confirmation. Only told, never waited for. */
  readonly confirm: number
  /** Time between two looks at a confirmed transaction that a reorganisation could still remove. */
  readonly watch: number
}

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

const PACES = {
  bitcoin: {
    ...{ look: 20 * SECOND, retry: MINUTE, resend: 5 * MINUTE, replace: 6 * HOUR },
    ...{ confirm: 10 * MINUTE, watch: 5 * MINUTE },
  },
  stellar: {
    ...{ look: 3 * SECOND, retry: 15 * SECOND, resend: 30 * SECOND, replace: 5 * MINUTE },
    ...{ confirm: 15 * SECOND, watch: MINUTE },
  },
  /** Short times, because blocks are made on request. */
  regtest: {
    ...{ look: SECOND, retry: 2 * SECOND, resend: 5 * SECOND, replace: 5 * MINUTE },
    ...{ confirm: 10 * SECOND, watch: MINUTE },
  },
} as const satisfies Record<ChainName | 'regtest', ChainPace>

export const paceOf = (chain: ChainName, network: string): ChainPace =>
  PACES[network === 'regtest' ? 'regtest' : chain]

/** The longest delay until the next look. A later time can only come from before the clock was set back. */
export const LONGEST_WAIT_MS = Math.max(
  ...Object.values(PACES).flatMap(({ look, retry, watch }) => [look, retry, watch]),
)
