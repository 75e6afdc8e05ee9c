// The sheet for the printer of a verification: its sentence, what the proof states, and what was not checked.
import { PrintSheet } from '../proofs/print_sheet.tsx'
import { keyringName, verifyCommand } from '../proofs/verifier_file.ts'
import { utc } from '../ui/format.ts'
import { plainVerdict } from './plain_verdict.ts'
import { stated } from './stated.ts'
import type { Verified } from './verify_given.ts'

type VerifiedSheetProps = { readonly verified: Verified; readonly fileName: string | null }

export const VerifiedSheet = ({ verified, fileName }: VerifiedSheetProps) => {
  const plain = plainVerdict(verified, fileName)
  const { headline, reservations } = verified.judgement
  const claimed = verified.kind === 'bundle' ? verified.given.facts.claimedHash : undefined
  return (
    <PrintSheet
      kind="Verification"
      title={plain.sentence}
      facts={[
        ['Verdict', headline],
        ['The proof', `${verified.given.name}: ${plain.proof.words}`],
        ['The file', `${fileName ?? 'none'}: ${plain.file.words}`],
        ...(claimed === undefined ? [] : [[claimed.type, claimed.hex] as const]),
        ...stated(verified).map(
          ({ name, value, title }) => [name, title === undefined ? value : `${title}: ${value}`] as const,
        ),
        ...reservations.map((words, index) => [`Not checked, ${index + 1}`, words] as const),
        ['Verified', `${utc(new Date().toISOString())} UTC, at ${window.location.host}`],
      ]}
      link={`${window.location.origin}/verify`}
      command={verifyCommand(verified.given.name, keyringName(window.location.host))}
    />
  )
}
