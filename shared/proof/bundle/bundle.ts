// The published layout of a proof bundle, member by member, with the names used in JSON.
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
  /** Stellar: `public` or `testnet`. Bitcoin: `mainnet`, `testnet` or `regtest`. */
  readonly network: string
  /** 64 hex. */
  readonly epoch_merkle_root: string
  /** base64url: path from the block hash to the root of the epoch. */
  readonly epoch_proof: string
  /** 64 hex, as the chain displays it. */
  readonly transaction_hash: string
  /** `YYYY-MM-DDTHH:MM:SSZ`: ledger close or block header time. */
  readonly timestamp: string
}

interface LedgerEntry extends AnyCommitmentEntry {
  readonly chain: ChainWith<'ledger'>
  readonly ledger: number
}

interface BlockEntry extends AnyCommitmentEntry {
  readonly chain: ChainWith<'block'>
  readonly block_height: number
  /** Hex, with or without witness data. */
  readonly raw_transaction: string
  /** Hex, in the format of `gettxoutproof`. */
  readonly txoutproof: string
  /** 64 hex, display order. */
  readonly block_merkle_root: string
}

/** A commitment entry as this service writes it, with every member. */
export type CommitmentEntry = LedgerEntry | BlockEntry

export interface Subject {
  /** ULID for an item, UUIDv7 for an observation. */
  readonly id: string
  /** Items only. */
  readonly claims?: JsonObject
  /** Observations only: the captured payload. */
  readonly entropy?: JsonObject
  readonly metadata: JsonObject
  /** 8 hex. */
  readonly signing_key_id: string
  /**
   * Items only: detail by name. `block` is a block map, the others are captured payloads. Left out when
   * empty.
   */
  readonly witnesses?: Readonly<Record<string, BlockMap | JsonObject>>
}

interface SigningKeyEvent {
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
  /** Absent for blocks and beacons. */
  readonly subject?: Subject
  /** base64url: path from the subject hash to the root of the block. Absent for blocks and beacons. */
  readonly inclusion_proof?: string
  readonly block: BlockMap
  /** The blocks between the carried `block` witness and `block`, oldest first. */
  readonly block_path?: readonly BlockMap[]
  readonly commitments: readonly CommitmentEntry[]
  readonly signing_key_event?: SigningKeyEvent
}

/** A commitment entry that another program may have written: readers require only the first three members. */
export type SparseEntry = Sparse<LedgerEntry> | Sparse<BlockEntry>

type Sparse<Entry extends CommitmentEntry> = Pick<Entry, 'chain' | 'epoch_merkle_root' | 'epoch_proof'> &
  Partial<Entry>

/**
 * Input of the writers: a complete bundle of this service, or a bundle that was read and may lack members.
 */
export interface SparseBundle extends Omit<Bundle, 'commitments' | 'signing_key_event'> {
  readonly commitments: readonly SparseEntry[]
  readonly signing_key_event?: {
    readonly block: BlockMap
    readonly commitments?: readonly SparseEntry[]
  }
}
