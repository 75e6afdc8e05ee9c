// Reads what somebody wants verified, from a file or standard input, and says in words why it cannot be.
import { existsSync } from 'node:fs'
import { Complaint, paced, printable, type Terminal } from '../../shared/cli/terminal.ts'
import {
  type EvidenceFile,
  EvidenceRejected,
  LARGEST_EVIDENCE_BYTES,
  readEvidenceFile,
} from '../../shared/evidence/evidence.ts'
import type { HearEntry } from '../../shared/evidence/manifest.ts'
import { type GivenProof, GivenTooLarge, readGivenProof } from '../../shared/evidence/read_given.ts'
import { readSignedCheckpoint } from '../../shared/log/checkpoint.ts'
import { readLogProof } from '../../shared/log/tree_proofs.ts'
import { BundleRejected } from '../../shared/proof/bundle/bundle_parts.ts'
import { readOrUndefined, rethrown, utf8 } from '../../shared/proof/bytes.ts'
import { OtsRejected } from '../../shared/proof/opentimestamps/read_ots.ts'
import {
  type ReadTimeStamp,
  readTimeStamp,
  TimeStampRejected,
} from '../../shared/time_stamps/read_time_stamp.ts'
import { REJECTION_WORDS } from '../../shared/verifier/read_any_bundle.ts'
import { piecesOf, readNamed, unreadable } from './files.ts'

export type ClientProof =
  | Exclude<GivenProof, { kind: 'time_stamp' }>
  | {
      readonly kind: 'time_stamp'
      readonly read: ReadTimeStamp
      /** The evidence in the file beside it, `NAME.pharos`. */
      readonly beside: EvidenceFile | undefined
    }

/**
 * @param hear each entry of a manifest as it comes
 * @throws Complaint when it cannot be read or is no proof
 */
export async function readGiven(
  { progress }: Terminal,
  source: string,
  hear: HearEntry = () => undefined,
): Promise<ClientProof> {
  const what = source === '-' ? 'Standard input' : source
  const tell = paced(progress, { firstMs: 1_000, everyMs: 200 })
  try {
    const given = await readGivenProof(piecesOf(source), (entry, index) => {
      tell(() => `${index + 1} entries of ${printable(what)}`)
      return hear(entry, index)
    })
    if (given.kind !== 'time_stamp') return given
    const read = readTimeStamp(given.bytes)
    return { kind: 'time_stamp', read, beside: await evidenceBeside(source) }
  } catch (error) {
    if (error instanceof GivenTooLarge)
      throw new Complaint(`${what} is larger than ${error.most / 1024} KiB.`)
    if (error instanceof TimeStampRejected)
      throw new Complaint(`${what} is a time stamp that cannot be read: ${error.message}.`)
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

/** Undefined where there is no such file. @throws Complaint when it is something else */
async function evidenceBeside(source: string): Promise<EvidenceFile | undefined> {
  const name = `${source}.pharos`
  if (source === '-' || !existsSync(name)) return undefined
  const bytes = await readNamed(name, LARGEST_EVIDENCE_BYTES)
  const unread = ({ message }: EvidenceRejected) =>
    new Complaint(`${name}, beside the time stamp, is evidence that cannot be read: ${message}.`)
  return rethrown(() => readEvidenceFile(bytes), EvidenceRejected, unread)
}

/** What a proof of the public log says of itself. Undefined when it cannot be read. */
export const factsOfLogProof = (text: string) =>
  readOrUndefined(() => {
    const { index, checkpoint } = readLogProof(text)
    const { origin, size, note } = readSignedCheckpoint(utf8(checkpoint))
    const signatures = note.signatures.map(({ name }) => name)
    return {
      index,
      size,
      origin,
      signatures,
      witnesses: [...new Set(signatures)].filter((name) => name !== origin),
    }
  })
