// A time stamp by RFC 3161, as the verifier has it, alone or with the evidence of its token. What reads and verifies
// certificates is large, so this is loaded when there is a time stamp.
import type { EvidenceFile } from '../../../shared/evidence/evidence.ts'
import { verifyEvidence } from '../../../shared/evidence/verify_evidence.ts'
import {
  judgeTimeStamp,
  shownTimeStamp,
  verifyTimeStamp,
} from '../../../shared/evidence/verify_time_stamp.ts'
import { toHex } from '../../../shared/proof/bytes.ts'
import { utcSeconds } from '../../../shared/proof/verify/carried_values.ts'
import {
  type ReadTimeStamp,
  readTimeStamp,
  TimeStampRejected,
} from '../../../shared/time_stamps/read_time_stamp.ts'
import { fetchOwnRoots } from '../proofs/own_keyring.ts'
import { firstOf, type GivenProof, questionOf, type ReadProof, readableTime, sayTime } from './read_proof.ts'

export const givenTimeStamp = (name: string, bytes: Uint8Array): GivenProof => {
  try {
    return timeStampProof(name, readTimeStamp(bytes))
  } catch (error) {
    if (!(error instanceof TimeStampRejected)) throw error
    return { kind: 'unreadable', name, why: `This is a time stamp that cannot be read: ${error.message}.` }
  }
}

const timeStampProof = (name: string, read: ReadTimeStamp, file?: EvidenceFile): ReadProof => ({
  kind: 'read',
  name,
  question: questionOf(read.imprint.hash ?? '', read.imprint.digest),
  withEvidence: file === undefined ? (evidence) => timeStampProof(name, read, evidence) : undefined,
  verify: async ({ keyrings, digests, signal }) => {
    const { imprint, timeMs, serial } = read
    const roots = await fetchOwnRoots(signal)
    const evidence = file && { file, report: await verifyEvidence(file, { keyrings }) }
    const report = await verifyTimeStamp(read, { roots, evidence }, firstOf(digests))
    const isShown = report.verdict === 'valid' || report.verdict === 'preserved'
    return {
      judgement: judgeTimeStamp(read, report, sayTime),
      steps: report.rows,
      document: shownTimeStamp(read, report),
      facts: [
        { name: `${imprint.hash ?? 'digest'} of a file`, value: toHex(imprint.digest), isWide: true },
        { name: `was there${isShown ? '' : ', as claimed'}`, value: readableTime(timeMs) },
        { name: 'serial number', value: serial.toString(16) },
      ],
      existedAt: utcSeconds(timeMs),
    }
  },
})
