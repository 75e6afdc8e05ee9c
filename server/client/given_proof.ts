// Reads what somebody wants verified, from a file or standard input, and says in words why it cannot be.
import { Complaint, paced, type Terminal } from '../../shared/cli/terminal.ts'
import { EvidenceRejected } from '../../shared/evidence/evidence.ts'
import type { HearEntry } from '../../shared/evidence/manifest.ts'
import { type GivenProof, GivenTooLarge, readGivenProof } from '../../shared/evidence/read_given.ts'
import { BundleRejected } from '../../shared/proof/bundle/bundle_parts.ts'
import { OtsRejected } from '../../shared/proof/opentimestamps/read_ots.ts'
import { REJECTION_WORDS } from '../../shared/verifier/read_any_bundle.ts'
import { streamOf, unreadable } from './files.ts'

/**
 * @param hear each entry of a manifest as it comes
 * @throws Complaint when it cannot be read or is no proof
 */
export async function readGiven(
  { progress }: Terminal,
  source: string,
  hear: HearEntry = () => undefined,
): Promise<GivenProof> {
  const what = source === '-' ? 'Standard input' : source
  const tell = paced(progress, { firstMs: 1_000, everyMs: 200 })
  try {
    return await readGivenProof(
      chunksOf(source === '-' ? process.stdin : await streamOf(source)),
      (entry, index) => {
        tell(() => `${index + 1} entries of ${what}`)
        return hear(entry, index)
      },
    )
  } catch (error) {
    if (error instanceof GivenTooLarge)
      throw new Complaint(`${what} is larger than ${error.most / 1024} KiB.`)
    if (error instanceof EvidenceRejected)
      throw new Complaint(`${what} is evidence that cannot be read: ${error.message}.`)
    if (error instanceof OtsRejected)
      throw new Complaint(`${what} is an .ots file that cannot be read: ${error.message}`)
    if (error instanceof BundleRejected)
      throw new Complaint(
        `${what} is neither evidence nor a proof bundle (${error.reason}). ${REJECTION_WORDS[error.reason]}`,
      )
    throw unreadable(source, error)
  } finally {
    progress?.('')
  }
}

async function* chunksOf(stream: NodeJS.ReadableStream): AsyncGenerator<Uint8Array> {
  for await (const chunk of stream) yield Buffer.from(chunk)
}
