// How far behind each configured public chain is, for whoever watches the service.
import type { EntityManager } from '@mikro-orm/postgresql'
import { rows } from '../../store/rows.ts'
import { type ConfiguredChain, EMBEDDED_CAVEAT } from './chains/configured_chains.ts'

export interface ChainStanding {
  readonly chain: string
  /** Null until the chain has answered once. */
  readonly network: string | null
  /** Times are ISO 8601. */
  readonly answered_at: string | null
  readonly confirmed_sequence: number | null
  readonly confirmed_at: string | null
  /** Of the oldest epoch that is not confirmed; null when none waits. */
  readonly waiting_since: string | null
  readonly waiting: number
  /** What the chain said last, or why it could not be asked. */
  readonly error: string | null
  readonly caveat?: string
}

/** One query for all of them, one series each: the one its chain answered for most recently. */
export async function chainStandings(
  { em }: { em: EntityManager },
  configured: readonly ConfiguredChain[],
): Promise<ChainStanding[]> {
  if (configured.length === 0) return []
  const found = await rows<StandingRow>(em, STANDINGS, [configured.map(({ chain }) => chain.name)])
  return configured.map(({ choice, chain }) => {
    const { chain: name, ...standing } = found.find((row) => row.chain === chain.name) ?? UNKNOWN
    const caveat = choice === 'embedded' ? { caveat: EMBEDDED_CAVEAT } : {}
    return { ...standing, chain: name === '' ? chain.name : name, ...caveat }
  })
}

type StandingRow = Omit<ChainStanding, 'caveat'>

const UNKNOWN: StandingRow = {
  chain: '',
  network: null,
  answered_at: null,
  confirmed_sequence: null,
  confirmed_at: null,
  waiting_since: null,
  waiting: 0,
  error: null,
}

/** Indexes: epoch_series_pkey, epochs_chain_network_sequence_key, commitments_unconfirmed. */
const STANDINGS = `
  SELECT s.chain, s.network, iso_time(s.answered_at) AS answered_at, confirmed.sequence AS confirmed_sequence,
         iso_time(confirmed.confirmed_at) AS confirmed_at, iso_time(waiting.since) AS waiting_since,
         waiting.count AS waiting, coalesce(s.error, waiting.error) AS error
    FROM (SELECT DISTINCT ON (chain) * FROM epoch_series
           WHERE chain = ANY($1::text[]) ORDER BY chain, answered_at DESC NULLS LAST) s
    LEFT JOIN LATERAL (
      SELECT e.sequence, c.confirmed_at FROM epochs e JOIN commitments c ON c.epoch_id = e.id
       WHERE e.chain = s.chain AND e.network = s.network AND c.state = 'confirmed'
       ORDER BY e.sequence DESC LIMIT 1) confirmed ON true
   CROSS JOIN LATERAL (
      SELECT count(*)::int AS count, min(e.closed_at) AS since, min(c.error) AS error
        FROM commitments c JOIN epochs e ON e.id = c.epoch_id
       WHERE c.chain = s.chain AND c.network = s.network AND c.state <> 'confirmed') waiting`
