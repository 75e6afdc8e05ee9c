// Follows the blocks of a copy of the log through its entry bundles, from genesis or from a block that is known.
import { entryLeafHash, readBlockComposite, readEntryBundle, readLogEntry } from '../log/log_entry.ts'
import { sha256 } from '../proof/domain_hash.ts'
import { uuid7Time } from '../proof/uuid7.ts'
import { auditChainBlock, type ChainBlock } from './chain_block.ts'
import { type CopyFinding, type FoundTile, fileFinding } from './copy_reader.ts'
import type { Disagreement } from './disagreement.ts'
import type { KeyChain } from './key_chain.ts'

/** The hashes of a block that holds, 32 bytes each. */
export interface SoundBlock {
  readonly leaf: Uint8Array
  readonly hash: Uint8Array
}

export class BundleAudit {
  readonly keys: KeyChain
  /** The last block that was read. Undefined before the first one, and behind one that did not hold. */
  #previous: ChainBlock | undefined

  constructor(keys: KeyChain) {
    this.keys = keys
  }

  /**
   * Checks the first `count` blocks of a bundle, or those that a checkpoint has of it. Yields what is wrong, and returns
   * one element a block: undefined where it does not hold.
   */
  *bundle(
    { file, width, bytes }: FoundTile,
    { firstHeight, count }: { readonly firstHeight: number; readonly count: number },
  ): Generator<CopyFinding, (SoundBlock | undefined)[], undefined> {
    const entries = bytes === undefined ? undefined : parsed(() => readEntryBundle(bytes, width))
    if (entries === undefined) {
      yield fileFinding(file, `${width} entries`, bytes === undefined ? 'missing' : 'something else')
      this.#previous = undefined
      return Array.from({ length: count }, () => undefined)
    }
    const sound: (SoundBlock | undefined)[] = []
    for (const [at, entry] of entries.slice(0, count).entries()) {
      const height = firstHeight + at
      const block = parsed(() => blockOf(entry, height))
      const found = block === undefined ? [notABlock(height)] : [...this.#block(block)]
      for (const disagreement of found) yield { file, ...disagreement }
      this.#previous = found.length === 0 ? block : undefined
      sound.push(
        block === undefined || found.length > 0
          ? undefined
          : { leaf: entryLeafHash(entry), hash: block.block_hash },
      )
    }
    return sound
  }

  *#block(block: ChainBlock): Generator<Disagreement> {
    const signer = yield* this.keys.follow(block)
    const previous = block.height === 0 ? undefined : (this.#previous ?? assumedBefore(block))
    yield* auditChainBlock(block, previous, signer)
  }
}

/** What the block says about the one before it, where that cannot be read or does not hold. */
const assumedBefore = (block: ChainBlock): ChainBlock => ({
  ...block,
  block_hash: block.previous_block_hash,
  finalized_ms: -1,
})

const notABlock = (height: number): Disagreement => ({
  height,
  field: 'the entry',
  expected: 'a composite, a signature and metadata',
})

/** @throws RangeError unless the entry has the form of a block */
function blockOf(entry: Uint8Array, height: number): ChainBlock {
  const { composite, signature, metadata } = readLogEntry(entry)
  const parts = readBlockComposite(composite)
  return {
    height,
    id: parts.id,
    previous_block_hash: parts.previousBlockHash,
    block_hash: sha256(composite),
    merkle_root: parts.merkleRoot,
    metadata,
    metadata_hash: parts.metadataHash,
    signing_key_id: parts.keyId,
    signature,
    finalized_ms: uuid7Time(parts.id) ?? -1,
  }
}

function parsed<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
