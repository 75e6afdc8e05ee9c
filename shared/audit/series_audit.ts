// Follows one series of epochs beside the blocks of a copy of the log: the root of each epoch, and what a public chain
// has of it.
import { type EpochFile, epochPath, readEpochFile } from '../log/copy_files.ts'
import { TileBuilder } from '../log/growing_tree.ts'
import { displayHash } from '../proof/bitcoin/bitcoin_bytes.ts'
import { hasWorkOf, headerHash } from '../proof/bitcoin/block_header.ts'
import { opReturnOf, readTransaction, transactionId } from '../proof/bitcoin/transaction.ts'
import { readTxoutproof } from '../proof/bitcoin/txoutproof.ts'
import { fromHex, hexOrUndefined, readOrError, readOrUndefined, toHex } from '../proof/bytes.ts'
import { epochCommitmentHash } from '../proof/composites.ts'
import { leafHash } from '../proof/merkle.ts'
import { isLedgerChain } from '../proof/public_chains.ts'
import { COPY_CEILINGS, type CopyFinding, type CopyReader, fileFinding } from './copy_reader.ts'
import { agree, type Disagreements, holds, type StoredPlace } from './disagreement.ts'

interface ChainEvidence {
  readonly network: string
  /** 32 bytes. */
  readonly root: Uint8Array
  /** 32 bytes each, in display order. */
  readonly transaction_hash: Uint8Array | null
  readonly block_hash: Uint8Array | null
  readonly block_merkle_root: Uint8Array | null
  readonly raw_transaction: Uint8Array | null
  readonly txoutproof: Uint8Array | null
}

export function* auditEvidence(place: StoredPlace, evidence: ChainEvidence): Disagreements {
  const { raw_transaction, txoutproof } = evidence
  const read =
    raw_transaction === null || txoutproof === null
      ? undefined
      : readOrUndefined(() => ({
          transaction: readTransaction(raw_transaction),
          proof: readTxoutproof(txoutproof),
        }))
  if (read === undefined) return yield* holds(place, 'evidence', false, 'a transaction and its proof')
  const { transaction, proof } = read
  const txid = transactionId(transaction)
  yield* agree(place, 'raw_transaction', evidence.transaction_hash, fromHex(txid))
  yield* agree(place, 'OP_RETURN', evidence.root, opReturnOf(transaction) ?? null)
  yield* holds(place, 'txoutproof', proof.isValid && proof.matched.map(displayHash).includes(txid))
  yield* holds(
    place,
    'header',
    hasWorkOf(evidence.network, proof.header),
    'one with at least the least work that its network ever allowed',
  )
  yield* agree(place, 'block_hash', headerHash(proof.header), evidence.block_hash)
  yield* agree(place, 'block_merkle_root', displayHash(proof.fields.merkleRoot), evidence.block_merkle_root)
}

/** What of a series was found. */
export interface SeriesCounts {
  readonly folder: string
  epochs: number
  /** The height of the last block that an epoch covers. Below 0 while there is none. */
  coveredTo: number
  confirmed: number
  /** The height of the last block that a confirmed epoch covers. */
  confirmedTo: number | undefined
}

export class SeriesAudit {
  readonly counts: SeriesCounts
  readonly #read: CopyReader
  #sequence = 0
  #epoch: EpochFile | undefined
  /** The tree over the block hashes of the epoch. Undefined when one of them is not known. */
  #tree: TileBuilder | undefined

  constructor(read: CopyReader, folder: string) {
    this.#read = read
    this.counts = { folder, epochs: 0, coveredTo: -1, confirmed: 0, confirmedTo: undefined }
  }

  /** Begins with the epoch of this sequence. False when there is none. */
  async *begin(sequence: number): AsyncGenerator<CopyFinding, boolean, undefined> {
    this.#sequence = sequence
    return yield* this.#open(undefined)
  }

