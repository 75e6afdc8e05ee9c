// Judges the proof in an evidence file that the public log has the item's block.
import { auditCheckpoint, type LogTrust } from '../audit/audit_copy.ts'
import { blockComposite, entryBytes, entryLeafHash } from '../log/log_entry.ts'
import { readLogProof, verifyInclusion } from '../log/tree_proofs.ts'
import type { ReadBundle } from '../proof/bundle/read_bundle.ts'
import { readOrUndefined, toHex, utf8 } from '../proof/bytes.ts'
import { blockHash } from '../proof/composites.ts'
import { verifySignature as ourVerifySignature } from '../proof/ed25519.ts'
import { isUuid7 } from '../proof/ids.ts'
import { canonicalJson, isJsonObject } from '../proof/json_value.ts'
import { shown } from '../proof/verify/carried_values.ts'
import { blockParts } from '../proof/verify/derived_hashes.ts'
import { type Finding, fail, info, pass, skip, warn } from '../proof/verify/report.ts'
import { type EvidenceTrust, signerOf } from './trust.ts'

/** Empty when there is no proof of the log. */
export function logFindings(
  logProof: string | undefined,
  bundle: ReadBundle | undefined,
  { logs = NO_LOGS, keyrings, verifySignature = ourVerifySignature }: EvidenceTrust,
): Finding[] {
  if (logProof === undefined) return []
  if (bundle === undefined) return [skip('Without a bundle there is no block to look for in the public log.')]
  const proof = readOrUndefined(() => readLogProof(logProof))
  if (proof === undefined) return [fail('The proof of the public log cannot be read.')]
  const block = blockParts(bundle.block)
  const { metadata } = bundle.block
  const { index, hashes, extra } = proof
  if (block === undefined || !isUuid7(block.id) || !isJsonObject(metadata) || extra?.length !== 64)
    return [fail('The proof of the public log lacks the block’s signature, or the block is malformed.')]
  const entry = { composite: blockComposite(block), signature: extra, metadata: canonicalJson(metadata) }
  const leaf = entryLeafHash(entryBytes(entry))
  const { findings: wrong, checkpoint } = auditCheckpoint('log_proof', utf8(proof.checkpoint), logs)
  const findings: Finding[] = wrong.map(({ field, expected }) =>
    fail(`In the checkpoint of the public log, ${field} is not ${expected}.`),
  )
  if (checkpoint === undefined) return findings
  const { size, root, origin } = checkpoint.head
  findings.push(
    verifyInclusion({ index, size, leaf, proof: hashes, root })
      ? pass(`The block is entry ${index} of the ${size} under the checkpoint.`)
      : fail('The block’s entry does not lead to the root of the checkpoint.'),
  )
  const key = signerOf(block.keyId, keyrings, bundle).publicKey
  if (key === undefined)
    findings.push(warn(`Key ${toHex(block.keyId)} is not at hand: the block’s signature was not checked.`))
  else
    findings.push(
      verifySignature(key, blockHash(block), extra)
        ? pass('The block’s standing signature holds.')
        : fail('The block’s standing signature does not hold.'),
    )
  findings.push(
    checkpoint.signer === undefined
      ? info(`No key of the log ${shown(origin)} is pinned here, so its checkpoint counts for nothing.`)
      : pass(
          `The log ${shown(origin)} signed the checkpoint${checkpoint.cosigned.length === 0 ? '' : `, and ${checkpoint.cosigned.map(shown).join(', ')} cosigned it`}.`,
        ),
  )
  return findings
}

const NO_LOGS: LogTrust = { keys: [], policy: undefined }
