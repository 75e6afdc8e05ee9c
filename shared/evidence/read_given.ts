// Reads what somebody wants verified, and tells by what is in it what it is: a proof bundle, an evidence file, an .ots file,
// a time stamp, or a manifest, which is read as a stream because it may have a million lines.
import type { ReadBundle } from '../proof/bundle/read_bundle.ts'
import { bytesEqual, joinBytes, readOrUndefined } from '../proof/bytes.ts'
import { OTS_HEAD } from '../proof/opentimestamps/ots_format.ts'
import { type ReadOts, readOts } from '../proof/opentimestamps/read_ots.ts'
import { readStrictJson } from '../proof/strict_json.ts'
import { beginsAsTimeStamp, LARGEST_TIME_STAMP_BYTES } from '../time_stamps/token_marks.ts'
import { LARGEST_BUNDLE_BYTES, readAnyBundle } from '../verifier/read_any_bundle.ts'
import { type EvidenceFile, isEvidence, LARGEST_EVIDENCE_BYTES, readEvidenceValue } from './evidence.ts'
import { evidenceOfNames, type HearEntry, isManifest, type Manifest, readTreeManifest } from './manifest.ts'

export type GivenProof =
  | { readonly kind: 'bundle'; readonly read: ReadBundle }
  /** Of a manifest it says that the whole tree with its names is the item's. */
  | { readonly kind: 'evidence'; readonly evidence: EvidenceFile; readonly manifest?: Manifest | undefined }
  | { readonly kind: 'ots'; readonly read: ReadOts }
  /** Unread: what reads time stamps is large. */
  | { readonly kind: 'time_stamp'; readonly bytes: Uint8Array }

/** Nothing that can be verified is as large. */
export class GivenTooLarge extends Error {
  override readonly name = 'GivenTooLarge'
  readonly most: number

  constructor(most: number) {
    super(`it is larger than ${most / 1024} KiB`)
    this.most = most
  }
}

/**
 * @param hear each entry of a manifest as it comes
 * @throws GivenTooLarge
 * @throws EvidenceRejected for evidence and manifests with a mistake
 * @throws OtsRejected for what begins as an .ots file
 * @throws BundleRejected for everything else that is no proof
 */
export async function readGivenProof(
  chunks: AsyncGenerator<Uint8Array>,
  hear?: HearEntry,
): Promise<GivenProof> {
  const begun = await firstLine(chunks)
  const first = readOrUndefined(() => readStrictJson(begun.line))
  if (first !== undefined && isManifest(first)) {
    const manifest = await readTreeManifest(joined(begun.read, chunks), hear)
    return { kind: 'evidence', evidence: readEvidenceValue(evidenceOfNames(manifest)), manifest }
  }
  if (beginsAsTimeStamp(begun.read))
    return { kind: 'time_stamp', bytes: await wholeOf(begun.read, chunks, LARGEST_TIME_STAMP_BYTES) }
  const bytes = await wholeOf(begun.read, chunks, LARGEST_EVIDENCE_BYTES)
  if (bytesEqual(bytes.subarray(0, OTS_MAGIC.length), OTS_MAGIC)) return { kind: 'ots', read: readOts(bytes) }
  const value = readOrUndefined(() => readStrictJson(bytes))
  if (value !== undefined && isEvidence(value))
    return { kind: 'evidence', evidence: readEvidenceValue(value) }
  if (bytes.length > LARGEST_BUNDLE_BYTES) throw new GivenTooLarge(LARGEST_BUNDLE_BYTES)
  return { kind: 'bundle', read: readAnyBundle(bytes) }
}

/** Without the version. */
const OTS_MAGIC = OTS_HEAD.subarray(0, -1)

/** Reads until there is a line feed, or more than a first line may have. */
async function firstLine(
  chunks: AsyncGenerator<Uint8Array>,
): Promise<{ readonly read: Uint8Array; readonly line: Uint8Array }> {
  const held: Uint8Array[] = []
  let size = 0
  while (size <= LARGEST_EVIDENCE_BYTES) {
    const { value, done } = await chunks.next()
    if (done === true) break
    held.push(value)
    size += value.length
    if (value.includes(LINE_FEED)) break
  }
  const read = joinBytes(held)
  const end = read.indexOf(LINE_FEED)
  return { read, line: end < 0 ? read : read.subarray(0, end) }
}

const LINE_FEED = 0x0a

async function* joined(begun: Uint8Array, chunks: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield begun
  yield* chunks
}

/** @throws GivenTooLarge */
async function wholeOf(
  begun: Uint8Array,
  chunks: AsyncGenerator<Uint8Array>,
  most: number,
): Promise<Uint8Array> {
  const held = [begun]
  let size = begun.length
  for await (const chunk of chunks) {
    held.push(chunk)
    size += chunk.length
    if (size > most) break
  }
  if (size > most) throw new GivenTooLarge(most)
  return joinBytes(held)
}
