// Fills a receipt with the proof that a service answered, and only with what verifies and belongs to this very item.
import { carried } from '../proof/bundle/bundle_parts.ts'
import { readBundleObject } from '../proof/bundle/read_bundle.ts'
import type { JsonObject, JsonValue } from '../proof/json_value.ts'
import { bundleFacts } from '../verifier/bundle_facts.ts'
import { stepWords } from '../verifier/step_words.ts'
import { type EvidenceFile, needed, optionalText, readBundleMember } from './evidence.ts'
import type { EvidenceTrust } from './trust.ts'
import { type EvidenceReport, verifyEvidence } from './verify_evidence.ts'

/** `{"bundle": {…}, "log_proof": "c2sp.org/tlog-proof@v1\n…"}`, unread. */
export interface UpgradeAnswer {
  readonly bundle: JsonObject
  readonly logProof: string | undefined
}

/** The members that an evidence file, or the first line of a manifest, gets. */
export type Filling = { readonly bundle: JsonObject; readonly log_proof?: string }

/**
 * `receipt`: it is not valid itself, or it was changed. `key`: no keyring at hand has the key that signed, so that
 * anybody may have answered. `answer`: what was answered is not valid, or belongs to another item or block.
 */
type UpgradeRefusal = 'receipt' | 'key' | 'answer'

export class UpgradeRefused extends Error {
  override readonly name = 'UpgradeRefused'
  readonly reason: UpgradeRefusal

  constructor(reason: UpgradeRefusal, { rows }: EvidenceReport) {
    super(
      rows
        .filter(({ status }) => status === (reason === 'key' ? 'warn' : 'fail'))
        .map(({ group, message }) => `${stepWords(group).words}: ${message}`)
        .join(' '),
    )
    this.reason = reason
  }
}

/**
 * @param value of the strict reader
 * @throws EvidenceRejected when it is no such answer
 */
export function readUpgradeAnswer(value: JsonValue): UpgradeAnswer {
  const bundle = needed(readBundleMember(carried(value, 'bundle')), 'bundle is missing')
  return { bundle, logProof: optionalText(value, 'log_proof') }
}

/** @throws UpgradeRefused unless the receipt is one whose every check holds */
export async function checkReceipt(receipt: EvidenceFile, trust: EvidenceTrust): Promise<void> {
  const report = await verifyEvidence(receipt, trust)
  if (report.verdict === 'not_valid') throw new UpgradeRefused('receipt', report)
  if (report.verdict === 'key_open') throw new UpgradeRefused('key', report)
}

/**
 * A proof of the public log that the receipt has already is kept when none was answered, and must fit the bundle too.
 * @throws UpgradeRefused
 */
export async function fillingOf(
  receipt: EvidenceFile,
  { bundle, logProof = receipt.logProof }: UpgradeAnswer,
  trust: EvidenceTrust,
): Promise<Filling> {
  await checkReceipt(receipt, trust)
  const report = await verifyEvidence({ ...receipt, bundle, logProof }, trust)
  if (report.verdict === 'key_open') throw new UpgradeRefused('key', report)
  if (report.verdict !== 'valid') throw new UpgradeRefused('answer', report)
  return { bundle, ...(logProof === undefined ? {} : { log_proof: logProof }) }
}

/**
 * Whether evidence that has its bundle lacks something of the filling: a network of a public chain, or the log's proof. Not
 * when the filling lacks a network that the evidence has: one is not given away for another.
 */
export function hasMore({ bundle, logProof }: EvidenceFile, filling: Filling): boolean {
  const [held, given] = [networksIn(bundle), networksIn(filling.bundle)]
  if (![...held].every((network) => given.has(network))) return false
  return given.size > held.size || (logProof === undefined && filling.log_proof !== undefined)
}

const networksIn = (bundle: JsonObject | undefined): ReadonlySet<string> =>
  new Set(
    bundle === undefined
      ? []
      : bundleFacts(readBundleObject(bundle)).chains.map(({ chain, network }) => `${chain} ${network}`),
  )

/** A document of an evidence file, or of the first line of a manifest, with what it lacked. Its other members stay. */
export const filled = (document: JsonObject, filling: Filling): JsonObject => ({ ...document, ...filling })
