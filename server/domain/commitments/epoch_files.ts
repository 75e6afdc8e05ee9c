// Epochs as a copy of the public log has them: the blocks they cover, and the evidence of a public chain.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { type EpochFile, type EpochPlace, seriesFolder } from '../../../shared/log/copy_files.ts'
import { toHex } from '../../../shared/proof/bytes.ts'
import { type ChainName, isChainName } from '../../../shared/proof/public_chains.ts'
import { bytes, int4, nullable, text } from '../../store/columns.ts'
import { pages, presentColumn, type RowFrom, rows, statement } from '../../store/statement.ts'

export interface PlacedEpoch {
  readonly folder: string
  readonly epoch: EpochFile
}

/** Rows of a page, each with a transaction and its proof. */
const EPOCHS_PER_PAGE = 100

/**
 * Every epoch whose blocks are all below a height, in pages, series by series. Indexes: epochs_chain_network_sequence_key,
 * epochs_sequence.
 */
export async function* epochFiles(em: EntityManager, height: number): AsyncGenerator<readonly PlacedEpoch[]> {
  for (const { folder, chain, network } of await seriesOf(em)) {
    const beyond = (last: RowFrom<typeof PAGE> | undefined) =>
      PAGE({ chain, network, after: last?.sequence ?? -1, height, most: EPOCHS_PER_PAGE })
    for await (const page of pages(em, beyond))
      yield page.map((row) => ({ folder, epoch: epochOf(chain, row) }))
  }
}

/** Undefined when there is no such epoch, or not all of its blocks are below the height. Makes two statements. */
export async function epochFile(
  em: EntityManager,
  { folder, sequence }: EpochPlace,
  height: number,
): Promise<EpochFile | undefined> {
  // Each epoch has a block of its own, so this keeps what is asked for small as well.
  if (sequence >= height) return undefined
  const series = (await seriesOf(em)).find((one) => one.folder === folder)
  if (series === undefined) return undefined
  const { chain, network } = series
  const [row] = await rows(em, PAGE({ chain, network, after: sequence - 1, height, most: 1 }))
  return row?.sequence === sequence ? epochOf(chain, row) : undefined
}

/** In the order in which they began, because the first network of a chain has the folder of the chain's name. */
async function seriesOf(em: EntityManager) {
  const found: { readonly folder: string; readonly chain: ChainName; readonly network: string }[] = []
  for (const { chain, network } of await rows(em, SERIES)) {
    if (!isChainName(chain)) continue
    const isLater = found.some((one) => one.chain === chain)
    found.push({ folder: isLater ? seriesFolder(chain, network) : seriesFolder(chain), chain, network })
  }
  return found
}

const SERIES = statement(
  { chain: text, network: text },
  sql`SELECT chain, network FROM epochs WHERE sequence = 0 ORDER BY id`,
)

/** Epochs of a series after a sequence. */
const PAGE = statement(
  {
    network: text,
    sequence: int4,
    root: bytes,
    first_height: int4,
    last_height: int4,
    id: nullable(text),
    signing_key_id: nullable(bytes),
    commitment_hash: nullable(bytes),
    transaction_hash: nullable(bytes),
    /** ISO 8601 in whole seconds. */
    timestamp: nullable(text),
    ledger: nullable(int4),
    block_height: nullable(int4),
    block_hash: nullable(bytes),
    block_merkle_root: nullable(bytes),
    raw_transaction: nullable(bytes),
    txoutproof: nullable(bytes),
  },
  (wanted: { chain: string; network: string; after: number; height: number; most: number }) => sql`
  SELECT e.network, e.sequence, e.root, first.height AS first_height, last.height AS last_height, c.id,
         c.signing_key_id, c.commitment_hash, c.transaction_hash,
         to_char(v.chain_time AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS timestamp, c.ledger, c.block_height,
         v.block_hash, v.block_merkle_root, v.raw_transaction, v.txoutproof
    FROM epochs e
    JOIN blocks first ON first.id = e.first_block_id
    JOIN blocks last ON last.id = e.last_block_id
    LEFT JOIN (commitments c JOIN commitment_evidence v ON v.commitment_id = c.id)
           ON c.epoch_id = e.id AND c.state = 'confirmed'
   WHERE e.chain = ${wanted.chain} AND e.network = ${wanted.network} AND e.sequence > ${wanted.after}
     AND last.height < ${wanted.height}
   ORDER BY e.sequence LIMIT ${wanted.most}`,
)

function epochOf(chain: ChainName, row: RowFrom<typeof PAGE>): EpochFile {
  const { network, sequence, root, first_height, last_height } = row
  return {
    ...{ chain, network, sequence, first_height, last_height },
    root: toHex(root),
    commitment: commitmentOf(row),
  }
}

/** A confirmed commitment has all columns of its kind of chain. */
function commitmentOf(row: RowFrom<typeof PAGE>): EpochFile['commitment'] {
  const { id, ledger, block_hash } = row
  if (id === null) return null
  return {
    id,
    signing_key_id: hexOf(row.signing_key_id),
    commitment_hash: hexOf(row.commitment_hash),
    transaction_hash: hexOf(row.transaction_hash),
    timestamp: presentColumn(row.timestamp),
    ...(ledger === null ? {} : { ledger }),
    ...(block_hash === null
      ? {}
      : {
          block_height: presentColumn(row.block_height),
          block_hash: toHex(block_hash),
          block_merkle_root: hexOf(row.block_merkle_root),
          raw_transaction: hexOf(row.raw_transaction),
          txoutproof: hexOf(row.txoutproof),
        }),
  }
}

const hexOf = (column: Buffer | null): string => toHex(presentColumn(column))
