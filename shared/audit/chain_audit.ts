// Checks what a block says of itself: its hashes, its signature, its link to the block before it, and its order; and
// follows the signing keys through the key events of the chain. The rows of a database and the entries of a public log
// are checked alike.
import { fromBase64, fromHex, isHex, readOrUndefined, toHex } from '../proof/bytes.ts'
import {
  blockHash,
  canonicalTextHash,
  GENESIS_MESSAGE,
  genesisPreviousHash,
  keyIdOf,
  prerotationCommitment,
} from '../proof/composites.ts'
import { isUuid7 } from '../proof/ids.ts'
import { isJsonObject, memberOf } from '../proof/json_value.ts'
import { EMPTY_ROOT } from '../proof/merkle.ts'
import {
  agree,
  type Disagreement,
  type Disagreements,
  holds,
  readCanonical,
  type StoredPlace,
} from './disagreement.ts'

export interface ChainBlock {
  readonly height: number
  readonly id: string
  readonly previous_block_hash: Uint8Array
  readonly block_hash: Uint8Array
  readonly merkle_root: Uint8Array
  /** JSON text. */
  readonly metadata: string
  readonly metadata_hash: Uint8Array
  /** 4 bytes. */
  readonly signing_key_id: Uint8Array
  readonly signature: Uint8Array
  readonly finalized_ms: number
}

export type SigningChainKey = Pick<ChainKey, 'keyId' | 'signed'>

/**
 * @param previous undefined for the first block only
 * @param signer the key that must have signed the block, according to the key events up to and including this block
 */
export function* auditChainBlock(
  block: ChainBlock,
  previous: ChainBlock | undefined,
  signer: SigningChainKey | undefined,
): Disagreements {
  const place: StoredPlace = { height: block.height }
  const { metadata, signature, block_hash } = block
  yield* link(place, block, previous)
  yield* holds(place, 'metadata', readCanonical(metadata) !== undefined, 'canonical JSON')
  yield* agree(place, 'metadata_hash', canonicalTextHash('block_metadata', metadata), block.metadata_hash)
  yield* agree(place, 'signing_key_id', signer?.keyId, toHex(block.signing_key_id))
  yield* agree(place, 'block_hash', hashOf(block), block_hash)
  if (signer !== undefined)
    yield* holds(
      place,
      'signature',
      signer.signed(block_hash, signature),
      `that of key ${signer.keyId} over the block hash`,
    )
  yield* holds(place, 'id', isUuid7(block.id), 'a UUIDv7')
}

function* link(place: StoredPlace, block: ChainBlock, previous: ChainBlock | undefined): Disagreements {
  if (previous === undefined) {
    yield* agree(
      place,
      'previous_block_hash',
      genesisPreviousHash(GENESIS_MESSAGE),
      block.previous_block_hash,
    )
    yield* agree(place, 'merkle_root', EMPTY_ROOT, block.merkle_root)
    return
  }
  yield* agree(place, 'previous_block_hash', previous.block_hash, block.previous_block_hash)
  yield* holds(
    place,
    'finalized_at',
    block.finalized_ms > previous.finalized_ms,
    'later than the block before',
  )
}

const hashOf = (block: ChainBlock): Uint8Array =>
  blockHash({
    id: block.id,
    previousBlockHash: block.previous_block_hash,
    merkleRoot: block.merkle_root,
    metadataHash: block.metadata_hash,
    keyId: block.signing_key_id,
  })

/** How a key became the current key. */
export type KeyEventType = 'genesis' | 'rotation' | 'emergency_rotation'

/** Prepares the check of Ed25519 signatures of one key, given as 32 raw bytes, over raw digests. */
export type SignatureCheck = (publicKey: Uint8Array) => ChainKey['signed']

/** A key that a block introduced. */
interface ChainKey {
  readonly keyId: string
  readonly publicKey: Uint8Array
  readonly sequence: number
  readonly type: KeyEventType
  readonly introducedAtHeight: number
  readonly introducedMs: number
  /** True when the Ed25519 signature over the raw digest is valid. */
  readonly signed: (digest: Uint8Array, signature: Uint8Array) => boolean
}

