// Evidence of one file, or a manifest of many, as the verifier has it.
import { type EvidenceFile, readEvidenceValue } from '../../../shared/evidence/evidence.ts'
import { judgeEvidence, shownReport } from '../../../shared/evidence/judge_evidence.ts'
import { evidenceOfEntry, type Manifest, readTreeManifest } from '../../../shared/evidence/manifest.ts'
import type { EvidenceTrust } from '../../../shared/evidence/trust.ts'
import { lackingFile, verifyEvidence } from '../../../shared/evidence/verify_evidence.ts'
import { bytesEqual, toHex } from '../../../shared/proof/bytes.ts'
import { type HashType, isHashType } from '../../../shared/proof/claims.ts'
import { bundleFacts } from '../../../shared/verifier/bundle_facts.ts'
import { fetchOwnRoots } from '../proofs/own_keyring.ts'
import { plural } from '../ui/format.ts'
import {
  bytesOf,
  type Fact,
  firstOf,
  type Given,
  NOTHING,
  questionOf,
  type ReadProof,
  readableTime,
  sayTime,
  subjectPath,
  timesOf,
} from './read_proof.ts'

/** A manifest may have a million entries, so they are not kept: whoever looks for one reads the file again. */
type GivenManifest = {
  readonly file: Blob
  readonly read: Manifest
  readonly entries: number
  /** Of all its entries. Empty when none is the digest of a file. */
  readonly hashTypes: readonly HashType[]
}

export const evidenceProof = (name: string, whole: EvidenceFile, manifest?: GivenManifest): ReadProof => ({
  kind: 'read',
  name,
  question:
    manifest === undefined
      ? questionOf(whole.digest.type, whole.digest.value)
      : manifest.hashTypes.length === 0
        ? NOTHING
        : { kind: 'entry', types: manifest.hashTypes, entries: manifest.entries },
  ofToken: whole.digest.type === 'rfc3161-token' ? whole : undefined,
  verify: async (given) => {
    const { keyrings, digests, signal } = given
    const entry = manifest && (await entryOf(manifest, given))
    const evidence = entry?.evidence ?? whole
    const { item } = evidence
    const fileDigest = manifest === undefined ? firstOf(digests) : entry?.evidence.digest.value
    const checkTimeStamp: EvidenceTrust['checkTimeStamp'] = async (token, digest) => {
      // What verifies certificates is large, and loaded for them alone.
      const [{ carriedStampFindings }, roots] = await Promise.all([
        import('../../../shared/evidence/verify_time_stamp.ts'),
        fetchOwnRoots(signal),
      ])
      return carriedStampFindings(token, digest, { roots })
    }
    const verified = await verifyEvidence(evidence, { keyrings, checkTimeStamp }, fileDigest)
    const isLacking = manifest !== undefined && entry === undefined && digests.length > 0
    const report = isLacking ? lackingFile(verified, manifest.entries) : verified
    const { verdict, bundle } = report
    const isSigned = verdict === 'valid' || verdict === 'not_yet'
    const claimed = isSigned ? '' : ', as claimed'
    const keyId = toHex(item.signingKeyId)
    return {
      judgement: judgeEvidence(evidence, report, keyrings, sayTime),
      steps: [...report.rows, ...(bundle?.report.steps ?? [])],
      document: shownReport(evidence, report),
      facts: [
        manifest === undefined ? aboutFile(evidence) : aboutManifest(manifest, entry?.path),
        {
          name: `item of ${item.service}, as the file says`,
          value: item.id,
          path: subjectPath('item', item.id),
          isWide: true,
        },
        { name: `accepted${claimed}`, value: readableTime(report.acceptedAt) },
        ...(bundle === undefined
          ? []
          : timesOf(bundle.report, verdict === 'valid' ? 'valid' : 'invalid', bundleFacts(bundle.read))),
        { name: `${isSigned ? 'signed by key' : 'names key'}${claimed}`, value: keyId },
      ],
      existedAt: bundle?.report.temporal.committed_at,
      signedBy: { keyId },
    }
  },
})

/** The name is a hint that nothing proves. */
const aboutFile = ({ digest, name }: EvidenceFile): Fact => ({
  name: `${digest.type} of a file`,
  title: name === undefined ? undefined : `${name}, as the file says`,
  value: toHex(digest.value),
  isWide: true,
})

/** @param path of the file at hand. It is covered by the tree. */
const aboutManifest = ({ entries }: GivenManifest, path: string | undefined): Fact => ({
  name: `manifest of ${plural(entries, 'file')}`,
  value: path ?? 'no file of it was compared',
  isWide: path !== undefined,
})

/** The first entry with one of the digests. */
const entryOf = async ({ file, read }: GivenManifest, { digests, signal }: Given) => {
  if (digests.length === 0) return undefined
  const wanted = digests.map((digest) => ({ type: digest.type, value: bytesOf(digest) }))
  let found: { readonly path: string; readonly evidence: EvidenceFile } | undefined
  await readTreeManifest(piecesOf(file), (entry, index) => {
    signal.throwIfAborted()
    const { type, value } = entry.entry
    const isIt = wanted.some((one) => (one.type ?? type) === type && bytesEqual(one.value, value))
    if (found === undefined && isIt && isHashType(type))
      found = { path: entry.path, evidence: readEvidenceValue(evidenceOfEntry(read, index, entry)) }
  })
  return found
}

/** Small pieces, so that the page stays alive between them. */
export async function* piecesOf(file: Blob): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < file.size; at += PIECE_BYTES)
    yield new Uint8Array(await file.slice(at, at + PIECE_BYTES).arrayBuffer())
}

const PIECE_BYTES = 131_072
