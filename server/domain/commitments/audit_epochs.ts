// Recomputes every epoch from its blocks and checks every confirmed commitment against its evidence.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import {
  agree,
  type Disagreement,
  type Disagreements,
  firstOf,
  holds,
  type StoredPlace,
} from '../../../shared/audit/disagreement.ts'
import { auditEvidence } from '../../../shared/audit/series_audit.ts'
import { epochCommitmentHash } from '../../../shared/proof/composites.ts'
import { merkleRoot } from '../../../shared/proof/merkle.ts'
import { isChainName, isLedgerChain } from '../../../shared/proof/public_chains.ts'
import { bool, bytes, int4, nullable, type RowOf, text } from '../../store/columns.ts'
import { db, pages, statement } from '../../store/statement.ts'

/**
 * May run beside a running service, because the contents of an epoch never change and each commitment is checked
 * within one row. One statement reads a page of epochs, and one statement per epoch reads the hashes of its blocks.
 */
export async function auditEpochs(
  em: EntityManager,
  { limit = 1 }: { readonly limit?: number } = {},
): Promise<{ readonly epochs: number; readonly disagreements: readonly Disagreement[] }> {
  const counts = { epochs: 0 }
  const disagreements = await firstOf(everyEpoch(em, counts), limit)
  return { ...counts, disagreements }
}

/** In the order of the series. */
async function* everyEpoch(em: EntityManager, counts: { epochs: number }): AsyncGenerator<Disagreement> {
  let previous: EpochRow | undefined
  const beyond = ({ chain = '', network = '', sequence = -1 }: Partial<EpochRow> = {}) =>
    EPOCHS({ chain, network, sequence })
  for await (const page of pages(em, beyond))
    for (const epoch of page) {
      const blocks = await db(em)
        .selectFrom('blocks')
        .select('block_hash')
        .where('height', '>=', epoch.first_height)
        .where('height', '<=', epoch.last_height)
        .orderBy('height')
        .execute()
      const hashes = blocks.map(({ block_hash }) => block_hash)
      counts.epochs += 1
      yield* auditEpoch(epoch, previous, hashes)
      yield* auditCommitment(epoch)
      previous = epoch
    }
}

const EPOCH_ROW = {
  id: text,
  chain: text,
  network: text,
  sequence: int4,
  root: bytes,
  block_count: int4,
  first_height: int4,
  last_height: int4,
  uncommitted: int4,
  commitment_id: nullable(text),
  state: nullable(text),
  epoch_root: nullable(bytes),
  same_series: nullable(bool),
  signing_key_id: nullable(bytes),
  transaction_hash: nullable(bytes),
  commitment_hash: nullable(bytes),
  is_tried: bool,
  has_evidence: bool,
  block_hash: nullable(bytes),
  block_merkle_root: nullable(bytes),
  raw_transaction: nullable(bytes),
  txoutproof: nullable(bytes),
}

type EpochRow = RowOf<typeof EPOCH_ROW>

const EPOCHS = statement(
  EPOCH_ROW,
  ({ chain, network, sequence }: { chain: string; network: string; sequence: number }) => sql`
  SELECT e.id, e.chain, e.network, e.sequence, e.root, e.block_count, first.height AS first_height,
         last.height AS last_height, c.id AS commitment_id, c.state, c.epoch_root,
         (c.chain, c.network) = (e.chain, e.network) AS same_series, c.signing_key_id, c.transaction_hash,
         c.commitment_hash, v.commitment_id IS NOT NULL AS has_evidence, v.block_hash, v.block_merkle_root,
         v.raw_transaction, v.txoutproof,
         EXISTS (SELECT 1 FROM commitment_transactions t
                  WHERE t.commitment_id = c.id AND t.transaction_hash = c.transaction_hash) AS is_tried,
         (SELECT count(*)::int FROM blocks b WHERE b.height BETWEEN first.height AND last.height
                                               AND b.state <> 'committed') AS uncommitted
    FROM epochs e
    JOIN blocks first ON first.id = e.first_block_id
    JOIN blocks last ON last.id = e.last_block_id
    LEFT JOIN commitments c ON c.epoch_id = e.id
    LEFT JOIN commitment_evidence v ON v.commitment_id = c.id
   WHERE (e.chain, e.network, e.sequence) > (${chain}, ${network}, ${sequence})
   ORDER BY e.chain, e.network, e.sequence LIMIT 100`,
)

function* auditEpoch(
  epoch: EpochRow,
  previous: EpochRow | undefined,
  blockHashes: readonly Buffer[],
): Disagreements {
  const place = placeOf(epoch)
  const continues = previous?.chain === epoch.chain && previous.network === epoch.network
  yield* agree(place, 'sequence', continues ? previous.sequence + 1 : 0, epoch.sequence)
  if (continues) yield* agree(place, 'first_block_id', previous.last_height + 1, epoch.first_height)
  yield* agree(place, 'block_count', blockHashes.length, epoch.block_count)
  yield* agree(place, 'root', merkleRoot(blockHashes), epoch.root)
}

function* auditCommitment(epoch: EpochRow): Disagreements {
  const place = placeOf(epoch)
  yield* holds(
    place,
    'commitment',
    epoch.commitment_id !== null && epoch.same_series === true,
    'one of its series',
  )
  yield* agree(place, 'epoch_root', epoch.root, epoch.epoch_root)
  const isConfirmed = epoch.state === 'confirmed'
  yield* agree(place, 'evidence', String(isConfirmed), String(epoch.has_evidence))
  if (!isConfirmed) return
  yield* holds(place, 'transaction_hash', epoch.is_tried, 'one that was stored')
  yield* agree(place, 'commitment_hash', hashOf(epoch), epoch.commitment_hash)
  yield* agree(place, 'blocks not committed', 0, epoch.uncommitted)
  if (isChainName(epoch.chain) && !isLedgerChain(epoch.chain)) yield* auditEvidence(place, epoch)
}

const hashOf = (epoch: EpochRow): Uint8Array | null =>
  epoch.commitment_id === null || epoch.signing_key_id === null || epoch.transaction_hash === null
    ? null
    : epochCommitmentHash({
        id: epoch.commitment_id,
        series: epoch,
        root: epoch.root.toString('hex'),
        transaction: epoch.transaction_hash.toString('hex'),
        keyId: epoch.signing_key_id,
      })

const placeOf = ({ chain, network, sequence, last_height }: EpochRow): StoredPlace => ({
  height: last_height,
  subject: `epoch ${sequence} on ${chain} ${network}`,
})