/** What is read of a block to follow the keys. */
type EventBlock = Pick<ChainBlock, 'height' | 'metadata' | 'finalized_ms'>

/**
 * Collects keys from the key events only. The table `signing_keys` is not trusted here, because a key without a key
 * event is not valid.
 */
export class KeyChain {
  readonly #keys: ChainKey[] = []
  readonly #check: SignatureCheck
  #commitment: string | null = null

  constructor(check: SignatureCheck) {
    this.#check = check
  }

  get keys(): readonly ChainKey[] {
    return this.#keys
  }

  /** Hex of the commitment to the next key in the last key event. Null when that event has no commitment. */
  get commitment(): string | null {
    return this.#commitment
  }

  byId(keyId: Uint8Array): ChainKey | undefined {
    const hex = toHex(keyId)
    return this.#keys.find((key) => key.keyId === hex)
  }

  /** The key that signed everything made while the block of this height was the head. */
  currentAt(height: number): ChainKey | undefined {
    return this.#keys.findLast((key) => key.introducedAtHeight <= height)
  }

  /** Reads the key event of the next block, if it has one, and returns the key that must have signed the block. */
  *follow(block: EventBlock): Generator<Disagreement, ChainKey | undefined, undefined> {
    const place = { height: block.height }
    const outgoing = this.#keys.at(-1)
    const event = readKeyEvent(block.metadata)
    if (event === undefined) {
      const expected =
        outgoing === undefined ? 'the key event of genesis' : 'nothing, or a key event with its five members'
      yield* holds(place, 'metadata', outgoing !== undefined && block.metadata === '{}', expected)
      return outgoing
    }
    yield* agree(
      place,
      'key_event.sequence',
      outgoing === undefined ? 0 : outgoing.sequence + 1,
      event.sequence,
    )
    yield* holds(
      place,
      'key_event.type',
      (event.type === 'genesis') === (outgoing === undefined),
      'genesis first and once',
    )
    yield* agree(place, 'key_event.key_id', keyIdOf(event.publicKey), fromHex(event.keyId))
    yield* holds(
      place,
      'key_event.key_id',
      this.byId(fromHex(event.keyId)) === undefined,
      'a key id of its own',
    )
    // Without a commitment a regular rotation cannot be checked. An emergency rotation has no other proof, so it must
    // match a commitment.
    if (this.#commitment !== null || event.type === 'emergency_rotation')
      yield* agree(
        place,
        'key_event.public_key',
        this.#commitment,
        toHex(prerotationCommitment(event.publicKey)),
      )

    const { commitment, ...key } = event
    const introduced: ChainKey = Object.freeze({
      ...key,
      introducedAtHeight: block.height,
      introducedMs: block.finalized_ms,
      signed: this.#check(event.publicKey),
    })
    this.#keys.push(introduced)
    this.#commitment = commitment
    return event.type === 'rotation' ? outgoing : introduced
  }
}

const MEMBERS = 'key_id,prerotation_commitment,public_key,sequence,type'

/** Returns undefined when the metadata is not exactly one key event. */
function readKeyEvent(metadata: string) {
  const value = readCanonical(metadata)
  if (!isJsonObject(value) || Object.keys(value).join() !== 'key_event') return undefined
  const event = memberOf(value, 'key_event')
  if (!isJsonObject(event) || Object.keys(event).join() !== MEMBERS) return undefined
  const { key_id: keyId, prerotation_commitment: commitment, public_key, sequence, type } = event
  if (typeof keyId !== 'string' || !isHex(keyId, 4) || typeof sequence !== 'number') return undefined
  if (commitment !== null && (typeof commitment !== 'string' || !isHex(commitment, 32))) return undefined
  if (type !== 'genesis' && type !== 'rotation' && type !== 'emergency_rotation') return undefined
  if (typeof public_key !== 'string') return undefined
  const publicKey = readOrUndefined(() => fromBase64(public_key))
  return publicKey?.length === 32 ? ({ keyId, publicKey, sequence, type, commitment } as const) : undefined
}
