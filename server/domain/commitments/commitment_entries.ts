// Reads the public chain entries of a bundle: for each block, one entry per confirmed epoch that contains it; and how
// far a block has come on each chain, for the wait that a refused proof tells.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import type { CommitmentEntry } from '../../../shared/proof/bundle/bundle.ts'
import { toHex } from '../../../shared/proof/bytes.ts'
import { encodePath, merklePath } from '../../../shared/proof/merkle.ts'
import { type ChainName, isLedgerChain } from '../../../shared/proof/public_chains.ts'
import { bool, bytes, float8, int4, nullable, text } from '../../store/columns.ts'
import { TABLES } from '../../store/database.ts'
import { presentColumn, type RowFrom, rows, statement } from '../../store/statement.ts'
import { FIRST_HEIGHT } from './commit_epochs.ts'

export type BlockStanding = RowFrom<typeof STANDINGS>

/**
 * Returns one standing for each of these chains. Of a chain with several networks the one that answered last counts,
 * unless it passes the block over and another one has it. Indexes: blocks_pkey, blocks_height_key, epoch_series_pkey,
 * epochs_chain_network_sequence_key, epochs_holding, commitments_epoch_id_key, commitment_transactions_pkey.
 */
export const blockStandings = (
  em: EntityManager,
  wanted: { readonly blockId: string; readonly chains: readonly ChainName[] },
): Promise<readonly BlockStanding[]> => rows(em, STANDINGS(wanted))

const STANDINGS = statement(
  {
    chain: TABLES.commitments.chain,
    /** The first epoch begins above the block. Epochs follow each other without a gap, so none will ever hold it. */
    passed_over: bool,
    /**
     * When the last transaction that the chain accepted for the block's epoch was made, or the epoch was closed while it
     * accepted none. Null while no epoch holds the block.
     */
    since_ms: nullable(float8),
  },
  ({ blockId, chains }: { blockId: string; chains: readonly ChainName[] }) => sql`
  SELECT DISTINCT ON (named.chain) named.chain,
         coalesce(first.first_block_id > b.id, b.height < ${FIRST_HEIGHT}) AS passed_over,
         unix_ms(coalesce(t.inserted_at, e.closed_at)) AS since_ms
    FROM (SELECT id, height FROM blocks WHERE id = ${blockId}) b
   CROSS JOIN (SELECT height FROM blocks ORDER BY height DESC LIMIT 1) head
   CROSS JOIN (SELECT DISTINCT chain COLLATE "C" AS chain FROM unnest(${chains}::text[]) AS chain) named
    LEFT JOIN LATERAL (SELECT network, row_number() OVER (ORDER BY answered_at DESC NULLS LAST, network) AS place
                         FROM epoch_series WHERE chain = named.chain) s ON true
    LEFT JOIN LATERAL (SELECT first_block_id FROM epochs
                        WHERE chain = named.chain AND network = s.network ORDER BY sequence LIMIT 1) first ON true
    LEFT JOIN LATERAL (SELECT id, first_block_id, closed_at FROM epochs
                        WHERE chain = named.chain AND network = s.network AND last_block_id >= b.id
                        ORDER BY last_block_id LIMIT 1) e ON e.first_block_id <= b.id
    LEFT JOIN commitments c ON c.epoch_id = e.id
    LEFT JOIN LATERAL (SELECT inserted_at FROM commitment_transactions
                        WHERE commitment_id = c.id AND sent_at IS NOT NULL
                        ORDER BY number DESC LIMIT 1) t ON true
   WHERE coalesce(s.place, 1) = 1 OR e.id IS NOT NULL
   ORDER BY named.chain, passed_over, s.place`,
)

/**
 * Returns the entries of each of these blocks, ready for a bundle, ordered by chain (bitcoin first), then network,
 * then transaction. The list is empty when no confirmed epoch contains the block or the block does not exist. Makes
 * two queries for any number of blocks.
 */
export async function confirmedEntries(
  em: EntityManager,
  blockIds: readonly string[],
): Promise<ReadonlyMap<string, readonly CommitmentEntry[]>> {
  const entries = new Map<string, CommitmentEntry[]>(blockIds.map((id) => [id, []]))
  const places = await rows(em, PLACES({ blockIds }))
  if (places.length === 0) return entries
  const epochIds = [...new Set(places.map(({ epoch_id }) => epoch_id))]
  const trees = new Map<string, Buffer[]>()
  for (const { id, hashes } of await rows(em, BLOCK_HASHES({ epochIds }))) trees.set(id, splitHashes(hashes))
  for (const place of places)
    entries.get(place.block_id)?.push(entryOf(place, trees.get(place.epoch_id) ?? []))
  return entries
}

