// Whether the public log has one block, at the place of its height, under a checkpoint that the log has signed: checked in
// this browser.
import './log.css'
import { useQuery } from '@tanstack/react-query'
import { openCheckpoint, readSignedCheckpoint } from '../../../shared/log/checkpoint.ts'
import { blockComposite, entryBytes, entryLeafHash } from '../../../shared/log/log_entry.ts'
import { readLogProof, verifyInclusion } from '../../../shared/log/tree_proofs.ts'
import { readVerifierKey } from '../../../shared/log/verifier_key.ts'
import { fromBase64, fromHex, utf8 } from '../../../shared/proof/bytes.ts'
import { canonicalJson } from '../../../shared/proof/json_value.ts'
import type { Block } from '../blocks/block.ts'
import type { Api } from '../data/api_client.ts'
import { messageOf } from '../data/api_failure.ts'
import { useConsole } from '../data/console_context.ts'
import { textAt } from '../data/shape.ts'
import { count } from '../ui/format.ts'
import { namedKey, readSeenLog, textOrNull } from './check_log.ts'

/** While the log has no checkpoint over the block. */
const AGAIN_MS = 15_000

export const BlockInLog = ({ block }: { block: Block }) => {
  const { api } = useConsole()
  const { data, error, failureReason } = useQuery({
    queryKey: ['block in log', block.id],
    queryFn: () => checkInclusion(api, block),
    refetchInterval: ({ state: { data: seen } }) => (seen?.kind === 'none' ? AGAIN_MS : false),
  })
  const failure = error ?? failureReason
  const isBroken = data?.kind === 'broken'
  return (
    <p
      className={isBroken ? 'alarm' : 'log-line'}
      role={isBroken ? 'alert' : undefined}
      data-testid="block-in-log"
      data-state={data?.kind ?? (failure === null ? undefined : 'failed')}
    >
      {data !== undefined
        ? data.words
        : failure === null
          ? 'The log’s proof is being checked…'
          : `The log could not be asked: ${messageOf(failure)}`}
    </p>
  )
}

/** `none`: no checkpoint that covers the block is shown yet. `broken`: what the log shows does not hold. */
type Inclusion = { readonly kind: 'included' | 'none' | 'broken'; readonly words: string }

const broken = (why: string): Inclusion => ({
  kind: 'broken',
  words: `The public log does not show that it has this block. ${why}`,
})

/**
 * By the key of the log that this browser remembers, otherwise by the one that the log names.
 * @throws ApiFailure when the log cannot be read
 */
const checkInclusion = async ({ text }: Pick<Api, 'text'>, block: Block): Promise<Inclusion> => {
  const proofText = await textOrNull(text(`/log/proof/${block.height}`))
  if (proofText === null)
    return { kind: 'none', words: 'The log shows no checkpoint that covers this block yet.' }
  try {
    const { index, hashes, checkpoint } = readLogProof(proofText)
    const note = utf8(checkpoint)
    const seen = readSeenLog()
    const key =
      seen === null ? await namedKey(text, readSignedCheckpoint(note).origin) : readVerifierKey(seen.key)
    if (key === null) return broken('Its policy names no key for it.')
    const { size, root } = openCheckpoint(note, key)
    if (index !== block.height) return broken('The proof is of another entry.')
    if (!verifyInclusion({ index, size, leaf: entryLeafHash(entryOf(block)), proof: hashes, root }))
      return broken('The entry of this block, computed here, does not lead to the root of the checkpoint.')
    const words = `In the log as entry ${count(index)} of ${count(size)}: the entry was computed here from the block, and ${count(hashes.length)} hashes lead from it to the root of the checkpoint that the log has signed.`
    return { kind: 'included', words }
  } catch (error) {
    if (error instanceof RangeError) return broken(`${error.message}.`)
    throw error
  }
}

/** @throws RangeError when the parts make no entry */
const entryOf = (block: Block): Uint8Array =>
  entryBytes({
    composite: blockComposite({
      id: block.id,
      previousBlockHash: fromHex(block.previous_hash),
      merkleRoot: fromHex(block.merkleRoot),
      metadataHash: fromHex(block.metadataHash),
      keyId: fromHex(block.keyId),
    }),
    signature: fromBase64(textAt(block.raw.attributes, 'signature') ?? ''),
    metadata: canonicalJson(block.metadata),
  })
