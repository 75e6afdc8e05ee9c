// Verifies an evidence file: from the digest through the trees to the item, its signature, its bundle and the public
// log. Every check is a row, and none stops the run.
import { BundleRejected, type Carried, carried } from '../proof/bundle/bundle_parts.ts'
import { type ReadBundle, readBundleObject } from '../proof/bundle/read_bundle.ts'
import { readOrError, readOrUndefined, toHex } from '../proof/bytes.ts'
import { itemHash, jsonHash } from '../proof/composites.ts'
import { verifySignature as ourVerifySignature } from '../proof/ed25519.ts'
import { ulidTime } from '../proof/ids.ts'
import { canonicalJson, type JsonValue } from '../proof/json_value.ts'
import { base64Bytes, hexBytes, sameBytes, textOf, utcSeconds } from '../proof/verify/carried_values.ts'
import { type Finding, fail, info, pass, skip, warn } from '../proof/verify/report.ts'
import { verifyBundle } from '../proof/verify/verify_bundle.ts'
import { REJECTION_WORDS } from '../verifier/read_any_bundle.ts'
import { judgeReport } from '../verifier/verdict.ts'
import { rootOver, TREE_FORMAT, type TreeEntry, treeEntry } from './digest_tree.ts'
import type { EvidenceFile, EvidenceItem } from './evidence.ts'
import { logFindings } from './log_findings.ts'
import { digestFindings, type GroupedRow, inGroup } from './rows.ts'
import { type EvidenceTrust, type KnownSigner, signerOf } from './trust.ts'

/**
 * `not_yet`: a receipt whose every check holds. `key_open`: everything agrees, but no keyring at hand has the key that
 * signed the item, or the one that signed the bundle, and anybody can make such a file with keys of his own.
 */
export type EvidenceVerdict = 'valid' | 'not_yet' | 'key_open' | 'not_valid'

export type EvidenceReport = Readonly<Awaited<ReturnType<typeof verifyEvidence>>>

/** @param fileDigest of the file at hand, by the hash function that `evidence.digest.type` names */
export async function verifyEvidence(evidence: EvidenceFile, trust: EvidenceTrust, fileDigest?: Uint8Array) {
  const { item } = evidence
  const bundle = await checkedBundle(evidence, trust, fileDigest)
  const signer = signerOf(item.signingKeyId, trust.keyrings, bundle?.read)
  const rows: GroupedRow[] = [
    ...inGroup('Digest', digestFindings(evidence.digest, fileDigest)),
    ...inGroup('Trees', treeFindings(evidence)),
    ...inGroup('Item', itemFindings(evidence)),
    ...inGroup('Item Signature', signatureFindings(item, signer, trust)),
    ...inGroup('Bundle', bundle?.findings ?? [info('There is no bundle yet.')]),
    ...inGroup('Public Log', logFindings(evidence.logProof, bundle?.read, trust)),
    ...inGroup('Time Stamp', await timeStampFindings(evidence, trust)),
  ]
  return {
    verdict: verdictOf(rows, bundle, signer),
    rows,
    /** Milliseconds since 1970, from the item's id. */
    acceptedAt: ulidTime(item.id),
    /** Of the bundle within. Undefined in a receipt, and when the bundle cannot be read. */
    bundle: bundle?.read === undefined ? undefined : bundle,
  }
}

/** The report of a manifest, when the file at hand is none of its entries. */
export const lackingFile = (report: EvidenceReport, entries: number): EvidenceReport => ({
  ...report,
  verdict: 'not_valid',
  rows: [
    ...inGroup('Digest', [fail(`The file is none of the ${entries} that this manifest lists.`)]),
    ...report.rows.filter(({ group }) => group !== 'Digest'),
  ],
})

function verdictOf(
  rows: readonly GroupedRow[],
  bundle: Awaited<ReturnType<typeof checkedBundle>>,
  signer: KnownSigner,
): EvidenceVerdict {
  if (rows.some(({ status }) => status === 'fail')) return 'not_valid'
  if (bundle?.keyIsOpen === true || !signer.isTrusted) return 'key_open'
  return bundle === undefined ? 'not_yet' : 'valid'
}

/** What the item must be about: the digest itself, or the root of the last tree. Undefined when a path is broken. */
function subjectOf({
  digest,
  trees,
}: EvidenceFile): { entry: TreeEntry; size: number | undefined } | undefined {
  let entry = digest
  for (const tree of trees) {
    const root = rootOver({ ...entry, salt: tree.salt }, tree)
    if (root === undefined) return undefined
    entry = treeEntry(root, tree.size)
  }
  return { entry, size: trees.at(-1)?.size }
}