/** Blocks with the confirmed epochs that hold them. Index: epochs_holding. */
const CONFIRMED = sql`blocks b
   CROSS JOIN epoch_series s
   CROSS JOIN LATERAL (SELECT id, first_block_id FROM epochs
                        WHERE chain = s.chain AND network = s.network AND last_block_id >= b.id
                        ORDER BY last_block_id LIMIT 1) e
    JOIN blocks first ON first.id = e.first_block_id AND first.id <= b.id
    JOIN commitments c ON c.epoch_id = e.id AND c.state = 'confirmed'
    JOIN commitment_evidence v ON v.commitment_id = c.id`

/**
 * The chains that have confirmed the block, which must be there, and its height. `evidence` is another text whenever a
 * bundle of the block has another entry: after a reorganisation the same transaction may stand in another block.
 */
export async function confirmedChains(
  em: EntityManager,
  blockId: string,
): Promise<{ readonly height: number; readonly chains: readonly ChainName[]; readonly evidence: string }> {
  const found = await rows(em, CHAINS({ blockId }))
  const [first] = found
  if (first === undefined) throw new Error('There is no such block.')
  return {
    height: first.height,
    chains: found.flatMap(({ chain }) => chain ?? []),
    evidence: found.map(({ evidence }) => evidence).join(' '),
  }
}

const CHAINS = statement(
  { height: int4, chain: nullable(TABLES.commitments.chain), evidence: nullable(text) },
  ({ blockId }: { blockId: string }) => sql`
  SELECT block.height, confirmed.chain, confirmed.evidence
    FROM blocks block
    LEFT JOIN (SELECT b.id, c.chain, encode(coalesce(v.block_hash, c.transaction_hash), 'hex') AS evidence
                 FROM ${CONFIRMED} WHERE b.id = ${blockId}) confirmed ON confirmed.id = block.id
   WHERE block.id = ${blockId}
   ORDER BY confirmed.chain, confirmed.evidence`,
)

/**
 * Blocks of one epoch have consecutive heights, so the leaf index is the distance from the first height. Index:
 * epochs_holding.
 */
const PLACES = statement(
  {
    block_id: text,
    leaf_index: int4,
    epoch_id: text,
    chain: TABLES.commitments.chain,
    network: text,
    epoch_root: bytes,
    transaction_hash: bytes,
    ledger: nullable(int4),
    block_height: nullable(int4),
    /** ISO 8601 in whole seconds. */
    timestamp: text,
    block_merkle_root: nullable(bytes),
    raw_transaction: nullable(bytes),
    txoutproof: nullable(bytes),
  },
  ({ blockIds }: { blockIds: readonly string[] }) => sql`
  SELECT b.id AS block_id, b.height - first.height AS leaf_index, e.id AS epoch_id, c.chain, c.network, c.epoch_root,
         c.transaction_hash, c.ledger, c.block_height,
         to_char(v.chain_time AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS timestamp,
         v.block_merkle_root, v.raw_transaction, v.txoutproof
    FROM ${CONFIRMED}
   WHERE b.id = ANY(${blockIds}::text[])
   ORDER BY c.chain, c.network, c.transaction_hash`,
)

type Place = RowFrom<typeof PLACES>

const BLOCK_HASHES = statement(
  { id: text, hashes: bytes },
  ({ epochIds }: { epochIds: readonly string[] }) => sql`
  SELECT e.id, string_agg(b.block_hash, ''::bytea ORDER BY b.height) AS hashes
    FROM epochs e
    JOIN blocks first ON first.id = e.first_block_id
    JOIN blocks b ON b.height >= first.height AND b.height < first.height + e.block_count
   WHERE e.id = ANY(${epochIds}::text[])
   GROUP BY e.id`,
)

const HASH_BYTES = 32

const splitHashes = (joined: Buffer): Buffer[] =>
  Array.from({ length: joined.length / HASH_BYTES }, (_, at) =>
    joined.subarray(HASH_BYTES * at, HASH_BYTES * (at + 1)),
  )

function entryOf(place: Place, blockHashes: readonly Buffer[]): CommitmentEntry {
  const shared = {
    network: place.network,
    epoch_merkle_root: toHex(place.epoch_root),
    epoch_proof: encodePath(merklePath(place.leaf_index, blockHashes)),
    transaction_hash: toHex(place.transaction_hash),
    timestamp: place.timestamp,
  }
  const { chain } = place
  if (isLedgerChain(chain)) return { chain, ...shared, ledger: presentColumn(place.ledger) }
  return {
    chain,
    ...shared,
    block_height: presentColumn(place.block_height),
    raw_transaction: toHex(presentColumn(place.raw_transaction)),
    txoutproof: toHex(presentColumn(place.txoutproof)),
    block_merkle_root: toHex(presentColumn(place.block_merkle_root)),
  }
}
