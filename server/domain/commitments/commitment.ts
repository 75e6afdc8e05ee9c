// A commitment: the root of an epoch that is being written to a public chain. How many are not confirmed yet, and how far
// behind each configured chain is, for monitoring.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { CHAIN_NAMES } from '../../../shared/proof/public_chains.ts'
import { int4, named, nullable, oneOf, text } from '../../store/columns.ts'
import { RELATIONS } from '../../store/database.ts'
import { type LegibleRow, legibleRow, type PlainRow } from '../../store/row_reader.ts'
import { rows, statement } from '../../store/statement.ts'
import { UNUSABLE, UNUSABLE_NAMES } from './chains/chain.ts'
import { type ConfiguredChain, EMBEDDED_CAVEAT } from './chains/configured_chains.ts'

/** Maximum length in characters of the name of a chain and of a network. */
export const CHAIN_NAME_LENGTH = 32

/** Text for people: '`bitcoin` or `stellar`.' */
export const CHAIN_WORDS = `${CHAIN_NAMES.toSorted()
  .map((name) => `\`${name}\``)
  .join(' or ')}.`

/**
 * `pending`: the chain has not accepted a transaction yet. `submitted`: it has accepted one. `confirmed`: a deep
 * enough block contains one. `failed`: the chain refused the last try. A failed commitment is tried again, but an
 * operator should look at the reason.
 */
export const COMMITMENT_STATES = ['pending', 'submitted', 'confirmed', 'failed'] as const
type CommitmentState = (typeof COMMITMENT_STATES)[number]

export type Commitment = LegibleRow<PlainRow<typeof RELATIONS.commitments>>

export const commitmentOf = legibleRow(RELATIONS.commitments)

const UNCONFIRMED = ['pending', 'submitted', 'failed'] as const satisfies readonly CommitmentState[]

/**
 * Counts every state except `confirmed`. That state only grows, and counting it would read the whole history. Index:
 * commitments_state.
 */
export const unconfirmedCommitments = ({ em }: { em: EntityManager }) => rows(em, COUNTS)

const COUNTS = statement(
  { state: oneOf(...UNCONFIRMED), count: int4 },
  sql`
  SELECT wanted.state, (SELECT count(*)::int FROM commitments AS c WHERE c.state = wanted.state COLLATE "C") AS count
    FROM unnest(${[...UNCONFIRMED]}::text[]) AS wanted (state)`,
)

/** A chain as far as its standing is concerned. */
interface NamedChain {
  readonly choice: ConfiguredChain['choice']
  readonly chain: Pick<ConfiguredChain['chain'], 'name'>
}

/**
 * Makes one query for all chains. A chain with several series is shown with the series of the network that answered
 * last. `error` says why the chain cannot be used, or is its last error. The text is public.
 */
export async function chainStandings(em: EntityManager, configured: readonly NamedChain[]) {
  if (configured.length === 0) return []
  const found = await rows(em, STANDINGS({ names: configured.map(({ chain }) => chain.name) }))
  return configured.flatMap(({ choice, chain }) => {
    const row = found.find((each) => each.chain === chain.name)
    if (row === undefined) return []
    const { why, error, ...standing } = row
    const caveat = choice === 'embedded' ? { caveat: EMBEDDED_CAVEAT } : {}
    return [{ ...standing, error: why === null ? error : UNUSABLE[why], ...caveat }]
  })
}

export type ChainStanding = Awaited<ReturnType<typeof chainStandings>>[number]

/**
 * Times are ISO 8601. `network` is null until the chain has answered once. `waiting_since` is the closing time of the
 * oldest epoch that is not confirmed, null when all are. Indexes: epoch_series_pkey, epochs_chain_network_sequence_key, commitments_unconfirmed,
 * chain_troubles_pkey.
 */
const STANDINGS = statement(
  {
    chain: text,
    network: nullable(text),
    answered_at: nullable(text),
    confirmed_sequence: nullable(int4),
    confirmed_at: nullable(text),
    waiting_since: nullable(text),
    waiting: int4,
    error: nullable(text),
    why: nullable(named(UNUSABLE_NAMES)),
  },
  ({ names }: { names: readonly string[] }) => sql`
  SELECT named.chain, s.network, iso_time(s.answered_at) AS answered_at, confirmed.sequence AS confirmed_sequence,
         iso_time(confirmed.confirmed_at) AS confirmed_at, iso_time(waiting.since) AS waiting_since,
         waiting.count AS waiting, waiting.error, trouble.why
    FROM (SELECT DISTINCT chain COLLATE "C" AS chain FROM unnest(${names}::text[]) AS chain) named
    LEFT JOIN LATERAL (
      SELECT * FROM epoch_series WHERE chain = named.chain ORDER BY answered_at DESC NULLS LAST LIMIT 1) s ON true
    LEFT JOIN chain_troubles trouble ON trouble.chain = named.chain
    LEFT JOIN LATERAL (
      SELECT e.sequence, c.confirmed_at FROM epochs e JOIN commitments c ON c.epoch_id = e.id
       WHERE e.chain = s.chain AND e.network = s.network AND c.state = 'confirmed'
       ORDER BY e.sequence DESC LIMIT 1) confirmed ON true
   CROSS JOIN LATERAL (
      SELECT count(*)::int AS count, min(e.closed_at) AS since, min(c.error) AS error
        FROM commitments c JOIN epochs e ON e.id = c.epoch_id
       WHERE c.chain = s.chain AND c.network = s.network AND c.state <> 'confirmed') waiting`,
)
