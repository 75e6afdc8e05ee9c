// What `/health/ready` says: where the ledger stands, and how the world outside is doing.
import type { EntityManager } from '@mikro-orm/postgresql'
import { chainStandings } from './domain/commitments/chain_standings.ts'
import type { ConfiguredChain } from './domain/commitments/chains/configured_chains.ts'
import type { SourceAt } from './domain/entropy/source.ts'
import { sourceStates } from './domain/entropy/source_state.ts'
import { readStanding } from './domain/ledger/standing.ts'
import type { Readiness } from './surfaces/http/health.ts'

export interface Watched {
  readonly em: () => EntityManager
  readonly blockIntervalMs: number
  readonly entropy: readonly SourceAt[]
  readonly chains: readonly ConfiguredChain[]
  /** True while notices of new blocks arrive. */
  readonly notices: () => boolean
}

/** A source or a chain that is away is told, and is no reason not to be ready. */
export async function readReadiness({
  em,
  blockIntervalMs,
  entropy,
  chains,
  notices,
}: Watched): Promise<Readiness> {
  const { nowMs, head } = await readStanding({ em: em() })
  return {
    ready: true,
    database: 'ok',
    block_interval_ms: blockIntervalMs,
    head_height: head.height,
    head_age_ms: nowMs - head.timeMs,
    notices: notices() ? 'arriving' : 'interrupted',
    entropy: await sourceStates({ em: em() }, entropy),
    chains: await chainStandings({ em: em() }, chains),
  }
}