  /** Blocks come in the order of their heights. Undefined for one whose hash is not known. True when its epoch ends. */
  add(height: number, hash: Uint8Array | undefined): boolean {
    const epoch = this.#epoch
    if (epoch === undefined || height < epoch.first_height) return false
    if (hash === undefined) this.#tree = undefined
    else this.#tree?.add(leafHash(hash))
    return height === epoch.last_height
  }

  /** Checks the epoch that has ended, and begins the next. */
  async *finish(): AsyncGenerator<CopyFinding, void, undefined> {
    const epoch = this.#epoch
    if (epoch === undefined) return
    const file = epochPath(this.counts.folder, this.#sequence)
    for (const found of auditEpoch(epoch, this.#tree?.root())) yield { file, ...found }
    this.counts.epochs += 1
    this.counts.coveredTo = epoch.last_height
    if (epoch.commitment !== null) {
      this.counts.confirmed += 1
      this.counts.confirmedTo = epoch.last_height
    }
    this.#sequence += 1
    yield* this.#open(epoch)
  }

  async *#open(before: EpochFile | undefined): AsyncGenerator<CopyFinding, boolean, undefined> {
    this.#epoch = undefined
    this.#tree = new TileBuilder()
    const file = epochPath(this.counts.folder, this.#sequence)
    const bytes = await this.#read(file, COPY_CEILINGS.epoch)
    if (bytes === undefined) {
      const next = epochPath(this.counts.folder, this.#sequence + 1)
      const isGap = (await this.#read(next, COPY_CEILINGS.epoch)) !== undefined
      if (isGap) yield fileFinding(file, `an epoch, because ${next} is there`, 'missing')
      return isGap
    }
    const epoch = readOrError(() => readEpochFile(bytes), RangeError)
    if (epoch instanceof Error) {
      yield fileFinding(file, 'an epoch', epoch.message)
      return true
    }
    const place: StoredPlace = { height: epoch.last_height }
    const misplaced = [...auditPlace(place, epoch, { sequence: this.#sequence, before })]
    for (const found of misplaced) yield { file, ...found }
    if (misplaced.length === 0) this.#epoch = epoch
    return true
  }
}

function* auditPlace(
  place: StoredPlace,
  epoch: EpochFile,
  { sequence, before }: { readonly sequence: number; readonly before: EpochFile | undefined },
): Disagreements {
  yield* agree(place, 'sequence', sequence, epoch.sequence)
  yield* holds(place, 'last_height', epoch.first_height <= epoch.last_height, 'at least first_height')
  if (before === undefined) return
  yield* agree(place, 'chain', before.chain, epoch.chain)
  yield* agree(place, 'network', before.network, epoch.network)
  yield* agree(place, 'first_height', before.last_height + 1, epoch.first_height)
}

function* auditEpoch(epoch: EpochFile, root: Uint8Array | undefined): Disagreements {
  const place: StoredPlace = { height: epoch.last_height }
  if (root !== undefined) yield* agree(place, 'root', root, epoch.root)
  const { commitment } = epoch
  if (commitment === null) return
  const hash = epochCommitmentHash({
    id: commitment.id,
    series: epoch,
    root: epoch.root,
    transaction: commitment.transaction_hash,
    keyId: fromHex(commitment.signing_key_id),
  })
  yield* agree(place, 'commitment_hash', toHex(hash), commitment.commitment_hash)
  if (isLedgerChain(epoch.chain)) return
  yield* auditEvidence(place, {
    network: epoch.network,
    root: fromHex(epoch.root),
    transaction_hash: fromHex(commitment.transaction_hash),
    block_hash: bytesOrNull(commitment.block_hash),
    block_merkle_root: bytesOrNull(commitment.block_merkle_root),
    raw_transaction: bytesOrNull(commitment.raw_transaction),
    txoutproof: bytesOrNull(commitment.txoutproof),
  })
}

const bytesOrNull = (hex: string | undefined): Uint8Array | null => hexOrUndefined(hex ?? '-') ?? null