function treeFindings(evidence: EvidenceFile): Finding[] {
  const { trees, item, digest } = evidence
  const subject = readOrUndefined(() => subjectOf(evidence))
  const claimedHash = textOf(carried(item.claims, 'hash'))
  const claimedType = textOf(carried(item.claims, 'hash_type'))
  if (trees.length === 0)
    return claimedType === digest.type && claimedHash === toHex(digest.value)
      ? [pass('The item is about the digest itself.')]
      : [fail('The item is about another digest.')]
  if (subject === undefined) return [fail('A path is none in a tree of its size.')]
  const root = toHex(subject.entry.value.subarray(0, 32))
  const tree = carried(item.claims, 'metadata')
  const said = carried(tree, 'tree')
  const [format, size] = ['format', 'size'].map((name) => carried(said, name))
  const places = trees.map(({ index, size: of }) => `${index} of ${of}`).join(', ')
  return [
    claimedType === 'sha256' && claimedHash === root
      ? pass(`The path leads from the digest (${places}) to the root that the item claims.`)
      : fail('The path does not lead from the digest to the root that the item claims.'),
    format === TREE_FORMAT && size === subject.size
      ? pass(`The item claims a tree of ${subject.size} entries.`)
      : fail('The item does not claim a tree of this format and size.'),
  ]
}

const hashOf = ({ id, claims, metadata, signingKeyId }: EvidenceItem): Uint8Array =>
  itemHash({
    id,
    claimsHash: jsonHash('items_claims', claims),
    metadataHash: jsonHash('items_metadata', metadata),
    keyId: signingKeyId,
  })

const itemFindings = ({ item }: EvidenceFile): Finding[] => [
  pass(`The item hashes to ${toHex(hashOf(item))}.`),
  info(`Its id says that it was accepted at ${utcSeconds(ulidTime(item.id)) ?? 'no known time'}.`),
]

function signatureFindings(
  item: EvidenceItem,
  { publicKey }: KnownSigner,
  { verifySignature = ourVerifySignature }: EvidenceTrust,
): Finding[] {
  const id = toHex(item.signingKeyId)
  const signature = base64Bytes(item.signature, 64)
  if (signature === undefined) return [fail('The signature is not base64 of 64 bytes.')]
  if (publicKey === undefined)
    return [warn(`Key ${id} is in no keyring at hand: the signature was not checked.`)]
  return verifySignature(publicKey, hashOf(item), signature)
    ? [pass(`Key ${id} signed the item.`)]
    : [fail(`The signature is not that of key ${id} over the item.`)]
}

/** Undefined in a receipt. */
async function checkedBundle(
  { bundle, item, trees }: EvidenceFile,
  trust: EvidenceTrust,
  fileDigest: Uint8Array | undefined,
) {
  if (bundle === undefined) return undefined
  const read = readOrError(() => readBundleObject(bundle), BundleRejected)
  if (read instanceof BundleRejected)
    return { findings: [fail(`The bundle cannot be read. ${REJECTION_WORDS[read.reason]}`)] }
  // With trees the claims have the digest of no file.
  const expectedHash = trees.length > 0 || fileDigest === undefined ? undefined : toHex(fileDigest)
  const report = await verifyBundle(read, { ...trust, expectedHash })
  const { verdict, headline, sentence } = judgeReport(read, report, trust.keyrings)
  const said = `${headline}. ${sentence}`
  const judged = verdict === 'valid' ? pass(said) : verdict === 'key_open' ? warn(said) : fail(said)
  return { findings: [fits(read, item), judged], read, report, keyIsOpen: verdict === 'key_open' }
}

function fits(
  { type, layout, subject }: ReadBundle,
  { id, claims, metadata, signingKeyId }: EvidenceItem,
): Finding {
  const isIt =
    type === 'item' &&
    layout === 'published' &&
    subject?.id === id &&
    isSameJson(subject.data, claims) &&
    isSameJson(subject.metadata, metadata) &&
    sameBytes(hexBytes(subject.signingKeyId, 4), signingKeyId)
  return isIt
    ? pass('The bundle is about this item: id, claims, metadata and the key that signed it.')
    : fail('The bundle is about another item.')
}

const isSameJson = (a: Carried, b: JsonValue): boolean =>
  a !== undefined && canonicalJson(a) === canonicalJson(b)

/** Empty when there is no token. */
async function timeStampFindings(
  { timeStamp, digest }: EvidenceFile,
  { checkTimeStamp }: EvidenceTrust,
): Promise<readonly Finding[]> {
  if (timeStamp === undefined) return []
  return checkTimeStamp?.(timeStamp, digest) ?? [skip('The time-stamp token in it was not read.')]
}
