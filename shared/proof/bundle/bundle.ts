// The published layout of a proof bundle, member by member, in the words of the wire.
import type { JsonObject } from '../json_value.ts'
import type { ChainWith } from '../public_chains.ts'
import type { ProofType } from '../signed_payload.ts'

export interface BlockMap {
  /** UUIDv7, lowercase. */
  readonly id: string
  /** 64 hex. */
  readonly previous_block_hash: string
  /** 64 hex. */
  readonly merkle_root: string
  readonly metadata: JsonObject
  /** 8 hex. */
  readonly signing_key_id: string
}

interface AnyCommitmentEntry {
  /** Of Stellar `public` or `testnet`; of Bitcoin `mainnet`, `testnet` or `regtest`. */
  readonly network: string
  /** 64 hex. */
  readonly epoch_merkle_root: string
  /** base64url: path from the block hash to the epoch's root. */
  readonly epoch_proof: string
  /** 64 hex, as the chain shows it. */
  readonly transaction_hash: string
  /** `YYYY-MM-DDTHH:MM:SSZ`: ledger close or block header time. */
  readonly timestamp: string
}

export interface LedgerEntry extends AnyCommitmentEntry {
  readonly chain: ChainWith<'ledger'>
  readonly ledger: number
}

export interface BlockEntry extends AnyCommitmentEntry {
  readonly chain: ChainWith<'block'>
  readonly block_height: number
  /** Hex, with or without witness data. */
  readonly raw_transaction: string
  /** Hex, as `gettxoutproof` gives it. */
  readonly txoutproof: string
  /** 64 hex, display order. */
  readonly block_merkle_root: string
}

/** As we make it: the whole column. */
export type CommitmentEntry = LedgerEntry | BlockEntry

export interface Subject {
  /** ULID of an item, UUIDv7 of an observation. */
  readonly id: string
  /** Of an item. */
  readonly claims?: JsonObject
  /** Of an observation: the captured payload. */
  readonly entropy?: JsonObject
  readonly metadata: JsonObject
  /** 8 hex. */
  readonly signing_key_id: string
  /** Of an item: name to detail; `block` is a block map, the others captured payloads. Left out when empty. */
  readonly witnesses?: Readonly<Record<string, BlockMap | JsonObject>>
}

export interface SigningKeyEvent {
  readonly block: BlockMap
  readonly commitments: readonly CommitmentEntry[]
}

export interface Bundle {
  readonly version: 1
  readonly type: ProofType
  /** `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly generated_at: string
  /** base64, 32 bytes. */
  readonly public_key: string
  /** base64, 64 bytes. */
  readonly signature: string
  /** Absent of a block or beacon. */
  readonly subject?: Subject
  /** base64url: path from the subject hash to the block's root; absent of a block or beacon. */
  readonly inclusion_proof?: string
  readonly block: BlockMap
  /** The blocks between the carried `block` witness and `block`, oldest first. */
  readonly block_path?: readonly BlockMap[]
  readonly commitments: readonly CommitmentEntry[]
  readonly signing_key_event?: SigningKeyEvent
}

/** As somebody else may have made it: readers ask for the first three members only. */
export type SparseEntry = Sparse<LedgerEntry> | Sparse<BlockEntry>

type Sparse<Entry extends CommitmentEntry> = Pick<Entry, 'chain' | 'epoch_merkle_root' | 'epoch_proof'> &
  Partial<Entry>

/** What is written, into whatever form: a bundle of ours, or one that was read, with what it lacks. */
export interface SparseBundle extends Omit<Bundle, 'commitments' | 'signing_key_event'> {
  readonly commitments: readonly SparseEntry[]
  readonly signing_key_event?: {
    readonly block: BlockMap
    readonly commitments?: readonly SparseEntry[]
  }
}
