// Checks in this browser that the public log has one block, at the place of its height, under a checkpoint that the
// log has signed.
import { openCheckpoint, readSignedCheckpoint } from '../../../shared/log/checkpoint.ts'
import { blockComposite, entryBytes, entryLeafHash } from '../../../shared/log/log_entry.ts'
import { readLogProof, verifyInclusion } from '../../../shared/log/tree_proofs.ts'
import { readVerifierKey } from '../../../shared/log/verifier_key.ts'
import { fromBase64, fromHex, utf8 } from '../../../shared/proof/bytes.ts'
import { canonicalJson } from '../../../shared/proof/json_value.ts'
import type { Block } from '../blocks/block.ts'
import type { Api } from '../data/api_client.ts'
import { namedKey, textOrNull } from './check_log.ts'

export type Inclusion =
  | { readonly kind: 'included'; readonly index: number; readonly size: number; readonly steps: number }
  /** No checkpoint that covers the block is shown yet. */
  | { readonly kind: 'none' }
  /** What the log shows does not hold. */
  | { readonly kind: 'broken'; readonly why: string }

/**
 * @param rememberedKey the key of the log that this browser remembers, null to take the one that the log names
 * @throws ApiFailure when the log cannot be read
 */
export const checkInclusion = async (
  { text }: Pick<Api, 'text'>,
  block: Block,
  signature: string,
  rememberedKey: string | null,
): Promise<Inclusion> => {
  const proofText = await textOrNull(text(`/log/proof/${block.height}`))
  if (proofText === null) return { kind: 'none' }
  try {
    const { index, hashes, checkpoint } = readLogProof(proofText)
    const note = utf8(checkpoint)
    const key =
      rememberedKey === null
        ? await namedKey(text, readSignedCheckpoint(note).origin)
        : readVerifierKey(rememberedKey)
    if (key === null) return { kind: 'broken', why: 'Its policy names no key for it.' }
    const { size, root } = openCheckpoint(note, key)
    if (index !== block.height) return { kind: 'broken', why: 'The proof is of another entry.' }
    const leaf = entryLeafHash(entryOf(block, signature))
    return verifyInclusion({ index, size, leaf, proof: hashes, root })
      ? { kind: 'included', index, size, steps: hashes.length }
      : {
          kind: 'broken',
          why: 'The entry of this block, computed here, does not lead to the root of the checkpoint.',
        }
  } catch (error) {
    if (error instanceof RangeError) return { kind: 'broken', why: `${error.message}.` }
    throw error
  }
}

/** @throws RangeError when the parts make no entry */
const entryOf = (block: Block, signature: string): Uint8Array =>
  entryBytes({
    composite: blockComposite({
      id: block.id,
      previousBlockHash: fromHex(block.previousHash),
      merkleRoot: fromHex(block.merkleRoot),
      metadataHash: fromHex(block.metadataHash),
      keyId: fromHex(block.keyId),
    }),
    signature: fromBase64(signature),
    metadata: canonicalJson(block.metadata),
  })
