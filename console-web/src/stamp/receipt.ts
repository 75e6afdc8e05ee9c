// Timestamps without an account: asks for a receipt, and fills it with the proof as soon as there is one.
import {
  type EvidenceFile,
  EvidenceRejected,
  readEvidenceFile,
  writeEvidence,
} from '../../../shared/evidence/evidence.ts'
import { rethrown, toHex } from '../../../shared/proof/bytes.ts'
import { uuid7Time } from '../../../shared/proof/ids.ts'
import { isJsonObject, memberAt } from '../../../shared/proof/json_value.ts'
import { readStrictJson } from '../../../shared/proof/strict_json.ts'
import { openApi } from '../data/api_client.ts'
import { ApiFailure } from '../data/api_failure.ts'
import { textAt } from '../data/shape.ts'
import { fetchOwnKeyring } from '../proofs/own_keyring.ts'
import type { DoorStamp } from './door_stamp.ts'

const PATH = '/stamp'

/** What leaves the browser, to the letter. */
export const stampRequest = ({ hex }: DoorStamp) => ({
  digests: [{ type: 'sha256', value: hex }],
})

/** The text of the evidence file. What it says was verified here. @throws ApiFailure */
export const askForReceipt = async (stamp: DoorStamp, signal: AbortSignal): Promise<string> => {
  const answer = await openApi.post(PATH, stampRequest(stamp), { signal, contentType: 'application/json' })
  const evidence = memberAt(answer, 'evidence')
  const first = Array.isArray(evidence) ? evidence[0] : undefined
  if (!isJsonObject(first)) throw unreadable()
  // The name is for whoever holds the file. It was not sent.
  const text = writeEvidence({ ...first, name: stamp.name })
  const receipt = readReceipt(text)
  const { type, value } = receipt.digest
  if (type !== 'sha256' || toHex(value) !== stamp.hex) throw unreadable()
  const { checkReceipt } = await verifying()
  await verified('The receipt', async () => checkReceipt(receipt, await ownTrust(signal)))
  return text
}

/** @throws ApiFailure */
export const readReceipt = (text: string): EvidenceFile => {
  return rethrown(() => readEvidenceFile(text), EvidenceRejected, unreadable)
}

type Progress =
  /** `leftMs`: until the service expects that there is a proof. Null when it does not say. */
  | { readonly kind: 'no_block' | 'waiting'; readonly leftMs: number | null }
  /** Everything in it was verified here. */
  | Awaited<ReturnType<typeof fillReceipt>>

/** @throws ApiFailure */
export const progressOf = async (receipt: EvidenceFile, signal: AbortSignal): Promise<Progress> => {
  const { hash } = receipt.item.claims
  try {
    return await fillReceipt(receipt, await openApi.text(`${PATH}/${String(hash)}`, signal), signal)
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error
    const reason = textAt(error.problems[0]?.meta, 'reason')
    if (reason !== 'subject_not_ready' && reason !== 'no_external_commitments') throw error
    const kind = reason === 'subject_not_ready' ? 'no_block' : 'waiting'
    return { kind, leftMs: error.retryAfterMs > 0 ? error.retryAfterMs : null }
  }
}

/** What verifies is large, and is not needed before. */
const verifying = async () => ({
  ...(await import('../../../shared/evidence/upgrade.ts')),
  ...(await import('../../../shared/proof/bundle/read_bundle.ts')),
  ...(await import('../../../shared/verifier/bundle_facts.ts')),
})

const ownTrust = async (signal: AbortSignal) => ({ keyrings: [await fetchOwnKeyring(signal)] })

/** @throws ApiFailure when what the service gave does not verify */
const verified = async <T>(what: string, verify: () => Promise<T>): Promise<T> => {
  const { UpgradeRefused } = await verifying()
  try {
    return await verify()
  } catch (error) {
    if (error instanceof UpgradeRefused)
      throw new ApiFailure('unreadable', `${what} that the service gave does not verify: ${error.message}`)
    throw error
  }
}

const fillReceipt = async (receipt: EvidenceFile, text: string, signal: AbortSignal) => {
  const { filled, fillingOf, readUpgradeAnswer, readBundleObject, bundleFacts } = await verifying()
  const filling = await verified('The proof', async () =>
    fillingOf(receipt, readUpgradeAnswer(readStrictJson(text)), await ownTrust(signal)),
  )
  const { chains, blockId = '' } = bundleFacts(readBundleObject(filling.bundle))
  const at = uuid7Time(blockId)
  return {
    kind: 'ready' as const,
    leftMs: null,
    text: writeEvidence(filled(receipt.document, filling)),
    /** ISO 8601. */
    inBlockAt: at === undefined ? null : new Date(at).toISOString(),
    /** Null while the public log cannot prove it. */
    height: heightIn(filling.log_proof),
    chains,
  }
}

/** The log has each block at the place of its height. */
const heightIn = (logProof: string | undefined): number | null => {
  const [, index] = /^index (\d+)$/m.exec(logProof ?? '') ?? []
  return index === undefined ? null : Number(index)
}

const unreadable = (): ApiFailure =>
  new ApiFailure('unreadable', 'The server sent something that is not a receipt.')
