// Hashes of items, observations, blocks and commitments, from raw parts and ids as text.
import { lengthPrefixed, utf8 } from './bytes.ts'
import { type Domain, domainHash } from './domain_hash.ts'
import { canonicalJson, type JsonValue } from './json_value.ts'

/** Must never change once a chain exists, because the genesis block hashes it. */
export const GENESIS_MESSAGE = 'pharos:genesis:v1'

/**
 * `D(domain, JCS(value))`, 32 bytes.
 * @throws RangeError when the value has no canonical form
 */
export function jsonHash(domain: Domain, value: JsonValue): Uint8Array {
  return canonicalTextHash(domain, canonicalJson(value))
}

/** As `jsonHash`, from text that is already canonical, such as the stored text. */
export function canonicalTextHash(domain: Domain, canonicalText: string): Uint8Array {
  return domainHash(domain, utf8(canonicalText))
}

/** 4 bytes, displayed as 8 hex. `publicKey` is the raw 32 bytes. */
export function keyIdOf(publicKey: Uint8Array): Uint8Array {
  return domainHash('public_key', publicKey).slice(0, 4)
}

interface ItemParts {
  /** ULID, uppercase. */
  id: string
  /** `D(0x11, JCS(claims))`, 32 bytes. */
  claimsHash: Uint8Array
  /** `D(0x12, JCS(metadata))`, 32 bytes. */
  metadataHash: Uint8Array
  /** 4 bytes, of the key that was current when the item was made. */
  keyId: Uint8Array
}

export function itemHash({ id, claimsHash, metadataHash, keyId }: ItemParts): Uint8Array {
  return composite('item', utf8(id), claimsHash, metadataHash, keyId)
}

interface ObservationParts {
  /** UUIDv7, lowercase. */
  id: string
  /** `D(0x21, JCS(payload))`, 32 bytes. */
  entropyHash: Uint8Array
  /** `D(0x22, JCS(metadata))`, 32 bytes. */
  metadataHash: Uint8Array
  /** 4 bytes, of the key that was current when the observation was made. */
  keyId: Uint8Array
}

export function observationHash({ id, entropyHash, metadataHash, keyId }: ObservationParts): Uint8Array {
  return composite('observation', utf8(id), entropyHash, metadataHash, keyId)
}

export interface BlockParts {
  /** UUIDv7, lowercase. */
  id: string
  /** 32 bytes. For the first block: `genesisPreviousHash(message)`. */
  previousBlockHash: Uint8Array
  /** 32 bytes. */
  merkleRoot: Uint8Array
  /** `D(0x33, JCS(metadata))`, 32 bytes. */
  metadataHash: Uint8Array
  /** 4 bytes, of the key that was current when the block was made. */
  keyId: Uint8Array
}

export function blockHash(block: BlockParts): Uint8Array {
  return domainHash('block', ...blockFields(block))
}

/** What the hash of a block is made of, behind the byte of its domain. */
export function blockFields(block: BlockParts): Uint8Array[] {
  const { id, previousBlockHash, merkleRoot, metadataHash, keyId } = block
  return [utf8(id), previousBlockHash, merkleRoot, metadataHash, keyId].map(lengthPrefixed)
}

interface CommitmentParts {
  /** UUIDv7, lowercase. */
  id: string
  /** `D(0x34, JCS(commitment data))`, 32 bytes. */
  dataHash: Uint8Array
  /** `epoch:stellar` or `epoch:bitcoin`. */
  ownerId: string
  /** 4 bytes, of the key that was current when the commitment was made. */
  keyId: Uint8Array
}

export function commitmentHash({ id, dataHash, ownerId, keyId }: CommitmentParts): Uint8Array {
  return composite('commitment', utf8(id), dataHash, utf8(ownerId), keyId)
}

interface EpochCommitmentParts {
  readonly id: string
  readonly series: { readonly chain: string; readonly network: string }
  /** 64 hex: the root of the epoch. */
  readonly root: string
  /** Hex, as the chain shows it. */
  readonly transaction: string
  readonly keyId: Uint8Array
}

/** The hash of the commitment of an epoch, from what is committed. */
export function epochCommitmentHash({
  id,
  series,
  root,
  transaction,
  keyId,
}: EpochCommitmentParts): Uint8Array {
  const { chain, network } = series
  const data = { chain, epoch_root: root, network, tx: transaction }
  return commitmentHash({ id, dataHash: jsonHash('commitment_data', data), ownerId: `epoch:${chain}`, keyId })
}

/** The previous block hash of the first block. The message is `pharos:genesis:v1`. */
export function genesisPreviousHash(message: string): Uint8Array {
  return domainHash('block_genesis', utf8(message))
}

/** The hash by which a key event commits to the next key. `nextPublicKey` is the raw 32 bytes. */
export function prerotationCommitment(nextPublicKey: Uint8Array): Uint8Array {
  return domainHash('next_public_key', nextPublicKey)
}

function composite(domain: Domain, ...parts: Uint8Array[]): Uint8Array {
  return domainHash(domain, ...parts.map(lengthPrefixed))
}
