// The sheet for the printer of a verification: its sentence, the digest, the times, and what was not checked.
import { utcSeconds } from '../../../shared/proof/verify/carried_values.ts'
import { bundleFacts } from '../../../shared/verifier/bundle_facts.ts'
import { namedTimes } from '../../../shared/verifier/report_summary.ts'
import { shownTime } from '../../../shared/verifier/verdict.ts'
import { PrintSheet } from '../proofs/print_sheet.tsx'
import { keyringName, verifyCommand } from '../proofs/verifier_file.ts'
import { utc } from '../ui/format.ts'
import { fileQuestion } from './given_proof.ts'
import { plainVerdict } from './plain_verdict.ts'
import type { Verified } from './verify_given.ts'

type VerifiedSheetProps = { readonly verified: Verified; readonly fileName: string | null }

export const VerifiedSheet = ({ verified, fileName }: VerifiedSheetProps) => {
  const plain = plainVerdict(verified, fileName)
  const { headline, reservations } = verified.judgement
  const question = fileQuestion(verified.given)
  return (
    <PrintSheet
      kind="Verification"
      title={plain.sentence}
      facts={[
        ['Verdict', headline],
        ['The proof', `${verified.given.name}: ${plain.proof.words}`],
        ['The file', `${fileName ?? 'none'}: ${plain.file.words}`],
        ...(question?.kind === 'digest' ? [[question.types[0], question.hex] as const] : []),
        ...timesOf(verified),
        ...reservations.map((words, index) => [`Not checked, ${index + 1}`, words] as const),
        ['Verified', `${utc(new Date().toISOString())} UTC, at ${window.location.host}`],
      ]}
      link={`${window.location.origin}/verify`}
      command={verifyCommand(verified.given.name, keyringName(window.location.host))}
    />
  )
}

const timesOf = (verified: Verified): (readonly [string, string])[] => {
  if (verified.kind === 'ots') return []
  if (verified.kind === 'time_stamp')
    return [['Time', shownTime(utcSeconds(verified.given.read.timeMs) ?? 'at no readable time')]]
  const within =
    verified.kind === 'bundle'
      ? { read: verified.given.read, report: verified.report }
      : verified.report.bundle
  if (within === undefined) return []
  const isValid = verified.judgement.verdict === 'valid'
  return namedTimes(within.report, isValid ? 'valid' : 'invalid', bundleFacts(within.read)).map(
    ({ name, time }) => [name, shownTime(time)] as const,
  )
}
