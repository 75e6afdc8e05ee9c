// Reads what somebody wants verified, and tells by what is in it what it is: a proof bundle, an evidence file, or a
// manifest, which is read as a stream because it may have a million lines.
import { Complaint, paced, type Terminal } from '../../shared/cli/terminal.ts'
import {
  type EvidenceFile,
  EvidenceRejected,
  isEvidence,
  LARGEST_EVIDENCE_BYTES,
  readEvidenceValue,
} from '../../shared/evidence/evidence.ts'
import { evidenceOfNames, isManifest, readTreeManifest } from '../../shared/evidence/manifest.ts'
import { BundleRejected } from '../../shared/proof/bundle/bundle_parts.ts'
import type { ReadBundle } from '../../shared/proof/bundle/read_bundle.ts'
import type { JsonValue } from '../../shared/proof/json_value.ts'
import { readStrictJson, StrictJsonError } from '../../shared/proof/strict_json.ts'
import {
  LARGEST_BUNDLE_BYTES,
  REJECTION_WORDS,
  readAnyBundle,
} from '../../shared/verifier/read_any_bundle.ts'
import { streamOf, unreadable } from './files.ts'

export type GivenProof =
  | { readonly kind: 'bundle'; readonly read: ReadBundle }
  /** `entries` is there when the evidence is that of a manifest: that its tree and its names are the item's. */
  | { readonly kind: 'evidence'; readonly evidence: EvidenceFile; readonly entries?: number }

/** @throws Complaint when it cannot be read or is none of these */
export async function readGiven({ progress }: Terminal, source: string): Promise<GivenProof> {
  const what = source === '-' ? 'Standard input' : source
  try {
    const stream = chunksOf(source === '-' ? process.stdin : await streamOf(source))
    const begun = await firstLine(stream)
    const first = strictOrNothing(begun.line)
    if (first !== undefined && isManifest(first)) {
      const tell = paced(progress, { firstMs: 1_000, everyMs: 200 })
      const manifest = await readTreeManifest(joined(begun.read, stream), (_, index) =>
        tell(() => `${index + 1} entries of ${what}`),
      )
      progress?.('')
      return {
        kind: 'evidence',
        evidence: readEvidenceValue(evidenceOfNames(manifest)),
        entries: manifest.tree.size - 1,
      }
    }
    const bytes = await wholeOf(what, begun.read, stream)
    const value = strictOrNothing(bytes)
    if (value !== undefined && isEvidence(value))
      return { kind: 'evidence', evidence: readEvidenceValue(value) }
    if (bytes.length > LARGEST_BUNDLE_BYTES) throw tooLarge(what, LARGEST_BUNDLE_BYTES)
    return { kind: 'bundle', read: readAnyBundle(bytes) }
  } catch (error) {
    if (error instanceof EvidenceRejected)
      throw new Complaint(`${what} is evidence that cannot be read: ${error.message}.`)
    if (error instanceof BundleRejected)
      throw new Complaint(
        `${what} is neither evidence nor a proof bundle (${error.reason}). ${REJECTION_WORDS[error.reason]}`,
      )
    throw unreadable(source, error)
  }
}

async function* chunksOf(stream: NodeJS.ReadableStream): AsyncGenerator<Uint8Array> {
  for await (const chunk of stream) yield Buffer.from(chunk)
}

/** Reads until there is a line feed, or more than a first line may have. */
async function firstLine(
  stream: AsyncGenerator<Uint8Array>,
): Promise<{ readonly read: Uint8Array; readonly line: Uint8Array }> {
  const chunks: Uint8Array[] = []
  let size = 0
  while (size <= LARGEST_EVIDENCE_BYTES) {
    const { value, done } = await stream.next()
    if (done === true) break
    chunks.push(value)
    size += value.length
    if (value.includes(LINE_FEED)) break
  }
  const read = Buffer.concat(chunks)
  const end = read.indexOf(LINE_FEED)
  return { read, line: end < 0 ? read : read.subarray(0, end) }
}

const LINE_FEED = 0x0a

async function* joined(begun: Uint8Array, stream: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield begun
  yield* stream
}

async function wholeOf(
  what: string,
  begun: Uint8Array,
  stream: AsyncGenerator<Uint8Array>,
): Promise<Uint8Array> {
  const chunks = [begun]
  let size = begun.length
  for await (const chunk of stream) {
    chunks.push(chunk)
    size += chunk.length
    if (size > LARGEST_EVIDENCE_BYTES) break
  }
  if (size > LARGEST_EVIDENCE_BYTES) throw tooLarge(what, LARGEST_EVIDENCE_BYTES)
  return Buffer.concat(chunks)
}

const tooLarge = (what: string, most: number): Complaint =>
  new Complaint(`${what} is larger than ${most / 1024} KiB.`)

function strictOrNothing(bytes: Uint8Array): JsonValue | undefined {
  try {
    return readStrictJson(bytes)
  } catch (error) {
    if (error instanceof StrictJsonError) return undefined
    throw error
  }
}
